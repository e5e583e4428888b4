/** The cookies by which a browser is known: of a signed-in person, and of who came to the console with the token. */
import type { Context } from "hono";
import { AppError } from "../../kit/errors.ts";
import { type HostCookie, createHostCookie } from "../../kit/http/cookies.ts";
import { assertOwnForm } from "../../pages/form-origin.ts";

const SAFE_METHODS = new Set(["GET", "HEAD"]);

export interface BrowserCookies {
  /** The refresh token of the person's session, as the account center's pages set it. */
  readonly person: HostCookie;
  readonly console: HostCookie;
}

/** Makes them. */
export function createBrowserCookies(publicUrl: string | undefined): BrowserCookies {
  return {
    person: createHostCookie("trivet_session", publicUrl),
    console: createHostCookie("trivet_console", publicUrl, "Strict"),
  };
}

/** Throws `origin_refused` unless a page of this site sent the request, which a cookie alone does not say. */
export function assertOwnPage(c: Context, publicUrl: string | undefined): void {
  if (!SAFE_METHODS.has(c.req.method)) {
    assertOwnForm(c.req.raw, { publicUrl, hasToken: () => false });
    return;
  }
  const site = c.req.header("sec-fetch-site");
  if (site === undefined || site === "same-origin" || site === "none") return;
  throw new AppError("origin_refused", "Only pages of this site may ask with its cookie");
}
