/** The cookie by which a device is known that signed in before. It opens nothing: it only keeps strangers' guesses from locking it out. */
import type { Context } from "hono";
import { setCookie } from "hono/cookie";
import { parse } from "hono/utils/cookie";
import type { Auth } from "../auth.ts";
import { DEVICE_SECONDS, newDeviceToken } from "../devices.ts";

const COOKIE = "trivet_device";
const HEADER = "x-device-token";

/** What the request shows: the cookie, or the header of a program without cookies. */
export function readDevice(header: (name: string) => string | undefined): string | undefined {
  return header(HEADER) ?? parse(header("cookie") ?? "", COOKIE)[COOKIE];
}

/** Lets the device be known at the account's next sign-in; `Secure` where people come by https. */
export function rememberDevice(c: Context, auth: Auth, userId: string): void {
  const token = newDeviceToken(auth.box, { userId, nowMs: auth.expiry.now() });
  c.header(HEADER, token);
  setCookie(c, COOKIE, token, {
    httpOnly: true,
    sameSite: "Lax",
    path: "/api/auth",
    secure: (auth.publicUrl ?? c.req.url).startsWith("https:"),
    maxAge: DEVICE_SECONDS,
  });
}
