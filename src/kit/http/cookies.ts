/** Cookies of this host alone, out of the reach of scripts. */
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";

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
  const toPrefix = (c: Context): { prefix?: "host"; secure?: true } =>
    (publicUrl ?? c.req.url).startsWith("https:") ? { prefix: "host", secure: true } : {};
  return {
    read: (c) => getCookie(c, name, toPrefix(c).prefix),
    write: (c, value, maxAge) =>
      setCookie(c, name, value, { ...toPrefix(c), path: "/", httpOnly: true, sameSite, maxAge }),
    clear: (c) => {
      deleteCookie(c, name, { ...toPrefix(c), path: "/" });
    },
  };
}
