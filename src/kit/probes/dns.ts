/** Names that a resolver must answer for. */
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { line, trimmedLine } from "../text/schemas.ts";

const DNS_PORT = 53;

/** "192.0.2.53", "192.0.2.53:5353", "2001:db8::53" or "[2001:db8::53]:5353" taken apart; undefined for all else. */
export function parseResolver(text: string): { address: string; port: number } | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([0-9.]+))(?::(\d{1,5}))?$/u.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  const port = digits === undefined ? DNS_PORT : Number(digits);
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  if (!isAddress || address.includes("%") || port < 1 || port > 65_535) return undefined;
  return { address, port };
}

export const dnsParameters = () => ({
  name: trimmedLine(253).regex(
    /^[A-Za-z0-9_*](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?\.?$/u,
    "must be a name such as example.org",
  ),
  record: z.enum(["A", "AAAA", "CNAME", "MX", "NS", "PTR", "SOA", "SRV", "TXT", "CAA"]).default("A"),
  /** Address of the resolver, with a port or without; empty: that of the system. */
  resolver: line(60)
    .trim()
    .refine(
      (text) => text === "" || parseResolver(text) !== undefined,
      "must be an IP address, such as 192.0.2.53:53",
    )
    .default(""),
  /** What must be among the answers, one of them each; none: any answer will do. */
  expected: z.array(trimmedLine(500)).max(20).default([]),
});
