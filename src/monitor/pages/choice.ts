/** The language and colors of a page for a visitor: by URL, by cookie, by the browser's preferences. */
import type { Context } from "hono";
import type { AppEnv } from "../../kit/http/app.ts";
import { createHostCookie, readThemeCookie, writeThemeCookie } from "../../kit/http/cookies.ts";
import { chooseLanguage } from "../../kit/text/accepted-languages.ts";
import { type Language, findLanguage } from "../../kit/text/languages.ts";
import type { ShownPage } from "../status/board.ts";
import { type Theme, themes } from "./frame.tsx";

const YEAR_SECONDS = 365 * 86_400;

export interface Choice {
  readonly language: Language;
  readonly theme: Theme;
  /** Whether the answer brings a cookie. */
  readonly isKept: boolean;
  /** The language that the address fixes. */
  readonly fixed: Language | undefined;
}

interface Site {
  readonly theme: Theme;
  readonly publicUrl: string | undefined;
}

function findTheme(text: string | undefined): Theme | undefined {
  return themes.find((theme) => theme === text);
}

/** "auto" follows the site. */
function findKeptTheme(c: Context<AppEnv>): Theme | undefined {
  const kept = findTheme(readThemeCookie(c));
  return kept === "auto" ? undefined : kept;
}

/** Reads choices, and remembers those that are made on the page itself. */
export function readChoice(c: Context<AppEnv>, page: ShownPage, site: Site): Choice {
  const { publicUrl } = site;
  const languageCookie = createHostCookie("trivet_language", publicUrl);
  const hasQuery = c.req.raw.url.includes("?");
  const fixed = hasQuery ? findLanguage(c.req.query("lang")) : undefined;
  const chosen = hasQuery ? findTheme(c.req.query("theme")) : undefined;
  // A link on another site chooses for one look; one on this page for good.
  const isKept = (fixed ?? chosen) !== undefined && c.req.header("sec-fetch-site") === "same-origin";
  if (isKept) {
    if (fixed !== undefined) languageCookie.write(c, fixed, YEAR_SECONDS);
    if (chosen !== undefined) writeThemeCookie(c, chosen, publicUrl);
  }
  const hasCookie = c.req.header("cookie") !== undefined;
  return {
    fixed,
    isKept,
    theme: chosen ?? (hasCookie ? findKeptTheme(c) : undefined) ?? site.theme,
    language: chooseLanguage({
      cookie: fixed ?? (hasCookie ? languageCookie.read(c) : undefined),
      account: undefined,
      header: c.req.header("accept-language"),
      site: page.record.language,
    }),
  };
}
