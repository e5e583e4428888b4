/** Where someone who finds a weakness reports it: /.well-known/security.txt (RFC 9116), where the administrator named a contact. */
import type { Env, Hono } from "hono";
import type { Clock } from "../time/clock.ts";

export const SECURITY_TXT_PATH = "/.well-known/security.txt";
const DAY_MS = 86_400_000;
/** RFC 9116 section 2.5.5: less than a year. */
const VALID_DAYS = 180;

export interface SecurityTxtOptions {
  readonly clock: Pick<Clock, "now">;
  /** URIs such as mailto:security@example.org, the preferred one first. */
  readonly contacts: readonly string[];
  readonly readPublicUrl: () => string | undefined;
}

/** The text; it expires on the same day for all who ask on one day. */
function toText({ clock, contacts, readPublicUrl }: SecurityTxtOptions): string {
  const day = Math.floor(clock.now() / DAY_MS) + VALID_DAYS;
  // RFC 9116 section 2.5.2: web addresses begin with https.
  const publicUrl = readPublicUrl();
  const canonical =
    publicUrl?.startsWith("https:") === true
      ? [`Canonical: ${new URL(SECURITY_TXT_PATH, publicUrl).href}`]
      : [];
  const fields = [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${new Date(day * DAY_MS).toISOString().replace(".000", "")}`,
    ...canonical,
  ];
  return `${fields.join("\n")}\n`;
}

/** Adds the route where there is a contact. */
export function addSecurityTxt<E extends Env>(app: Hono<E>, options: SecurityTxtOptions): void {
  if (options.contacts.length === 0) return;
  app.get(SECURITY_TXT_PATH, (c) =>
    c.body(toText(options), 200, {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "public, max-age=86400",
    }),
  );
}
