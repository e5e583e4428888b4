/** How a logo is sent. */
import type { Context } from "hono";
import type { Logo } from "./logo.ts";

/** Scripts in a picture never run, even if the picture is opened directly. */
const PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

export function sendLogo(c: Context, { bytes, contentType }: Logo, cacheControl: string): Response {
  return c.body(bytes, 200, {
    "content-type": contentType === "image/svg+xml" ? `${contentType}; charset=utf-8` : contentType,
    "cache-control": cacheControl,
    "content-security-policy": PICTURE_POLICY,
  });
}
