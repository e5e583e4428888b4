/** Whether a resolver answers for a name, and with what it should. */
import type { CaaRecord } from "node:dns";
import { Resolver } from "node:dns/promises";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { findAddressFault } from "../../outbound/allowed-networks.ts";
import { line, trimmedLine } from "../../text/schemas.ts";
import { codeOf } from "../../thrown.ts";
import { type ProbeFault, type ProbeForm, type ProbeKind, noSecrets } from "../probe.ts";
import { ProbeFailure, runTry, type Try } from "../try.ts";

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

const settings = () => ({
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
  /** Values that the answers must include; empty: any answer is accepted. */
  expected: z.array(trimmedLine(500)).max(20).default([]),
});

type DnsRecordType = z.infer<ReturnType<typeof settings>["record"]>;

/** Records of one answer that are looked at; the rest of it is left unread. */
const MAX_RECORDS = 200;

interface Question {
  readonly name: string;
  readonly record: DnsRecordType;
}

function caaText({ critical, ...properties }: CaaRecord): string[] {
  return Object.entries(properties)
    .filter(([tag, value]) => tag !== "type" && typeof value === "string")
    .map(([tag, value]) => `${critical} ${tag} "${String(value)}"`);
}

type Reader = (resolver: Resolver, name: string) => Promise<readonly string[]>;

const readers: Readonly<Record<DnsRecordType, Reader>> = {
  A: (resolver, name) => resolver.resolve4(name),
  AAAA: (resolver, name) => resolver.resolve6(name),
  CNAME: (resolver, name) => resolver.resolveCname(name),
  NS: (resolver, name) => resolver.resolveNs(name),
  PTR: (resolver, name) => resolver.resolvePtr(name),
  MX: async (resolver, name) =>
    (await resolver.resolveMx(name)).map(({ priority, exchange }) => `${priority} ${exchange}`),
  SRV: async (resolver, name) =>
    (await resolver.resolveSrv(name)).map(
      (found) => `${found.priority} ${found.weight} ${found.port} ${found.name}`,
    ),
  SOA: async (resolver, name) => {
    const { nsname, hostmaster, serial } = await resolver.resolveSoa(name);
    return [`${nsname} ${hostmaster} ${serial}`];
  },
  TXT: async (resolver, name) => (await resolver.resolveTxt(name)).map((parts) => parts.join("")),
  CAA: async (resolver, name) => (await resolver.resolveCaa(name)).flatMap(caaText),
};

/** Records of the name. @throws the resolver's error */
async function readRecords(resolver: Resolver, { name, record }: Question): Promise<readonly string[]> {
  const found = await readers[record](resolver, name);
  return found.slice(0, MAX_RECORDS);
}

const withoutDot = (name: string): string => name.toLowerCase().replace(/\.$/u, "");

/** "10 mail.example.org." is also "mail.example.org": the name alone will do as well. */
function toNames(record: DnsRecordType, text: string): readonly string[] {
  const whole = withoutDot(text.trim().replaceAll(/\s+/gu, " "));
  const parts = whole.split(" ");
  const name = record === "SOA" ? parts[0] : parts.at(-1);
  return name === undefined || name === whole ? [whole] : [whole, withoutDot(name)];
}

/** Forms in which a record counts as the same one. */
function toCanonical(record: DnsRecordType, text: string): readonly string[] {
  const trimmed = text.trim();
  if (record === "TXT") return [text];
  if (record === "A") return [trimmed];
  if (record === "AAAA")
    return [ipaddr.IPv6.isValid(trimmed) ? ipaddr.IPv6.parse(trimmed).toString() : trimmed];
  return record === "CAA" ? [trimmed.toLowerCase().replaceAll('"', "")] : toNames(record, text);
}

/** How often a lost packet may be resent within an attempt. */
const TRIES = 3;

const faultsOfCodes: Readonly<Record<string, readonly [ProbeFault, string]>> = {
  ENOTFOUND: ["dns", "The name does not exist"],
  ENODATA: ["dns", "The name has no record of this type"],
  EREFUSED: ["dns", "The resolver refused the query"],
  ESERVFAIL: ["dns", "The resolver failed (SERVFAIL)"],
  ENOTIMP: ["dns", "The resolver does not support this record type"],
  EFORMERR: ["protocol", "The resolver rejected the query as malformed"],
  EBADRESP: ["protocol", "The response of the resolver is malformed"],
  EBADNAME: ["dns", "The name is not valid for a DNS query"],
  ECONNREFUSED: ["refused", "No resolver runs at this IP address"],
  ETIMEOUT: ["timeout", "The resolver did not respond in time"],
};

function createResolver(run: Try, resolver: string): Resolver {
  const { timeoutMs, rules } = run.context;
  const made = new Resolver({ timeout: Math.max(250, Math.ceil(timeoutMs / TRIES)), tries: TRIES });
  if (resolver === "") return made;
  const server = parseResolver(resolver);
  if (server === undefined) throw new ProbeFailure("dns", "The resolver is not an IP address");
  const { address, port } = server;
  const fault = findAddressFault(address, { ...rules, addresses: [address] });
  if (fault !== undefined) throw new ProbeFailure("forbidden", fault);
  made.setServers([address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`]);
  return made;
}

async function ask(
  run: Try,
  question: { name: string; record: DnsRecordType; resolver: string },
): Promise<readonly string[]> {
  const resolver = createResolver(run, question.resolver);
  const cancel = (): void => resolver.cancel();
  run.signal.addEventListener("abort", cancel, { once: true });
  run.begin("dns");
  try {
    return await run.race(readRecords(resolver, question));
  } catch (error) {
    if (run.signal.aborted || error instanceof ProbeFailure) throw error;
    const known = faultsOfCodes[codeOf(error) ?? ""];
    if (known === undefined) throw error;
    throw new ProbeFailure(...known);
  } finally {
    run.finish("dns");
    run.signal.removeEventListener("abort", cancel);
  }
}

const MAX_SHOWN = 3;

function show(records: readonly string[]): string {
  const rest = records.length - MAX_SHOWN;
  return `${records.slice(0, MAX_SHOWN).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

export const dns: ProbeKind<ReturnType<typeof settings>, ReturnType<typeof noSecrets>> = {
  settings,
  secrets: noSecrets,
  address: ({ name, record }) => `${name} ${record}`,
  // The name is the subject of the query; the host is the resolver.
  host: () => undefined,
  describe: ({ name, record, resolver }) => `${record} ${name}${resolver === "" ? "" : ` at ${resolver}`}`,
  probe: ({ name, record, resolver, expected }, context) =>
    runTry(context, async (run) => {
      const records = await ask(run, { name, record, resolver });
      const latencyMs = run.elapsedMs();
      if (records.length === 0) return { fault: "dns", latencyMs, detail: "The response has no records" };
      const found = new Set(records.flatMap((text) => toCanonical(record, text)));
      const missing = expected.find((text) => !toCanonical(record, text).some((form) => found.has(form)));
      if (missing === undefined) return { latencyMs, detail: show(records) };
      return { fault: "dns", latencyMs, detail: `"${missing}" is not among ${show(records)}` };
    }),
};

export const dnsForm: ProbeForm<ReturnType<typeof settings>> = {
  icon: "signpost",
  name: "{name}",
  fields: {
    name: { placeholder: "example.org" },
    record: {},
    expected: {},
    resolver: { placeholder: "1.1.1.1", folded: true },
  },
};
