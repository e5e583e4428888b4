/** A page of the documentation: header with search, navigation, contents, and the pages before and after. */
import { posix } from "node:path";
import type { Token } from "markdown-it";
import { escapeHtml } from "../../src/kit/text/html.ts";
import { readAttribute, textOf } from "./markdown.ts";
import { type Entry, type Group, HOME, type Page, toPagePath } from "./pages.ts";

export interface Site {
  readonly version: string;
  readonly groups: readonly Group[];
  /** Names of the files at the root of the site. */
  readonly style: string;
  readonly script: string;
  readonly icon: string;
}

/** The address of a file of the site, seen from a page: relative, so that the site works below any path. */
export function toRelative(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to);
}

function toNavigation(page: Page, { groups }: Site): string {
  const toItem = ({ label, source }: Entry): string => {
    const current = source === page.source ? ' aria-current="page"' : "";
    return `<li><a href="${toRelative(page.path, toPagePath(source))}"${current}>${escapeHtml(label)}</a></li>`;
  };
  const parts = groups.map(({ title, level, entries }) => {
    const list = entries.length === 0 ? "" : `<ul>${entries.map(toItem).join("")}</ul>`;
    return `<h${level}>${escapeHtml(title)}</h${level}>${list}`;
  });
  return `<nav id="menu" class="menu" aria-label="Documentation">${parts.join("")}</nav>`;
}

/** The headings of a long page. */
function toContents(tokens: readonly Token[]): string {
  const headings = tokens.flatMap((token, at) =>
    token.type === "heading_open" && token.tag === "h2"
      ? [{ id: readAttribute(token, "id"), text: textOf(tokens[at + 1]?.children ?? []) }]
      : [],
  );
  if (headings.length < 3) return "";
  const items = headings.map(
    ({ id, text }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="contents" aria-labelledby="contents"><h2 id="contents">On this page</h2><ul>${items.join("")}</ul></nav>`;
}

/** The pages before and after this one, in the order of the navigation. */
function toNeighbours(page: Page, { groups }: Site): string {
  const all = groups.flatMap(({ entries }) => entries);
  const at = all.findIndex(({ source }) => source === page.source);
  const toLink = (entry: Entry | undefined, rel: "prev" | "next", word: string): string =>
    entry === undefined
      ? "<span></span>"
      : `<a rel="${rel}" href="${toRelative(page.path, toPagePath(entry.source))}"><span>${word}</span>${escapeHtml(entry.label)}</a>`;
  if (at === -1 && page.source !== HOME) return "";
  return `<nav class="neighbours" aria-label="Previous and next page">${toLink(all[at - 1], "prev", "Previous")}${toLink(all[at + 1], "next", "Next")}</nav>`;
}

/** The words between the page's name and its first heading, for search engines and link previews. */
function toDescription(tokens: readonly Token[]): string {
  const at = tokens.findIndex(({ type }) => type === "paragraph_open");
  return textOf(tokens[at + 1]?.children ?? []).slice(0, 200);
}

/** Complete HTML of a page whose text is `body`. */
export function toDocument(page: Page, body: string, site: Site): string {
  const to = (path: string): string => toRelative(page.path, path);
  const contents = toContents(page.tokens);
  const name = page.source === HOME ? "Trivet documentation" : `${page.title} · Trivet documentation`;
  return `<!doctype html>
<html lang="en" data-theme="auto">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(name)}</title>
<meta name="description" content="${escapeHtml(toDescription(page.tokens))}">
<link rel="stylesheet" href="${to(site.style)}">
<link rel="icon" href="${to(site.icon)}">
<script src="${to(site.script)}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="brand" href="${to("index.html")}"><img src="${to(site.icon)}" alt="" width="28" height="28">Trivet <span>${escapeHtml(site.version)}</span></a>
<form class="search" role="search" hidden>
<input type="search" name="q" placeholder="Search" aria-label="Search the documentation" autocomplete="off" spellcheck="false">
<div class="found" hidden><p role="status"></p><ol></ol></div>
</form>
<a class="to-menu" href="#menu">All pages</a>
</header>
<div class="columns${contents === "" ? " short" : ""}">
<main id="content" tabindex="-1">
${body}${toNeighbours(page, site)}
</main>
${contents}
${toNavigation(page, site)}
</div>
</body>
</html>
`;
}
