/**
 * Views of a server. The public view is an allow-list, built field by field: a new field of a record or a report stays
 * private until it is named here.
 */
import { findNextExpiry } from "./billing.ts";
import type { UptimeRatios } from "../usage/day-answers.ts";
import type { TrafficUse } from "../usage/traffic-use.ts";
import { toIsoTime, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import type {
  AdminServer,
  HostFacts,
  LatestView,
  PublicServer,
  ServerAnswer,
  ServerDetail,
} from "./view-schema.ts";
import { type LiveServer, toWholeSample } from "./live.ts";
import { pickOpaque } from "./opaque-sample.ts";
import { metrics } from "../base/metric-table.ts";
import type { ServerRecord, ServerState } from "../base/schema.ts";
import { VERSION } from "../../version.ts";

/** Facts about a server other than its record. */
export interface ServerFacts {
  readonly live: LiveServer;
  /** Of the current cycle. */
  readonly traffic: TrafficUse;
  /** When the planned maintenance that it is in ends, epoch milliseconds. */
  readonly maintenanceUntil: number | undefined;
  /** The service's clock, epoch milliseconds. */
  readonly now: number;
}

/** Data of a public view other than the record. */
export interface PublicFacts extends ServerFacts {
  /** The place among the visible servers, from 1; a fraction for a hidden one. */
  readonly displayOrder: number;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Facts of a machine that strangers may see: no host name, address, kernel or agent version. */
const PUBLIC_HOST_FACTS = [
  "os",
  "platform",
  "platformVersion",
  "arch",
  "virtualization",
  "cpuModel",
  "cpuCores",
  "bootTimeUnixMs",
];

/** The metrics of a sample in a list: numbers only, no arrays; by the part of the sample, "" for the sample itself. */
const LIST_METRICS = new Map<string, string[]>();
for (const metric of metrics) {
  if (!("isListed" in metric)) continue;
  const parts = metric.name.split(".");
  const field = parts.pop() ?? "";
  const group = parts.join(".");
  LIST_METRICS.set(group, [...(LIST_METRICS.get(group) ?? []), field]);
}
const GPU_FIELDS = ["name", "usagePercent", "memoryTotalBytes", "memoryUsedBytes", "celsius", "powerWatts"];
const PRESSURE_FIELDS = ["cpuPercent", "memoryPercent", "ioPercent"];
const MOUNT_FIELDS = ["path", "totalBytes", "usedBytes"];
const INTERFACE_FIELDS = ["name", "rxBytesPerSecond", "txBytesPerSecond", "rxTotalBytes", "txTotalBytes"];
/** Of a path in a list, characters. */
const MAX_PATH = 100;
const TEMPERATURE_FIELDS = ["name", "celsius"];

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function pick(source: unknown, names: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  if (!isObject(source)) return picked;
  for (const name of names) {
    if (Object.hasOwn(source, name) && source[name] !== undefined) picked[name] = source[name];
  }
  return picked;
}

function pickEach(source: unknown, names: readonly string[]): Record<string, unknown>[] {
  return Array.isArray(source) ? source.map((item) => pick(item, names)) : [];
}

/** The fullest of several mounts; of a single one the sums of the disks say the same. */
function findFullest(mounts: unknown): Record<string, unknown> | undefined {
  if (!Array.isArray(mounts) || mounts.length < 2) return undefined;
  let fullest: JsonObject | undefined;
  let most = -1;
  for (const mount of mounts) {
    if (!isObject(mount)) continue;
    const share = Number(mount["usedBytes"]) / Number(mount["totalBytes"]);
    if (share > most && Number.isFinite(share)) [fullest, most] = [mount, share];
  }
  if (fullest === undefined) return undefined;
  const { path } = fullest;
  return {
    ...pick(fullest, MOUNT_FIELDS),
    path: typeof path === "string" ? path.slice(0, MAX_PATH) : "",
  };
}

function toListSample(sample: JsonObject): Record<string, unknown> {
  if (sample["v"] !== 1) return pickOpaque(sample);
  const kept: Record<string, unknown> = {};
  for (const [group, names] of LIST_METRICS) {
    const part = sample[group];
    if (group === "") Object.assign(kept, pick(sample, names));
    else if (isObject(part)) {
      const picked = pick(part, names);
      const fullest = group === "disk" ? findFullest(part["mounts"]) : undefined;
      if (fullest !== undefined) picked["fullest"] = fullest;
      kept[group] = picked;
    }
  }
  return kept;
}

/** Adds the list at `name` of one part of the sample to what is shown of that part. */
function addList(
  kept: Record<string, unknown>,
  { part, name, items }: { part: string; name: string; items: readonly unknown[] },
): void {
  const shown = kept[part];
  if (items.length > 0 && isObject(shown)) kept[part] = { ...shown, [name]: items };
}

function toListOf(sample: JsonObject, part: string, name: string): unknown {
  const group = sample[part];
  return isObject(group) ? group[name] : undefined;
}

function toDetailSample(sample: JsonObject): Record<string, unknown> {
  const kept = toListSample(sample);
  if (sample["v"] !== 1) return kept;
  const cores = toListOf(sample, "cpu", "perCorePercent");
  addList(kept, { part: "cpu", name: "perCorePercent", items: Array.isArray(cores) ? cores : [] });
  const mounts = pickEach(toListOf(sample, "disk", "mounts"), MOUNT_FIELDS);
  addList(kept, { part: "disk", name: "mounts", items: mounts });
  const interfaces = pickEach(toListOf(sample, "network", "interfaces"), INTERFACE_FIELDS);
  addList(kept, { part: "network", name: "interfaces", items: interfaces });
  if (isObject(sample["pressure"])) kept["pressure"] = pick(sample["pressure"], PRESSURE_FIELDS);
  const gpus = pickEach(sample["gpus"], GPU_FIELDS);
  const temperatures = pickEach(sample["temperatures"], TEMPERATURE_FIELDS);
  return {
    ...kept,
    ...(gpus.length > 0 ? { gpus } : {}),
    ...(temperatures.length > 0 ? { temperatures } : {}),
  };
}

function toPublicHost(host: ServerRecord["host"]): HostFacts | undefined {
  if (host === undefined) return undefined;
  const facts: HostFacts = {};
  for (const name of PUBLIC_HOST_FACTS) {
    const value = host[name];
    if (value !== undefined) facts[name] = value;
  }
  return facts;
}

/** The state that people see: what the administrator says goes before what the agent does. */
export function toState(record: ServerRecord, live: LiveServer): ServerState {
  return record.disabled ? "disabled" : live.state;
}

/** Why a server that is online shows nothing new. */
function toReports(record: ServerRecord, live: LiveServer): PublicServer["reports"] {
  return toState(record, live) === "online" ? live.silence?.kind : undefined;
}

/** Values that the agent could not read, according to its latest report. */
function findFaults({ faults }: JsonObject): AdminServer["agent"]["faults"] {
  if (!Array.isArray(faults) || faults.length === 0) return undefined;
  const toText = (value: unknown): string => (typeof value === "string" ? value : "");
  return pickEach(faults, ["name", "reason"]).map(({ name, reason }) => ({
    name: toText(name),
    reason: toText(reason),
  }));
}

/** Since when the state holds; a server that never reported is so since it was made. */
function toStateSince(record: ServerRecord, live: LiveServer): number {
  return live.state === "never" ? record.createdAt : live.stateSince;
}

function toLatest(
  live: LiveServer,
  toSample: (sample: JsonObject) => Record<string, unknown>,
): LatestView | undefined {
  const { latest } = live;
  if (latest === undefined) return undefined;
  return { collectedAt: latest.collectedAt, receivedAt: latest.receivedAt, sample: toSample(latest.sample) };
}

/** Traffic worth showing: not the zeros of a server that counts none and has no limit. */
function toShownTraffic({ rxBytes, txBytes, ...shown }: TrafficUse): Pick<PublicServer, "traffic"> {
  return shown.limitBytes > 0 || shown.usedBytes > 0 || rxBytes > 0 || txBytes > 0 ? { traffic: shown } : {};
}

function toPublic(
  record: ServerRecord,
  { live, traffic, maintenanceUntil, now, displayOrder }: PublicFacts,
  latest: LatestView | undefined,
): PublicServer {
  const host = toPublicHost(record.host);
  const nextExpiryAt = findNextExpiry(record.billing, now);
  const reports = toReports(record, live);
  return {
    id: record.id,
    name: record.name,
    group: record.group,
    tags: [...record.tags],
    displayOrder,
    region: record.region,
    ...(record.provider === "" ? {} : { provider: record.provider }),
    publicNote: record.publicNote,
    ...(record.billing === undefined ? {} : { billing: record.billing }),
    ...(nextExpiryAt === undefined ? {} : { nextExpiryAt }),
    ...toShownTraffic(traffic),
    ...(host === undefined ? {} : { host }),
    // Strangers are shown no hidden server, so their views have no such member.
    ...(record.hidden ? { hidden: true as const } : {}),
    state: toState(record, live),
    ...(reports === undefined ? {} : { reports }),
    stateSince: toStateSince(record, live),
    ...(live.lastSeenAt === undefined ? {} : { lastSeenAt: live.lastSeenAt }),
    ...(maintenanceUntil === undefined ? {} : { maintenanceUntil }),
    ...(latest === undefined ? {} : { latest }),
  };
}

/** The times of a traffic cycle as HTTP answers have them. */
export function withCycleTimes<T extends { readonly cycleFrom: number; readonly cycleTo: number }>(
  traffic: T,
): Omit<T, "cycleFrom" | "cycleTo"> & { cycleFrom: string; cycleTo: string } {
  return { ...traffic, cycleFrom: toIsoTime(traffic.cycleFrom), cycleTo: toIsoTime(traffic.cycleTo) };
}

function withSampleTimes<T extends { readonly collectedAt: number; readonly receivedAt: number }>(
  latest: T,
): Omit<T, "collectedAt" | "receivedAt"> & { collectedAt: string; receivedAt: string } {
  return {
    ...latest,
    collectedAt: toIsoTime(latest.collectedAt),
    receivedAt: toIsoTime(latest.receivedAt),
  };
}

/** The public view as HTTP answers have it. */
export function toServerAnswer(view: PublicServer): ServerAnswer {
  const { nextExpiryAt, traffic, lastSeenAt, maintenanceUntil, latest } = view;
  return {
    ...view,
    nextExpiryAt: toIsoTimeIfAny(nextExpiryAt),
    traffic: traffic && withCycleTimes(traffic),
    stateSince: toIsoTime(view.stateSince),
    lastSeenAt: toIsoTimeIfAny(lastSeenAt),
    maintenanceUntil: toIsoTimeIfAny(maintenanceUntil),
    latest: latest && withSampleTimes(latest),
  };
}

/** A server as the live feed shows it. */
export function toPublicServer(record: ServerRecord, facts: PublicFacts): PublicServer {
  return toPublic(record, facts, toLatest(facts.live, toListSample));
}

/** A server as its own page shows it: also cores, GPUs and temperatures, all of its traffic, its uptime. */
export function toServerDetail(
  record: ServerRecord,
  { uptime, ...facts }: PublicFacts & { readonly uptime: UptimeRatios },
): ServerDetail {
  return {
    ...toServerAnswer(toPublic(record, facts, toLatest(facts.live, toDetailSample))),
    traffic: { ...record.traffic, ...withCycleTimes(facts.traffic) },
    uptime: uptime.day90 === undefined ? undefined : uptime,
  };
}

/** Whether version `a` comes before `b`, by the numbers before any "-". */
function isOlder(a: string, b: string): boolean {
  const numbers = (version: string): readonly number[] => version.split("-", 1).join().split(".").map(Number);
  const [left, right] = [numbers(a), numbers(b)];
  const at = right.findIndex((number, index) => number !== left[index]);
  return at >= 0 && (left[at] ?? 0) < (right[at] ?? 0);
}

/** A server as the administrator sees it; never a key or its hash. */
export function toAdminServer(
  record: ServerRecord,
  { live, traffic, maintenanceUntil, now }: ServerFacts,
): AdminServer {
  const { keys, keyRotatedAt, hostname, host, editVersion, trafficOffsetAt: _at, ...kept } = record;
  const { addresses, peerAddress, ...fields } = kept;
  const { latest, lastSeenAt } = live;
  const sample: JsonObject | undefined = latest?.sample;
  const agentVersion = host?.["agentVersion"];
  const version = typeof agentVersion === "string" ? agentVersion : undefined;
  return {
    ...fields,
    dependsOn: fields.dependsOn ?? [],
    version: editVersion,
    host,
    agent: {
      hostname,
      addresses,
      peerAddress,
      version,
      isOutdated: version !== undefined && isOlder(version, VERSION),
      keyPrefix: keys[0]?.prefix ?? "",
      keyRotatedAt: toIsoTime(keyRotatedAt),
      clockSkewMs: live.clockSkewMs,
      duplicateAgent: live.duplicateAgent,
      reportsStored: live.reportsStored,
      reports: toReports(record, live),
      faults: sample && findFaults(sample),
      rejectedBecause: live.silence?.kind === "rejected" ? live.silence.reason : undefined,
    },
    trafficUse: withCycleTimes(traffic),
    nextExpiryAt: toIsoTimeIfAny(findNextExpiry(record.billing, now)),
    state: toState(record, live),
    stateSince: toIsoTime(toStateSince(record, live)),
    lastSeenAt: toIsoTimeIfAny(lastSeenAt),
    maintenanceUntil: toIsoTimeIfAny(maintenanceUntil),
    latest:
      latest &&
      withSampleTimes({
        collectedAt: latest.collectedAt,
        receivedAt: latest.receivedAt,
        // They are large: the list of all servers goes without.
        sample: { ...sample, details: undefined },
        flags: [...latest.flags],
      }),
    createdAt: toIsoTime(record.createdAt),
    updatedAt: toIsoTime(record.updatedAt),
  };
}

/** One server as the administrator sees it: with the lists of containers and so on. */
export function toAdminDetail(record: ServerRecord, facts: ServerFacts): AdminServer {
  const view = toAdminServer(record, facts);
  return { ...view, latest: view.latest && { ...view.latest, sample: toWholeSample(facts.live) } };
}
