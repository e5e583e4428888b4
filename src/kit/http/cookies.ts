/** Cookies of this host alone, out of the reach of scripts. */
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";

const YEAR_SECONDS = 31_536_000;

function toPrefix(c: Context, publicUrl: string | undefined): { prefix?: "host"; secure?: true } {
  return (publicUrl ?? c.req.url).startsWith("https:") ? { prefix: "host", secure: true } : {};
}

const THEME = "theme";

/** The chosen theme; a cookie without the prefix is of an earlier version or a plain connection. */
export function readThemeCookie(c: Context): string | undefined {
  return getCookie(c, THEME, "host") ?? getCookie(c, THEME);
}

/** Keeps a theme, which scripts may read and change. */
export function writeThemeCookie(c: Context, theme: string, publicUrl: string | undefined): void {
  const prefix = toPrefix(c, publicUrl);
  setCookie(c, THEME, theme, { ...prefix, path: "/", sameSite: "Lax", maxAge: YEAR_SECONDS });
}

export interface HostCookie {
  read(c: Context): string | undefined;
  write(c: Context, value: string, maxAgeSeconds: number): void;
  clear(c: Context): void;
}

/**
 * Creates a cookie, `Secure` and named "__Host-…" where people come by https: then no other host and no plain
 * connection can set it. Without `publicUrl` that is as the request says. "Lax" comes along when another site links
 * here, "Strict" does not; neither does with another site's forms.
 */
export function createHostCookie(
  name: string,
  publicUrl: string | undefined,
  sameSite: "Lax" | "Strict" = "Lax",
): HostCookie {
  return {
    read: (c) => getCookie(c, name, toPrefix(c, publicUrl).prefix),
    write: (c, value, maxAge) =>
      setCookie(c, name, value, { ...toPrefix(c, publicUrl), path: "/", httpOnly: true, sameSite, maxAge }),
    clear: (c) => {
      deleteCookie(c, name, { ...toPrefix(c, publicUrl), path: "/" });
    },
  };
}
