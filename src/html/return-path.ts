/** Where a person goes on after a form: a path of this site, and nothing else. */
import type { Context } from "hono";
import type { AppEnv } from "../kit/http/app.ts";
import { stripBase } from "../kit/text/base-path.ts";
import { withQuery } from "../kit/text/with-query.ts";

/** Fits into a cookie with the rest of a sign-in's step, encrypted. */
export const MAX_LENGTH = 2_400;
const BASE = "http://site.invalid";

/** The path with its query when `text` names one of this site; undefined for anything that a browser might read as another site. */
export function findReturnPath(text: string | undefined): string | undefined {
  if (text === undefined || text.length > MAX_LENGTH) return undefined;
  // Browsers read "\" as "/" and leave out tabs and line feeds: "/\t/evil.example" is another host.
  if (!/^\/(?![/\\])[^\\\u0000-\u0020\u007f]*$/u.test(text) || !URL.canParse(text, BASE)) return undefined;
  const { origin, pathname, search } = new URL(text, BASE);
  // "/.//evil.example" loses its dot on the way.
  if (origin !== BASE || pathname.startsWith("//")) return undefined;
  return pathname + search;
}

/** The path of a page with its query, as this service's own: where a form or a sign-in comes back to. */
export function toPagePath(c: Context<AppEnv>): string {
  const { pathname, search } = new URL(c.req.url);
  return stripBase(pathname, c.get("basePath") ?? "") + search;
}

/** A path with the place to go on to, if there is one. */
export function withReturn(path: string, returnPath: string | undefined): string {
  return returnPath === undefined ? path : withQuery(path, { rd: returnPath });
}
