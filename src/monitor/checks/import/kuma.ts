/**
 * Monitors of Uptime Kuma: its backup (1.x, `monitorList`), the monitors of 2.x as its API and tools give them, as a
 * list or by their ids, and the tables of its database.
 */
import { parseResolver } from "../../../kit/probes/kinds/dns.ts";
import { parseJsonPath } from "../../../kit/probes/json-path.ts";
import {
  EntryDraft,
  type Fields,
  type ImportEntry,
  type ImportPlan,
  isOn,
  toFields,
  toList,
  toNumber,
  toText,
} from "./entry.ts";
import { toHttpTarget, toRedirects, withoutUnfit } from "./http-fields.ts";
import { toDomainEntries, type WantedDomain } from "./domain-entry.ts";
import { type ById, groupOf, isActive, toById, toGroupEntry } from "./kuma-groups.ts";
import { fromTables } from "./kuma-tables.ts";

/** Kuma's tokens, which a heartbeat's URL can use. */
const TOKEN = /^[A-Za-z0-9_-]{10,64}$/u;
function parseHeaders(draft: EntryDraft, given: unknown): Fields {
  if (typeof given !== "string" || given.trim() === "") return toFields(given);
  try {
    return toFields(JSON.parse(given));
  } catch {
    draft.note("no_field", "headers");
    return {};
  }
}

const bodyTypes: Readonly<Record<string, string>> = {
  json: "application/json",
  xml: "text/xml; charset=utf-8",
  form: "application/x-www-form-urlencoded",
};

/** How the monitor signs in; a header of its own that says it comes first. */
function authOf(draft: EntryDraft, monitor: Fields, headers: Fields): Fields {
  const way = toText(monitor["authMethod"]);
  const username = toText(monitor["basic_auth_user"]);
  const isTaken = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  if (way === "oauth2-cc" && !isTaken)
    return {
      auth: "oauth2",
      tokenUrl: toText(monitor["oauth_token_url"]),
      clientId: toText(monitor["oauth_client_id"]),
      clientSecret: toText(monitor["oauth_client_secret"]),
      scopes: toText(monitor["oauth_scopes"]),
      audience: toText(monitor["oauth_audience"]),
    };
  if (way === "mtls")
    return {
      clientCertificate: toText(monitor["tlsCert"]),
      clientKey: toText(monitor["tlsKey"]),
    };
  if (!["", "basic"].includes(way)) draft.note("no_sign_in", way);
  else if (username !== "" && !isTaken)
    return { auth: "basic", username, password: toText(monitor["basic_auth_pass"]) };
  return {};
}

/** HTTP proxies of the backup by their id. */
type Proxies = ReadonlyMap<string, Fields>;

function readProxies(list: unknown): Proxies {
  return new Map(
    toList(list)
      .map(toFields)
      .map((proxy) => [toText(proxy["id"]), proxy]),
  );
}

function proxyOf(draft: EntryDraft, monitor: Fields, proxies: Proxies): Fields {
  const id = toNumber(monitor["proxyId"]) ?? 0;
  if (id <= 0) return {};
  const { protocol, host, port, auth, username, password } = proxies.get(String(id)) ?? {};
  if (protocol !== "http") {
    draft.note("no_proxy");
    return {};
  }
  const proxy = `http://${toText(host)}:${toText(port)}`;
  return isOn(auth) ? { proxy, proxyUsername: toText(username), proxyPassword: toText(password) } : { proxy };
}

/** Headers of the monitor, with that for the type of its body. */
function headersOf(draft: EntryDraft, monitor: Fields): Fields {
  const headers = parseHeaders(draft, monitor["headers"]);
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const type = bodyTypes[toText(monitor["httpBodyEncoding"])];
  const hasBody = toText(monitor["body"]) !== "";
  return {
    ...headers,
    ...(hasBody && type !== undefined && !names.has("content-type") ? { "Content-Type": type } : {}),
  };
}

function statusesOf(monitor: Fields): string {
  const given = toList(monitor["accepted_statuscodes"]);
  return given.length === 0 ? "200-299" : given.map(toText).join(", ");
}

