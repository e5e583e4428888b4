/** Endpoints of Gatus: its configuration in YAML, with `endpoints` and `external-endpoints`. */
import { parseResolver } from "../../../kit/probes/kinds/dns.ts";
import {
  EntryDraft,
  type Fields,
  type ImportEntry,
  type ImportPlan,
  toFields,
  toList,
  toNumber,
  toText,
} from "./entry.ts";
import { toDomainEntries, type WantedDomain } from "./domain-entry.ts";
import { ConditionReader } from "./gatus-conditions.ts";
import { toMerged, toSeconds } from "./gatus-values.ts";
import { toHttpTarget, withoutUnfit } from "./http-fields.ts";

const DEFAULT_INTERVAL_SECONDS = 60;
/** Fields of an endpoint that are read below, or say nothing of what is looked at. */
const knownFields = new Set([
  "name",
  "group",
  "url",
  "method",
  "body",
  "headers",
  "interval",
  "conditions",
  "enabled",
  "client",
  "dns",
  "alerts",
  "graphql",
  "extra-labels",
  "ui",
  "store",
  "always-run",
  "token",
  "heartbeat",
]);

function secondsOf(value: unknown): number | undefined {
  return typeof value === "string" ? toSeconds(value.trim()) : undefined;
}

/** "host:port" of an address without its scheme. */
function splitPlace(address: string): { host: string; port: number | undefined } {
  const [, host = "", port] = /^[a-z+]+:\/\/(\[[^\]]+\]|[^:/?#]+)(?::(\d{1,5}))?/iu.exec(address) ?? [];
  return { host: host.replace(/^\[|\]$/gu, ""), port: port === undefined ? undefined : Number(port) };
}

function authOf(client: Fields): Fields {
  if (client["oauth2"] === undefined) return {};
  const oauth = toMerged(client["oauth2"]);
  return {
    auth: "oauth2",
    tokenUrl: toText(oauth["token-url"]),
    clientId: toText(oauth["client-id"]),
    clientSecret: toText(oauth["client-secret"]),
    scopes: toList(oauth["scopes"]).map(toText).join(" "),
  };
}

function proxyOf(draft: EntryDraft, client: Fields): Fields {
  const given = toText(client["proxy-url"]);
  if (given === "") return {};
  if (!URL.canParse(given)) {
    draft.note("no_proxy");
    return {};
  }
  const { protocol, host, username, password } = new URL(given);
  return {
    proxy: `${protocol}//${host}`,
    proxyUsername: decodeURIComponent(username),
    proxyPassword: decodeURIComponent(password),
  };
}

function httpTarget(draft: EntryDraft, endpoint: Fields): Record<string, unknown> {
  const client = toMerged(endpoint["client"]);
  const isGraphql = endpoint["graphql"] === true;
  const body = toText(endpoint["body"]);
  return withoutUnfit(draft, {
    ...authOf(client),
    ...proxyOf(draft, client),
    ...toHttpTarget(draft, {
      url: toText(endpoint["url"]),
      method: toText(endpoint["method"]),
      headers: {
        ...(isGraphql ? { "Content-Type": "application/json" } : {}),
        ...toFields(endpoint["headers"]),
      },
      body: isGraphql ? JSON.stringify({ query: body }) : body,
    }),
    maxRedirects: client["ignore-redirect"] === true ? 0 : 5,
    ignoresCertificate: client["insecure"] === true,
  });
}

function dnsTarget(draft: EntryDraft, endpoint: Fields): Record<string, unknown> {
  const dns = toMerged(endpoint["dns"]);
  const given = toText(endpoint["url"]).replace(/^[a-z]+:\/\//u, "");
  const isKnown = parseResolver(given) !== undefined;
  if (!isKnown) draft.note("no_resolver", given);
  return {
    kind: "dns",
    name: toText(dns["query-name"]),
    record: toText(dns["query-type"]).toUpperCase() || "A",
    resolver: isKnown ? given : "",
  };
}

/** The target of an endpoint, by its URL; undefined for unsupported ones. */
function toTarget(draft: EntryDraft, endpoint: Fields): Record<string, unknown> | undefined {
  if (endpoint["dns"] !== undefined) return dnsTarget(draft, endpoint);
  const { host, port } = splitPlace(toText(endpoint["url"]));
  switch (draft.type) {
    case "http":
    case "https":
      return httpTarget(draft, endpoint);
    case "tcp":
      return { kind: "tcp", host, port };
    case "tls":
      return {
        kind: "tls",
        host,
        port: port ?? 443,
        certificateDays: 0,
        ignoresChain: toMerged(endpoint["client"])["insecure"] === true,
      };
    case "icmp":
      draft.note("needs_ping");
      return { kind: "ping", way: "icmp", host };
    case "starttls":
      return {
        kind: "mail",
        host,
        port: port ?? 587,
        ignoresCertificate: toMerged(endpoint["client"])["insecure"] === true,
      };
    case "ws":
    case "wss":
      return {
        kind: "websocket",
        url: toText(endpoint["url"]),
        ignoresCertificate: toMerged(endpoint["client"])["insecure"] === true,
      };
    case "ssh":
      draft.note("connection_only", "the ssh protocol");
      return { kind: "tcp", host, port: port ?? 22 };
    default:
      return undefined;
  }
}

function noteClient(draft: EntryDraft, endpoint: Fields): void {
  const client = toMerged(endpoint["client"]);
  const isHttp = ["http", "https"].includes(draft.type);
  if (client["tunnel"] !== undefined || (client["proxy-url"] !== undefined && !isHttp))
    draft.note("no_proxy");
  if (client["oauth2"] !== undefined && !isHttp) draft.note("no_sign_in", "OAuth 2.0");
  if (client["identity-aware-proxy-config"] !== undefined) draft.note("no_sign_in", "Identity-Aware Proxy");
  if (client["tls"] !== undefined) draft.note("no_sign_in", "client certificate");
  if (client["dns-resolver"] !== undefined) draft.note("no_field", "dns-resolver");
}

/** Names of variables that Gatus would have filled in. */
function noteVariables(draft: EntryDraft, endpoint: Fields): void {
  const text =
    JSON.stringify(endpoint["url"] ?? "") +
    JSON.stringify(endpoint["headers"] ?? "") +
    toText(endpoint["body"]);
  const names = new Set([...text.matchAll(/\$\{?([A-Z_][A-Z0-9_]{0,60})/gu)].map(([, name = ""]) => name));
  for (const name of [...names].slice(0, 5)) draft.note("variable", `$${name}`);
}

function setShared(draft: EntryDraft, endpoint: Fields): void {
  const { fields } = draft;
  fields["group"] = toText(endpoint["group"]);
  fields["paused"] = endpoint["enabled"] === false;
  const labels = Object.entries(toFields(endpoint["extra-labels"]));
  draft.setTags(labels.map(([name, value]) => `${name}: ${toText(value)}`));
  const thresholds = toList(endpoint["alerts"]).flatMap(
    (alert) => toNumber(toMerged(alert)["failure-threshold"]) ?? [],
  );
  if (thresholds.length > 0) draft.setFailures(Math.min(...thresholds));
  for (const name of Object.keys(endpoint))
    if (!knownFields.has(name) && endpoint[name] !== undefined) draft.note("no_field", name);
}

function typeOf(endpoint: Fields): string {
  if (endpoint["dns"] !== undefined) return "dns";
  return /^([a-z]{1,12}):/iu.exec(toText(endpoint["url"]))?.[1]?.toLowerCase() ?? "";
}

interface MadeEntry {
  readonly entry: ImportEntry;
  readonly domain?: WantedDomain;
}

function toEntry(given: unknown): MadeEntry {
  const endpoint = toMerged(given);
  const draft = new EntryDraft(toText(endpoint["name"]), typeOf(endpoint));
  const target = toTarget(draft, endpoint);
  if (target === undefined) {
    draft.leaveOut(
      draft.type === "" ? "no_entry" : "no_such_kind",
      draft.type === "" ? undefined : draft.type,
    );
    return { entry: draft.finish() };
  }
  setShared(draft, endpoint);
  draft.setInterval(secondsOf(endpoint["interval"]) ?? DEFAULT_INTERVAL_SECONDS);
  draft.setTimeout(secondsOf(toMerged(endpoint["client"])["timeout"]) ?? 10);
  const reader = new ConditionReader(draft, target);
  for (const condition of toList(endpoint["conditions"]).slice(0, 100)) reader.read(toText(condition));
  draft.fields["target"] = reader.finish();
  noteClient(draft, endpoint);
  noteVariables(draft, endpoint);
  const { domainDays: days } = reader;
  const wanted = { address: toText(endpoint["url"]), group: toText(endpoint["group"]), days };
  return { entry: draft.finish(), ...(days !== undefined && { domain: wanted }) };
}

/** An external endpoint becomes a heartbeat; Gatus uses different URLs, so its token is not kept. */
function toHeartbeat(given: unknown): ImportEntry {
  const endpoint = toMerged(given);
  const draft = new EntryDraft(toText(endpoint["name"]), "external");
  setShared(draft, endpoint);
  const interval = secondsOf(toMerged(endpoint["heartbeat"])["interval"]);
  if (interval === undefined) draft.note("no_interval");
  const seconds = Math.min(31_536_000, Math.max(20, Math.round(interval ?? 86_400)));
  if (interval !== undefined && seconds !== interval) draft.note("other_interval", String(seconds));
  draft.fields["target"] = { kind: "heartbeat", schedule: { type: "period", seconds }, graceSeconds: 60 };
  draft.note("new_address");
  return draft.finish();
}

/** The plan of a parsed Gatus YAML; undefined without endpoints. */
export function planGatus(document: unknown): ImportPlan | undefined {
  const { endpoints, "external-endpoints": external, ...others } = toFields(document);
  if (!Array.isArray(endpoints) && !Array.isArray(external)) return undefined;
  const made = toList(endpoints).map(toEntry);
  const domains = made.map(({ domain }) => domain).filter((domain) => domain !== undefined);
  return {
    entries: [
      ...made.map(({ entry }) => entry),
      ...toDomainEntries(domains),
      ...toList(external).map(toHeartbeat),
    ],
    leftOut: Object.keys(others)
      .map((name) => name.slice(0, 64))
      .slice(0, 20),
  };
}
