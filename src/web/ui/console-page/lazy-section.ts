/** Pages of a console whose script comes when they are opened, with the texts of all sections. */
import type { ComponentType, JSX } from "preact";
import { loadSectionTexts } from "../../app/language.ts";
import { lazy } from "../../pages/lazy.tsx";

/** The page that a file exports under `name`. */
export function lazySection<Name extends string, P extends object>(
  load: () => Promise<Readonly<Record<Name, ComponentType<P>>>>,
  name: Name,
): (props: P) => JSX.Element {
  return lazy(async () => {
    // Both at once; what fails of either is one failure.
    const [file] = await Promise.all([load(), loadSectionTexts()]);
    return file[name];
  });
}