function httpTarget(draft: EntryDraft, monitor: Fields, proxies: Proxies): Record<string, unknown> {
  const headers = headersOf(draft, monitor);
  const ca = toText(monitor["tlsCa"]);
  return withoutUnfit(draft, {
    ...(ca === "" ? {} : { ca }),
    ...authOf(draft, monitor, headers),
    ...proxyOf(draft, monitor, proxies),
    ...toHttpTarget(draft, {
      url: toText(monitor["url"]),
      method: toText(monitor["method"]),
      headers,
      body: toText(monitor["body"]),
    }),
    maxRedirects: toRedirects(draft, toNumber(monitor["maxredirects"]) ?? 5),
    statuses: statusesOf(monitor),
    ignoresCertificate: isOn(monitor["ignoreTls"]),
    // Kuma's notification about the end is a notification: the monitor's rule about certificates has it.
    certificateDays: 0,
  });
}

function keywordTarget(draft: EntryDraft, monitor: Fields, proxies: Proxies): Record<string, unknown> {
  const field = isOn(monitor["invertKeyword"]) ? "excludes" : "contains";
  return { ...httpTarget(draft, monitor, proxies), [field]: toText(monitor["keyword"]) };
}

const jsonOperators: Readonly<Record<string, string>> = { "==": "=", "!=": "!=", contains: "contains" };

function jsonTarget(draft: EntryDraft, monitor: Fields, proxies: Proxies): Record<string, unknown> {
  const target = httpTarget(draft, monitor, proxies);
  const path = toText(monitor["jsonPath"]).trim();
  const given = toText(monitor["jsonPathOperator"]);
  const operator = given === "" ? "=" : (jsonOperators[given] ?? given);
  // JSONata is a language; what is a plain path in it means the same here.
  if (parseJsonPath(path) === undefined || path === "" || path === "$") {
    draft.note("no_path", path);
    return target;
  }
  const expected = monitor["expectedValue"];
  const value = typeof expected === "boolean" ? String(expected) : toText(expected);
  return { ...target, json: { path, operator, value } };
}

function tcpTarget(host: string, port: unknown): Record<string, unknown> {
  return { kind: "tcp", host, port: toNumber(port) };
}

/** A TCP connection to host and port of an address such as "postgres://user:secret@db.example:5432/shop". */
function toPlace(address: string, port: number): Record<string, unknown> {
  const text = address.includes("://") ? address : `x://${address}`;
  const match = /^[a-z0-9+.-]+:\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^:/?,]+)(?::(\d{1,5}))?/iu.exec(text);
  const host = (match?.[1] ?? "").replace(/^\[|\]$/gu, "");
  return tcpTarget(host, match?.[2] ?? port);
}

