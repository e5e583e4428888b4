/** The cookie by which a device is known that signed in before. It opens nothing: it only keeps strangers' guesses from locking it out. */
import type { Context } from "hono";
import { setCookie } from "hono/cookie";
import { parse } from "hono/utils/cookie";
import type { AuthDeps } from "../deps.ts";
import { DEVICE_SECONDS, newDeviceToken } from "../sessions/devices.ts";

const COOKIE = "trivet_device";
const HEADER = "x-device-token";

/** What the request shows: the cookie, or the header of a program without cookies. */
export function readDevice(header: (name: string) => string | undefined): string | undefined {
  const cookies = parse(header("cookie") ?? "");
  return header(HEADER) ?? cookies[`__Host-${COOKIE}`] ?? cookies[COOKIE];
}

export interface DeviceDeps extends Pick<AuthDeps, "box" | "expiry"> {
  /** Where people reach the service; undefined: as the request says. */
  readonly publicUrl: string | undefined;
}

/** Lets the device be known at the account's next sign-in; `Secure`, and named "__Host-…", where people come by https. */
export function rememberDevice(c: Context, deps: DeviceDeps, userId: string): void {
  const token = newDeviceToken(deps.box, { userId, nowMs: deps.expiry.now() });
  const isHttps = (deps.publicUrl ?? c.req.url).startsWith("https:");
  c.header(HEADER, token);
  setCookie(c, COOKIE, token, {
    httpOnly: true,
    sameSite: "Lax",
    // The prefix "__Host-" asks for the whole site.
    ...(isHttps ? { prefix: "host", path: "/", secure: true } : { path: "/api/auth" }),
    maxAge: DEVICE_SECONDS,
  });
}
