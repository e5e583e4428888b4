/** Metadata in the head of a page for search engines and link previews. */
import { escapeHtml } from "../../kit/text/html.ts";
import { type Language, findLanguage, languages } from "../../kit/text/languages.ts";
import type { Shown } from "./shown.ts";

export interface PageMeta {
  readonly description?: string | undefined;
  /** Below the shop's own address. */
  readonly image?: { readonly path: string; readonly width: number; readonly height: number } | undefined;
  /** The page's one address: without what only sorts or narrows it down. */
  readonly path: string;
  readonly type?: "website" | "product";
  /** schema.org. */
  readonly data?: readonly object[];
  /** Another page's view, such as a further page of a list: links are followed, it is not listed. */
  readonly isPartial?: boolean;
}

type Described = Pick<Shown, "language" | "site"> & {
  readonly c: { readonly req: { query(name: string): string | undefined } };
  readonly title: string;
  readonly publicUrl: string;
};

const MAX_DESCRIPTION = 300;

/** JSON for a script element: it cannot end the element. */
export function toScriptJson(data: object): string {
  return JSON.stringify(data)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

/** The languages of the shop that its pages have words in. */
export function listPageLanguages({ site }: Pick<Shown, "site">): Language[] {
  const spoken = new Set(site.languages.map((tag) => findLanguage(tag)));
  return languages.filter((language) => spoken.has(language));
}

/** Text of one line, as long as others show it. */
export function shorten(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ").trim();
  return line.length <= MAX_DESCRIPTION ? line : `${line.slice(0, MAX_DESCRIPTION - 1).trimEnd()}…`;
}

function withLanguage(address: string, language: string): string {
  return `${address}${address.includes("?") ? "&" : "?"}lang=${language}`;
}

/** The elements; pages without `meta` ask robots to ignore them. */
export function toMetaTags(
  meta: PageMeta | undefined,
  { language, site, title, publicUrl, c }: Described,
): string {
  if (meta === undefined) return `<meta name="robots" content="noindex"/>`;
  const { description = "", image, path, type = "website", data = [], isPartial = false } = meta;
  const address = publicUrl + path;
  const fixed = findLanguage(c.req.query("lang"));
  const own = fixed === undefined ? address : withLanguage(address, fixed);
  const spoken = listPageLanguages({ site });
  const property = (name: string, value: string): string =>
    value === "" ? "" : `<meta property="${name}" content="${escapeHtml(value)}"/>`;
  const alternate = (tag: string, href: string): string =>
    `<link rel="alternate" hreflang="${tag}" href="${escapeHtml(href)}"/>`;
  return [
    ...(isPartial
      ? [`<meta name="robots" content="noindex, follow"/>`]
      : [`<link rel="canonical" href="${escapeHtml(own)}"/>`]),
    ...(spoken.length > 1 && !isPartial
      ? [...spoken.map((tag) => alternate(tag, withLanguage(address, tag))), alternate("x-default", address)]
      : []),
    ...(description === ""
      ? []
      : [`<meta name="description" content="${escapeHtml(shorten(description))}"/>`]),
    property("og:title", title),
    property("og:site_name", site.name),
    property("og:type", type),
    property("og:locale", language),
    property("og:description", shorten(description)),
    ...(publicUrl === "" ? [] : [property("og:url", own)]),
    ...(image === undefined || publicUrl === ""
      ? []
      : [
          property("og:image", publicUrl + image.path),
          property("og:image:width", String(image.width)),
          property("og:image:height", String(image.height)),
        ]),
    `<meta name="twitter:card" content="${image === undefined ? "summary" : "summary_large_image"}"/>`,
    `<link rel="alternate" type="application/atom+xml" title="${escapeHtml(site.name)}" href="/feed.xml"/>`,
    ...data.map((each) => `<script type="application/ld+json">${toScriptJson(each)}</script>`),
  ].join("");
}
