/** Crawls the pages of a site for paths that lack its base path. */
import assert from "node:assert/strict";
import { createVisitor } from "./page-visitor.ts";

/** Style sheets whose path a script completes with the prefix. */
const COMPLETED = '<meta name="later-styles"';
/** What forms send back, texts that look like a path, and what scripts match against other pages. */
const OWN_PATHS = new Set(["value", "data-next", "data-live"]);

const decode = (text: string): string => text.replaceAll("&amp;", "&").replaceAll("&quot;", '"');

/** Each attribute of a page as `[tag, name, value]`. */
function* listAttributes(html: string): Generator<[tag: string, name: string, value: string]> {
  for (const [tag] of html.matchAll(/<[a-z][^<>]*>/giu))
    for (const [, name = "", value = ""] of tag.matchAll(/ ([a-z-]+)="([^"]*)"/giu))
      yield [tag, name, decode(value)];
}

/** The paths of this site in an attribute: one, several with sizes, or one that a page leads on to. */
function listPaths(name: string, value: string): string[] {
  if (OWN_PATHS.has(name)) return [];
  const parts = name === "srcset" ? value.split(/,\s*/u) : [value.replace(/^\d+; url=/u, "")];
  return parts.filter((part) => /^\/(?!\/)/u.test(part));
}

/** What in a page leads out of `base`. */
export function findStrays(html: string, base: string): string[] {
  const strays: string[] = [];
  for (const [tag, name, value] of listAttributes(html))
    for (const path of listPaths(name, value))
      if (!tag.startsWith(COMPLETED) && path !== base && !path.startsWith(`${base}/`))
        strays.push(`${name}="${path}" in ${tag.slice(0, 200)}`);
  return strays;
}

export interface CrawlOptions {
  /** Where the service is, with its prefix. */
  readonly url: string;
  /** Paths below the prefix to begin with. */
  readonly seeds: readonly string[];
  readonly visitor?: ReturnType<typeof createVisitor>;
  /** Where another service is that links may lead to. */
  readonly other?: string;
}

export interface Crawled {
  /** Paths, with their prefix, of the pages that were read. */
  readonly paths: readonly string[];
  /** Everything that was read, as one text. */
  readonly text: string;
}

/** Two pages of one kind are enough: `/orders/1` and `/orders/2` are one shape, and so are queries. */
function toShape(path: string): string {
  return path.replace(/\?.*$/u, "?").replaceAll(/\/(?=[^/]*\d)[^/]+/gu, "/{id}");
}

/** Follows every link below the prefix. Fails for a path without it, for a redirect out of it, and for a page that is not found. */
export async function crawl({
  url,
  seeds,
  other,
  visitor = createVisitor(),
}: CrawlOptions): Promise<Crawled> {
  const { pathname: base } = new URL(url);
  const waiting = seeds.map((seed) => base + seed);
  const shapes = new Map<string, number>();
  const paths: string[] = [];
  let text = "";
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const shape = toShape(path);
    if ((shapes.get(shape) ?? 0) >= 2 || paths.includes(path)) continue;
    shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
    paths.push(path);
    const page = await visitor.open(new URL(path, url).href);
    if (other !== undefined && page.url.href.startsWith(`${other}/`)) continue;
    assert.ok(page.url.pathname.startsWith(base), `${path} leads to ${page.url.pathname}`);
    assert.ok((page.status ?? 500) < 500, `${path} answers ${page.status}: ${page.body.slice(0, 300)}`);
    if (!page.body.startsWith("<!doctype html>")) continue;
    assert.deepEqual(findStrays(page.body, base), [], path);
    text += page.body;
    for (const [tag, name, value] of listAttributes(page.body)) {
      const isLink = name === "href" && tag.startsWith("<a ") && value.startsWith(`${base}/`);
      if (isLink && !/\/admin(?:\/|$)/u.test(value)) waiting.push(value.replace(/#.*$/u, ""));
    }
  }
  return { paths, text };
}
