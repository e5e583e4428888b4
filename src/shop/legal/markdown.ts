/** Markdown as HTML for pages and mails: HTML in it is shown as text, and addresses that could run a script become none. */
import MarkdownIt from "markdown-it";

const markdown = new MarkdownIt("commonmark", { html: false, linkify: false }).enable("table");
// Pictures would tell another host who reads.
markdown.disable("image");

const MAX_KEPT = 200;
const kept = new Map<string, string>();

/** HTML of a text in Markdown, without scripts, styles and pictures; the same text is made once. */
export function renderMarkdown(text: string): string {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const html = markdown.render(text);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(text, html);
  return html;
}