function dnsTarget(draft: EntryDraft, monitor: Fields): Record<string, unknown> {
  const [first = "", ...others] = toText(monitor["dns_resolve_server"])
    .split(",")
    .map((text) => text.trim());
  const port = toNumber(monitor["port"]) ?? 53;
  const known = parseResolver(first);
  if (first !== "" && known === undefined) draft.note("no_resolver", first);
  if (others.length > 0) draft.note("other_resolver", first);
  const { expected, left } = readDnsConditions(monitor["conditions"]);
  for (const condition of left) draft.note("no_condition", condition);
  const address = known?.address.includes(":") === true ? `[${known.address}]` : known?.address;
  return {
    kind: "dns",
    name: toText(monitor["hostname"]),
    record: toText(monitor["dns_resolve_type"]) || "A",
    resolver: address === undefined ? "" : `${address}:${port}`,
    expected,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Conditions of 2.x: those that a record is equal to something, and the rest. */
function readDnsConditions(given: unknown): { expected: string[]; left: string[] } {
  const found = { expected: [] as string[], left: [] as string[] };
  // Backups have the list itself, exports of the database its JSON.
  for (const condition of toList(typeof given === "string" ? parseJson(given) : given).map(toFields)) {
    const { variable, operator, value } = condition;
    if (variable === "record" && operator === "equals" && condition["andOr"] !== "or")
      found.expected.push(toText(value));
    else found.left.push(JSON.stringify({ variable, operator, value }));
  }
  return found;
}

/** As often as Kuma expects a sign of life, and as late as it lets it be. */
function heartbeatTarget(draft: EntryDraft, monitor: Fields): Record<string, unknown> {
  const interval = toNumber(monitor["interval"]) ?? 60;
  const seconds = Math.min(31_536_000, Math.max(20, Math.round(interval)));
  if (seconds !== interval) draft.note("other_interval", String(seconds));
  const retries = toNumber(monitor["maxretries"]) ?? 0;
  const retrySeconds = toNumber(monitor["retryInterval"]) ?? interval;
  const graceSeconds = Math.min(31_536_000, Math.max(1, Math.round(retries * retrySeconds)));
  const token = toText(monitor["pushToken"]);
  if (TOKEN.test(token)) draft.pingKey = token;
  else draft.note("token_unfit");
  return { kind: "heartbeat", schedule: { type: "period", seconds }, graceSeconds };
}

type ToTarget = (draft: EntryDraft, monitor: Fields, proxies: Proxies) => Record<string, unknown>;

/** A part of an address, which may be percent-encoded or not. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const systemOf = { postgres: "postgresql", mysql: "mysql", redis: "redis" } as const;

/** A database by its connection string; a password goes along where the check logs in with it. */
function databaseTarget(type: keyof typeof systemOf, port: number): ToTarget {
  return (draft, monitor) => {
    const address = toText(monitor["databaseConnectionString"]);
    const system = systemOf[type];
    const [, user = "", password = ""] = /^[a-z]+:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?/iu.exec(address) ?? [];
    // Kuma runs SELECT 1 or PING unless another query is set.
    const query = toText(monitor["databaseQuery"]).trim();
    if (type !== "redis" && query !== "" && !/^select 1;?$/iu.test(query))
      draft.note("connection_only", "a query");
    return {
      ...toPlace(address, port),
      kind: "database",
      system,
      user: decode(user),
      tls: /^rediss:|[?&]ssl(?:mode)?=(?:require|verify|true|1)/iu.test(address),
      ...(type === "redis" && password !== "" && { password: decode(password) }),
    };
  };
}

const securities: Readonly<Record<string, string>> = { secure: "tls", nostarttls: "none" };

function mailTarget(_draft: EntryDraft, monitor: Fields): Record<string, unknown> {
  const security = securities[toText(monitor["smtpSecurity"])] ?? "starttls";
  return {
    kind: "mail",
    host: toText(monitor["hostname"]),
    port: toNumber(monitor["port"]) ?? 25,
    security,
    ignoresCertificate: isOn(monitor["ignoreTls"]),
  };
}

function mqttTarget(draft: EntryDraft, monitor: Fields): Record<string, unknown> {
  const address = toText(monitor["hostname"]);
  draft.note("connection_only", "a message");
  const isTls = /^(?:mqtts|ssl|tls):/iu.test(address);
  return {
    ...toPlace(address, toNumber(monitor["port"]) ?? (isTls ? 8_883 : 1_883)),
    kind: "mqtt",
    tls: isTls,
    username: toText(monitor["mqttUsername"]),
    ...(toText(monitor["mqttPassword"]) !== "" && { password: toText(monitor["mqttPassword"]) }),
  };
}

function websocketTarget(_draft: EntryDraft, monitor: Fields): Record<string, unknown> {
  return {
    kind: "websocket",
    url: toText(monitor["url"]),
    subprotocol: toText(monitor["wsSubprotocol"]).split(",")[0]?.trim() ?? "",
    ignoresCertificate: isOn(monitor["ignoreTls"]),
  };
}

const targets: Readonly<Record<string, ToTarget>> = {
  http: httpTarget,
  keyword: keywordTarget,
  "json-query": jsonTarget,
  "real-browser": (draft, monitor, proxies) => {
    draft.note("no_browser");
    return httpTarget(draft, monitor, proxies);
  },
  port: (_draft, monitor) => tcpTarget(toText(monitor["hostname"]), monitor["port"]),
  ping: (draft, monitor) => {
    draft.note("needs_ping");
    return { kind: "ping", way: "icmp", host: toText(monitor["hostname"]) };
  },
  dns: dnsTarget,
  push: heartbeatTarget,
  postgres: databaseTarget("postgres", 5_432),
  mysql: databaseTarget("mysql", 3_306),
  redis: databaseTarget("redis", 6_379),
  mongodb: (draft, monitor) => {
    draft.note("connection_only", "a command");
    return toPlace(toText(monitor["databaseConnectionString"]), 27_017);
  },
  "websocket-upgrade": websocketTarget,
  smtp: mailTarget,
  mqtt: mqttTarget,
  docker: (draft, monitor) => {
    // Which server that is, only its owner knows: until then, it is not judged.
    draft.note("choose_server");
    const serverId = `docker-host-${toText(monitor["docker_host"]) || "unknown"}`;
    return { kind: "container", serverId, container: toText(monitor["docker_container"]) };
  },
  "grpc-keyword": (draft, monitor) => {
    draft.note("connection_only", "a call");
    return toPlace(toText(monitor["grpcUrl"]), 443);
  },
};

function tagsOf(monitor: Fields): string[] {
  const given = toList(monitor["tags"]).map(toFields);
  return given.map(({ name, value }) => {
    const text = toText(value).trim();
    return text === "" ? toText(name) : `${toText(name)}: ${text}`;
  });
}

/** Times, retries and words that monitors of all kinds have. */
function setShared(draft: EntryDraft, monitor: Fields, byId: ById): void {
  const { fields } = draft;
  const interval = toNumber(monitor["interval"]) ?? 60;
  if (draft.type !== "push") draft.setInterval(interval);
  const timeout = toNumber(monitor["timeout"]);
  if (timeout !== undefined && timeout > 0) draft.setTimeout(timeout);
  draft.setFailures((toNumber(monitor["maxretries"]) ?? 0) + 1);
  const retry = toNumber(monitor["retryInterval"]) ?? 0;
  fields["retrySeconds"] = Math.min(86_400, Math.max(5, Math.round(retry > 0 ? retry : interval)));
  fields["inverted"] = isOn(monitor["upsideDown"]);
  fields["paused"] = !isActive(monitor, byId);
  fields["note"] = toText(monitor["description"]).slice(0, 4_000);
  draft.setTags(tagsOf(monitor));
}

function toEntry(monitor: Fields, { byId, proxies }: { byId: ById; proxies: Proxies }): ImportEntry {
  const type = toText(monitor["type"]);
  const draft = new EntryDraft(toText(monitor["name"]), type);
  const toTarget = Object.hasOwn(targets, type) ? targets[type] : undefined;
  if (toTarget === undefined) {
    draft.leaveOut(type === "" ? "no_entry" : "no_such_kind", type === "" ? undefined : type);
    return draft.finish();
  }
  draft.fields["group"] = groupOf(monitor, byId);
  draft.fields["target"] = toTarget(draft, monitor, proxies);
  setShared(draft, monitor, byId);
  return draft.finish();
}

/** Of a monitor that also reminds of its domain. */
function findDomain(monitor: Fields, byId: ById): WantedDomain | undefined {
  const isWanted = isOn(monitor["domainExpiryNotification"]) && isActive(monitor, byId);
  const url = toText(monitor["url"]);
  // Kuma keeps "https://" in the URL of monitors that have none.
  const address = /^[a-z]+:\/\/./iu.test(url) ? url : toText(monitor["hostname"]);
  return isWanted && address !== "" ? { address, group: groupOf(monitor, byId) } : undefined;
}

/** Lists, and objects that have a monitor for each id. */
function listOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return toList(value);
  const entries = Object.entries(toFields(value));
  return entries.length > 0 && entries.every(([id]) => /^\d{1,12}$/u.test(id))
    ? entries.map(([, monitor]) => monitor)
    : undefined;
}

/** The plan of a parsed Kuma JSON; undefined without monitors. */
export function planKuma(given: unknown): ImportPlan | undefined {
  const document = fromTables(given);
  const { monitorList, monitors, proxyList, version: _version, ...others } = toFields(document);
  const inside = listOf(monitorList) ?? listOf(monitors);
  const list = inside ?? listOf(document);
  if (list === undefined) return undefined;
  const all = list.map(toFields);
  const byId = toById(all);
  const proxies = readProxies(proxyList);
  const isLeftOut = ([, value]: [string, unknown]): boolean => !Array.isArray(value) || value.length > 0;
  const leftOut = inside === undefined ? [] : Object.entries(others).filter(isLeftOut);
  const domains = all.map((monitor) => findDomain(monitor, byId)).filter((domain) => domain !== undefined);
  const isGroup = ({ type }: Fields): boolean => type === "group";
  const known = new Map(
    all
      .filter((monitor) => !isGroup(monitor))
      .map((monitor) => [monitor, toEntry(monitor, { byId, proxies })]),
  );
  const around = { byId, monitors: all, entries: [...known.values()] };
  return {
    entries: [
      ...all.map((monitor) => known.get(monitor) ?? toGroupEntry(monitor, around)),
      ...toDomainEntries(domains),
    ],
    leftOut: leftOut.map(([name]) => name.slice(0, 64)).slice(0, 20),
  };
}
