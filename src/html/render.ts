/**
 * Renders the text of a page. Not by the element's own `toString`: hono keeps contexts for it in async hooks, which once
 * switched on cost every promise of the process something (Node 20).
 */
import { raw } from "hono/html";
import { escapeHtml } from "../kit/text/html.ts";

interface Buffer extends Array<string> {
  0: string;
}

/** The underlying element; hono's type of it is that of its result. */
interface Rendered {
  toStringToBuffer(buffer: Buffer): void;
}

function isRendered(element: object): element is Rendered {
  return "toStringToBuffer" in element;
}

/** Between words that only the style sheet keeps apart: text browsers have none. */
const SEAM = /<\/(?:a|b|button|label|span|strong)>(?=<[a-z])/gu;

/** The markup of an element. Throws for one that waits for something: pages get what they show ready made. */
export function toMarkup(element: object): string {
  if (!isRendered(element)) throw new TypeError("The value is not an element");
  const buffer: Buffer = [""];
  element.toStringToBuffer(buffer);
  if (buffer.length !== 1) throw new TypeError("An element of the page is asynchronous");
  return buffer[0];
}

/** The document of an element; throws as {@link toMarkup} does. */
export function toDocument(element: object): string {
  return `<!doctype html>${toMarkup(element).replaceAll(SEAM, "$& ")}`;
}

/** The head of a page, as text: hono has contexts and a second pass for its elements. */
export function toHead({
  title,
  styles,
  icon,
  script,
  more = "",
}: {
  readonly title: string;
  readonly styles: readonly string[];
  readonly icon?: string;
  /** Runs once the page is there. */
  readonly script?: string | undefined;
  /** Further elements, as text. */
  readonly more?: string | undefined;
}): ReturnType<typeof raw> {
  const link = (rel: string, path: string): string => `<link rel="${rel}" href="${escapeHtml(path)}"/>`;
  const links = [
    ...(icon === undefined ? [] : [link("icon", icon)]),
    ...styles.map((path) => link("stylesheet", path)),
  ];
  const module = script === undefined ? "" : `<script type="module" src="${escapeHtml(script)}"></script>`;
  return raw(
    `<head><meta charset="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1"/><title>${escapeHtml(title)}</title>${more}${links.join("")}${module}</head>`,
  );
}
