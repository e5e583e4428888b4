/** Styles of pages other than the first view; the page contains their file's name. */
import { basePath } from "../app/path.ts";

let loaded: Promise<void> | undefined;

/** Resolves once they apply; a page without them is better than none. */
export function loadLaterStyles(): Promise<void> {
  loaded ??= new Promise((resolve) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    const file = document.querySelector<HTMLMetaElement>('meta[name="later-styles"]')?.content ?? "";
    link.href = basePath + file;
    link.onload = () => resolve();
    link.onerror = () => resolve();
    // Before the owner's styles, which take precedence.
    document.querySelector('link[rel="stylesheet"]')?.after(link);
  });
  return loaded;
}
