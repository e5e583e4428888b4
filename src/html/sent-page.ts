/**
 * Pages that answer a form: once people have left one, Back requests the page of the form again. Browsers do
 * not resubmit a form by themselves, and Chromium shows an error page instead (ERR_CACHE_MISS).
 */
import type { ServiceApp } from "../kit/http/app.ts";
import { escapeHtml } from "../kit/text/html.ts";

const SCRIPT_PATH = "/assets/sent-page.js";

/**
 * Only when the visitor leaves: a reload resubmits the form with all that was typed. Browsers keep the values
 * of fields, except those that came with the page: so mark them as typed. `pagehide` covers links to other
 * sites; `visibilitychange` covers browsers without it.
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

/** More elements for the head of such a page: `formPage` is the URL of its form. */
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
