/** The cookies of the monitor: the session of who signed in, and the token of a viewer's link. */
import type { Context } from "hono";
import { AppError } from "../../kit/errors.ts";
import { type HostCookie, createHostCookie } from "../../kit/http/cookies.ts";
import { type OriginRules, isAllowedOrigin, ORIGIN_REMEDY } from "../../kit/outbound/origin.ts";

export const SESSION_COOKIE = "trivet_monitor_session";
export const VIEWER_COOKIE = "trivet_monitor_viewer";
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** How long a cookie lives, and by which address people come. */
export interface CookieOptions {
  readonly publicUrl: string | undefined;
  readonly maxAgeSeconds: number;
}

const sessionCookie = (publicUrl: string | undefined, sameSite?: "Lax" | "Strict"): HostCookie =>
  createHostCookie(SESSION_COOKIE, publicUrl, sameSite);
const viewerCookie = (publicUrl: string | undefined): HostCookie =>
  createHostCookie(VIEWER_COOKIE, publicUrl);

/** Sets the session cookie; "Lax" for users who come from the auth center, which redirects to a page that needs it. */
export function setSessionCookie(
  c: Context,
  token: string,
  { publicUrl, maxAgeSeconds, sameSite = "Strict" }: CookieOptions & { readonly sameSite?: "Lax" | "Strict" },
): void {
  sessionCookie(publicUrl, sameSite).write(c, token, maxAgeSeconds);
}

/** Sets the cookie of a viewer's link; it comes along when another site links here. */
export function setViewerCookie(
  c: Context,
  token: string,
  { publicUrl, maxAgeSeconds }: CookieOptions,
): void {
  viewerCookie(publicUrl).write(c, token, maxAgeSeconds);
}

/** The session that the cookie holds. */
export function readSessionCookie(c: Context, publicUrl: string | undefined): string | undefined {
  return sessionCookie(publicUrl).read(c);
}

/** The token of a viewer's link that the cookie holds. */
export function readViewerCookie(c: Context, publicUrl: string | undefined): string | undefined {
  return viewerCookie(publicUrl).read(c);
}

/** Clears the cookies of that name; all of them without a name. */
export function clearCookies(
  c: Context,
  publicUrl: string | undefined,
  names: readonly string[] = [SESSION_COOKIE, VIEWER_COOKIE],
): void {
  for (const name of names) createHostCookie(name, publicUrl).clear(c);
}

/** Refuses a change that another site's page makes with the reader's cookie. @throws AppError `origin_refused` */
export function checkCookieOrigin(c: Context, rules: OriginRules): void {
  const origin = c.req.header("origin");
  if (SAFE_METHODS.has(c.req.method)) return;
  if (origin !== undefined && isAllowedOrigin(origin, c.req.raw, rules)) return;
  throw new AppError(
    "origin_refused",
    `Changes with the session cookie require an Origin header of this site: ${ORIGIN_REMEDY}, or send the session as Bearer`,
  );
}
