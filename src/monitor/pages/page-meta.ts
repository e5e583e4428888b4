/** Metadata in the head of a status page for search engines and link previews. */
import { escapeHtml } from "../../kit/text/html.ts";
import { languages } from "../../kit/text/languages.ts";
import type { Shown } from "./shown/shown.ts";
import type { StatusPageRecord } from "../status/schema.ts";

/** Whether search engines are kept away from a page. */
export function isKeptAway({ noIndex, access, published }: StatusPageRecord): boolean {
  return noIndex || access === "members" || !published;
}

/** The elements; all texts escaped. */
export function toMetaTags(
  record: StatusPageRecord,
  given: {
    readonly title: string;
    readonly description: string;
    readonly language: string;
    /** The page's canonical URL, without a language; undefined if the public URL is unknown. */
    readonly address: string | undefined;
    /** Whether the address names the language. */
    readonly isFixed: boolean;
  },
): string {
  const { title, description, language, address, isFixed } = given;
  if (isKeptAway(record)) return `<meta name="robots" content="noindex"/>`;
  const property = (name: string, value: string): string =>
    `<meta property="og:${name}" content="${escapeHtml(value)}"/>`;
  return [
    `<meta name="description" content="${escapeHtml(description)}"/>`,
    property("title", title),
    property("site_name", record.title),
    property("description", description),
    property("type", "website"),
    property("locale", language),
    `<meta name="twitter:card" content="summary"/>`,
    ...(address === undefined ? [] : listAddresses(address, isFixed ? language : undefined)),
  ].join("");
}

/** The one address, and that of each language. */
function listAddresses(address: string, fixed: string | undefined): string[] {
  const withLanguage = (tag: string): string => `${address}?lang=${tag}`;
  const alternate = (tag: string, href: string): string =>
    `<link rel="alternate" hreflang="${tag}" href="${escapeHtml(href)}"/>`;
  const own = fixed === undefined ? address : withLanguage(fixed);
  return [
    `<link rel="canonical" href="${escapeHtml(own)}"/>`,
    `<meta property="og:url" content="${escapeHtml(own)}"/>`,
    ...languages.map((tag) => alternate(tag, withLanguage(tag))),
    alternate("x-default", address),
  ];
}

/** Where programs find the page's feeds. */
export function toFeedLinks({ base, page, t }: Pick<Shown, "base" | "page" | "t">): string {
  const link = (type: string, path: string, title: string): string =>
    `<link rel="alternate" type="${type}" title="${escapeHtml(title)}" href="${escapeHtml(base + path)}"/>`;
  return [
    link("application/atom+xml", "/feed.atom", page.record.title),
    link("text/calendar", "/maintenance.ics", t("follow.calendar")),
  ].join("");
}
