/** One group. */
import type { JSX } from "preact";
import { ResourcePage } from "../../ui/resource/resource-page.tsx";
import { groups } from "./groups.tsx";

/** The section. */
export function GroupPage({ id }: { id: string }): JSX.Element {
  return <ResourcePage of={groups} id={id} />;
}
