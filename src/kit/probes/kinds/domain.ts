/** Whether a domain stays registered: by RDAP, which only the monitor itself speaks. */
import { isIP } from "node:net";
import { z } from "zod";
import { findUrlFault } from "../../outbound/outbound.ts";
import { line, trimmedLine } from "../../text/schemas.ts";
import { type ProbeForm, type ProbeKind, noSecrets } from "../probe.ts";

function isDomain(text: string): boolean {
  if (!/^[\p{L}\p{M}\p{N}_.-]+$/u.test(text) || !URL.canParse(`http://${text}/`)) return false;
  const { hostname } = new URL(`http://${text}/`);
  return hostname.replace(/\.$/u, "").includes(".") && isIP(hostname) === 0;
}

const settings = () => ({
  /** Below which the registrable domain is checked: "www.example.co.uk" checks "example.co.uk". */
  domain: trimmedLine(253).refine(isDomain, "must be a domain such as example.org"),
  /** Days before the end from which on the check fails; 0: once it has expired, and an alert rule warns before. */
  days: z.number().int().min(0).max(365).default(0),
  /** URL of the registry's RDAP server, where IANA lists none; empty: the one that IANA lists. */
  server: line(300)
    .refine(
      (url) => url === "" || findUrlFault(url) === undefined,
      "must be a URL such as https://rdap.example.org/",
    )
    .default(""),
});

export const domain: ProbeKind<ReturnType<typeof settings>, ReturnType<typeof noSecrets>> = {
  settings,
  secrets: noSecrets,
  describe: ({ domain: name }) => `domain ${name}`,
  address: ({ domain: name }) => name,
  // Most runs send no query, so that the result says nothing of the network.
  host: () => undefined,
  isCentral: true,
  probe: async (target, context) =>
    (await context.probeDomain?.(target, context)) ?? {
      fault: "unsupported",
      detail: "Only the monitor itself checks domains",
    },
};

export const domainForm: ProbeForm<ReturnType<typeof settings>> = {
  icon: "calendar",
  name: "{domain}",
  intervalSeconds: 21_600,
  fields: {
    domain: { placeholder: "example.org" },
    days: { folded: true },
    server: { placeholder: "https://rdap.example.org/", folded: true },
  },
};
