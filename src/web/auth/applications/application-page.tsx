/** One application. */
import type { JSX } from "preact";
import { ResourcePage } from "../../ui/resource/resource-page.tsx";
import { applications } from "./applications.tsx";

/** The section. */
export function ApplicationPage({ id }: { id: string }): JSX.Element {
  return <ResourcePage of={applications} id={id} />;
}
