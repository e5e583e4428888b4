/** All applications. */
import type { JSX } from "preact";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { applications } from "./applications.tsx";

/** The section. */
export function ApplicationsPage(): JSX.Element {
  return <ResourceList of={applications} />;
}
