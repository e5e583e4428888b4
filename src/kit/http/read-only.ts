/** What a public demo lets visitors send: signing in and out, and nothing that others would see. */
import { AppError } from "../errors.ts";

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/** Paths that stay open; everything below one counts with it. */
const open = [
  "/sign-in",
  "/sign-out",
  "/language",
  "/theme",
  "/backchannel-logout",
  // Consoles and the services themselves.
  "/api/access/session",
  "/api/console/session",
  "/api/admin/auth",
  "/api/auth/login",
  "/api/auth/logout",
  "/api/auth/refresh",
  "/api/auth/introspect",
  "/oauth/token",
  "/oauth/introspect",
  "/oauth/revoke",
  "/oauth/authorize",
  // A cart is the visitor's own, and prices are only computed.
  "/cart",
  "/api/checkout/preview",
];

/** @throws AppError `forbidden` for a request that changes something */
export function refuseChange(method: string, path: string): void {
  if (SAFE.has(method) || open.some((known) => path === known || path.startsWith(`${known}/`))) return;
  throw new AppError("forbidden", "This is a read-only demo: your change was not saved");
}
