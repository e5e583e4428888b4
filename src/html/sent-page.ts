/**
 * Pages that answer a form: once people have left one, Back asks for the page of the form anew. Browsers do not send a
 * form again by themselves, and Chromium shows a page of an error in its place (ERR_CACHE_MISS).
 */
import type { ServiceApp } from "../kit/http/app.ts";
import { escapeHtml } from "../kit/text/html.ts";

const SCRIPT_PATH = "/assets/sent-page.js";

/**
 * Only on the way out: whoever loads the page again sends the form again, as ever, with all that was typed. Browsers
 * keep what fields hold, but not where that came with the page: so it is said to have been typed. Before the page is
 * left, for ways to other sites; when it is hidden, for browsers that do not say the first.
 */
const SCRIPT = `const typed = "textarea, input:not([type=hidden], [type=password], [type=file], [type=checkbox], [type=radio])";
const leave = () => {
  history.replaceState(history.state, "", document.querySelector("link[rel=self]").href);
  for (const field of document.querySelectorAll(typed)) {
    const { value } = field;
    field.defaultValue = "";
    field.value = value;
  }
};
addEventListener("beforeunload", leave);
addEventListener("pagehide", leave);
`;

/** What the head of such a page has more: `formPage` is where its form is found again. */
export function toSentPageTags(formPage: string | undefined): string {
  if (formPage === undefined) return "";
  return `<link rel="self" href="${escapeHtml(formPage)}"/><script type="module" src="${SCRIPT_PATH}"></script>`;
}

/** Adds the script of these pages; before the route of all other files. */
export function addSentPageScript(app: ServiceApp): void {
  app.get(SCRIPT_PATH, (c) =>
    c.body(SCRIPT, 200, {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=86400",
    }),
  );
}
