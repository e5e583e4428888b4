/** All servers. */
import type { JSX } from "preact";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { servers } from "./servers.tsx";

export function ServersPage(): JSX.Element {
  return <ResourceList of={servers} />;
}
