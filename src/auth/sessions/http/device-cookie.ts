/** The cookie by which a device is known that signed in before. It opens nothing: it only keeps strangers' guesses from locking it out. */
import type { Context } from "hono";
import { parse } from "hono/utils/cookie";
import { createHostCookie } from "../../../kit/http/cookies.ts";
import type { AuthDeps } from "../../base/deps.ts";
import { DEVICE_SECONDS, newDeviceToken } from "../devices.ts";

const COOKIE = "trivet_device";
const HEADER = "x-device-token";

/** The device token: from the cookie, or from the header for programs without cookies. */
export function readDevice(header: (name: string) => string | undefined): string | undefined {
  const cookies = parse(header("cookie") ?? "");
  return header(HEADER) ?? cookies[`__Host-${COOKIE}`] ?? cookies[COOKIE];
}

export interface DeviceDeps extends Pick<AuthDeps, "box" | "expiry"> {
  /** Where people reach the service; undefined: as the request says. */
  readonly publicUrl: string | undefined;
}

/** Lets the device be known at the account's next sign-in, and a program that keeps no cookies too: that gets the token as a header. */
export function rememberDevice(c: Context, deps: DeviceDeps, userId: string): void {
  c.header(HEADER, rememberBrowser(c, deps, userId));
}

/** Lets the browser be known at the account's next sign-in; `Secure`, and named "__Host-…", where people come by https. */
export function rememberBrowser(c: Context, deps: DeviceDeps, userId: string): string {
  const token = newDeviceToken(deps.box, { userId, nowMs: deps.expiry.now() });
  createHostCookie(COOKIE, deps.publicUrl).write(c, token, DEVICE_SECONDS);
  return token;
}
