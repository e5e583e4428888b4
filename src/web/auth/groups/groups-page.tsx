/** All groups. */
import type { JSX } from "preact";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { groups } from "./groups.tsx";

/** The section. */
export function GroupsPage(): JSX.Element {
  return <ResourceList of={groups} />;
}
