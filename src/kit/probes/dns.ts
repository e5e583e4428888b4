/** Names that a resolver must answer for. */
import { z } from "zod";
import { line, trimmedLine } from "../text/schemas.ts";

export const dnsParameters = () => ({
  name: trimmedLine(253).regex(
    /^[A-Za-z0-9_*](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?\.?$/u,
    "must be a name such as example.org",
  ),
  record: z.enum(["A", "AAAA", "CNAME", "MX", "NS", "PTR", "SOA", "SRV", "TXT", "CAA"]).default("A"),
  /** Address of the resolver, with a port or without; empty: that of the system. */
  resolver: line(60).trim().default(""),
  /** What must be among the answers, one of them each; none: any answer will do. */
  expected: z.array(trimmedLine(500)).max(20).default([]),
});
