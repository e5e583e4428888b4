/** One server. */
import type { JSX } from "preact";
import { ResourcePage } from "../../ui/resource/resource-page.tsx";
import { servers } from "./servers.tsx";

export function ServerPage({ id }: { id: string }): JSX.Element {
  return <ResourcePage of={servers} id={id} />;
}
