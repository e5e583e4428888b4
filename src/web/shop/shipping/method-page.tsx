/** One shipping method, or a new one. */
import type { JSX } from "preact";
import { NewResourcePage, ResourcePage } from "../../ui/resource/resource-page.tsx";
import { methods } from "./methods.tsx";

/** The section with a method in its address. */
export function MethodPage({ id }: { id: string }): JSX.Element {
  return id === "new" ? <NewResourcePage of={methods} /> : <ResourcePage of={methods} id={id} />;
}
