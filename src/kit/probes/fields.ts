/** Fields that several kinds of targets have. */
import { z } from "zod";
import { trimmedLine } from "../text/schemas.ts";

/** A name or an address, without a port; brackets around an IPv6 address are left out. */
export const hostSchema = trimmedLine(253).regex(
  /^(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?\.?|[0-9A-Fa-f:.]+)$/u,
  "must be a host name or an IP address, such as db.example.org",
);

export const portSchema = z.number().int().min(1).max(65_535);

/** How many days before its end a certificate counts as a fault; 0: only when it is over. */
export const certificateDaysSchema = z.number().int().min(0).max(365);

/** "db.example.org:5432"; brackets around IPv6. */
export function describePlace({ host, port }: { readonly host: string; readonly port: number }): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
