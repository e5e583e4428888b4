/**
 * Parts of a machine that have a history of their own, by kind: mounts, interfaces, containers and so on. A metric's
 * place among those of its kind is its number on disk, which it keeps forever: add at the end, eight at most.
 */
import type { KindText } from "./labels.ts";
import type { MetricKind, MetricUnit } from "./metric.ts";
import type { ChartedReport } from "./report-schema.ts";

/** Values of one part in a report, by number of the metric; NaN if absent. */
export interface PartReading {
  readonly kind: PartKindName;
  readonly name: string;
  readonly values: readonly number[];
}

interface PartMetric {
  readonly name: string;
  readonly unit: MetricUnit;
  readonly kind: MetricKind;
}

interface PartKind {
  /** Whether administrators alone see it: names say what runs on a machine. */
  readonly isPrivate: boolean;
  /** Whether it comes with `details`, which only some reports have. */
  readonly isDetail: boolean;
  readonly metrics: readonly PartMetric[];
  /** Reckoned from two of them when they are read: 100 × part ÷ whole. */
  readonly derived: readonly { readonly name: string; readonly part: string; readonly whole: string }[];
  /** The parts that a report has; undefined when it says nothing of this kind. */
  read(
    report: ChartedReport,
  ):
    | readonly { readonly name: string | undefined; readonly values: readonly (number | undefined)[] }[]
    | undefined;
}

const bytes = (name: string): PartMetric => ({ name, unit: "bytes", kind: "whole" });
const rate = (name: string): PartMetric => ({ name, unit: "bytesPerSecond", kind: "whole" });
const count = (name: string): PartMetric => ({ name, unit: "count", kind: "fraction" });
const percent = (name: string): PartMetric => ({ name, unit: "percent", kind: "fraction" });
const celsius: PartMetric = { name: "celsius", unit: "celsius", kind: "fraction" };
/** 100 while it works, else 0: the average of a span is its uptime. */
const up: PartMetric = { name: "upPercent", unit: "percent", kind: "whole" };

const toUp = (isUp: boolean): number => (isUp ? 100 : 0);

export const partKinds = {
  mount: {
    isPrivate: false,
    isDetail: false,
    metrics: [bytes("usedBytes"), bytes("totalBytes"), count("inodesUsed"), count("inodesTotal"), up],
    derived: [
      { name: "usedPercent", part: "usedBytes", whole: "totalBytes" },
      { name: "inodesUsedPercent", part: "inodesUsed", whole: "inodesTotal" },
    ],
    read: ({ disk }) =>
      disk?.mounts?.map(({ path, usedBytes, totalBytes, inodesUsed, inodesTotal, state }) => ({
        name: path,
        values: [usedBytes, totalBytes, inodesUsed, inodesTotal, toUp(state !== "unresponsive")],
      })),
  },
  interface: {
    isPrivate: false,
    isDetail: false,
    metrics: [rate("rxBytesPerSecond"), rate("txBytesPerSecond"), count("errorsPerMinute")],
    derived: [],
    read: ({ network }) =>
      network?.interfaces?.map(({ name, rxBytesPerSecond, txBytesPerSecond, errorsPerMinute }) => ({
        name,
        values: [rxBytesPerSecond, txBytesPerSecond, errorsPerMinute],
      })),
  },
  temperature: {
    isPrivate: false,
    isDetail: false,
    metrics: [celsius],
    derived: [],
    read: ({ temperatures }) => temperatures?.map(({ name, celsius: value }) => ({ name, values: [value] })),
  },
  gpu: {
    isPrivate: false,
    isDetail: false,
    metrics: [
      percent("usagePercent"),
      bytes("memoryUsedBytes"),
      bytes("memoryTotalBytes"),
      celsius,
      { name: "powerWatts", unit: "count", kind: "fraction" },
    ],
    derived: [{ name: "memoryUsedPercent", part: "memoryUsedBytes", whole: "memoryTotalBytes" }],
    read: ({ gpus }) =>
      gpus?.map((gpu) => ({
        name: gpu.name,
        values: [gpu.usagePercent, gpu.memoryUsedBytes, gpu.memoryTotalBytes, gpu.celsius, gpu.powerWatts],
      })),
  },
  container: {
    isPrivate: true,
    isDetail: true,
    metrics: [
      percent("cpuPercent"),
      bytes("memoryUsedBytes"),
      rate("rxBytesPerSecond"),
      rate("txBytesPerSecond"),
      count("restarts"),
      up,
      { name: "healthyPercent", unit: "percent", kind: "whole" },
    ],
    derived: [],
    read: ({ details }) =>
      details?.containers?.map((each) => ({
        name: each.name,
        values: [
          each.cpuPercent,
          each.memoryUsedBytes,
          each.rxBytesPerSecond,
          each.txBytesPerSecond,
          each.restarts,
          toUp(each.state === "running"),
          each.health === undefined || each.health === "starting"
            ? undefined
            : toUp(each.health === "healthy"),
        ],
      })),
  },
  unit: {
    isPrivate: true,
    isDetail: true,
    metrics: [up],
    derived: [],
    // A unit that is about to start or to reload is no outage.
    read: ({ details }) =>
      details?.units?.map(({ name, state = "" }) => ({
        name,
        values: [toUp(/^(?:active|activating|reloading|refreshing)$/u.test(state))],
      })),
  },
  disk: {
    isPrivate: true,
    isDetail: true,
    metrics: [up, celsius, percent("wornPercent"), count("reallocatedSectors")],
    derived: [],
    read: ({ details }) =>
      details?.disks?.map(({ name, state, celsius: value, wornPercent, reallocatedSectors }) => ({
        name,
        values: [
          state === undefined || state === "unknown" ? undefined : toUp(state !== "failing"),
          value,
          wornPercent,
          reallocatedSectors,
        ],
      })),
  },
} satisfies Readonly<Record<string, PartKind>>;

export type PartKindName = keyof typeof partKinds;
/** `as`: Object.keys knows texts alone. */
export const partKindNames = Object.keys(partKinds) as readonly PartKindName[];
/** Columns of every part, whatever its kind. */
export const PART_COLUMNS = 8;
/** Parts of a kind that a server has at most. */
export const MOST_PARTS = 64;
/** Longer names are not kept. */
export const MAX_PART_NAME = 200;

const kinds: Readonly<Record<PartKindName, PartKind>> = partKinds;

export function partKindOf(name: PartKindName): PartKind {
  return kinds[name];
}

/** "mount.usedPercent": what charts ask for and rules watch. */
export interface NamedPartMetric {
  readonly kind: PartKindName;
  readonly metric: string;
  readonly unit: MetricUnit;
}

export function listPartMetrics(kind: PartKindName): readonly NamedPartMetric[] {
  const { metrics, derived } = kinds[kind];
  return [
    ...derived.map(({ name }) => ({ kind, metric: name, unit: "percent" as const })),
    ...metrics.map(({ name, unit }) => ({ kind, metric: name, unit })),
  ];
}

const named = new Map<string, NamedPartMetric>(
  partKindNames.flatMap((kind) =>
    listPartMetrics(kind).map((one) => [`${kind}.${one.metric}`, one] as const),
  ),
);
/** All that rules may watch: "container.upPercent", … */
export const partMetricNames: readonly string[] = [...named.keys()];

export function findPartMetric(name: string): NamedPartMetric | undefined {
  return named.get(name);
}

/** Its label. `as`: every metric of every kind has this text; `npm run texts` finds missing ones. */
export function partLabelOf(name: string): KindText {
  return `part.${name}` as KindText;
}

export type PartSource =
  | { readonly type: "stored"; readonly index: number }
  | { readonly type: "percent"; readonly part: number; readonly whole: number };

/** Where the values of a metric are among those of a reading; undefined when the kind has none of that name. */
export function partSource(kind: PartKindName, metric: string): PartSource | undefined {
  const { metrics, derived } = kinds[kind];
  const at = (name: string): number => metrics.findIndex((one) => one.name === name);
  const found = derived.find(({ name }) => name === metric);
  if (found !== undefined) return { type: "percent", part: at(found.part), whole: at(found.whole) };
  const index = at(metric);
  return index < 0 ? undefined : { type: "stored", index };
}

/** One value of a reading; NaN when it has none. */
export function readPartValue({ values }: PartReading, source: PartSource): number {
  if (source.type === "stored") return values[source.index] ?? Number.NaN;
  const whole = values[source.whole] ?? Number.NaN;
  return whole > 0 ? (100 * (values[source.part] ?? Number.NaN)) / whole : Number.NaN;
}

/** A name as it is kept: one line; several of one name are numbered. "" when it has none. */
function toOwnName(name: string | undefined, taken: Set<string>): string {
  const line = name?.replace(/\p{C}/gu, "").trim() ?? "";
  if (line === "" || !taken.has(line)) return line;
  let number = 2;
  while (taken.has(`${line} ${number}`)) number += 1;
  return `${line} ${number}`;
}

/** The parts of one kind in a report; undefined when it says nothing of them. Parts without a name are left out. */
export function readParts(report: ChartedReport, kind: PartKindName): PartReading[] | undefined {
  const found = kinds[kind].read(report);
  if (found === undefined) return undefined;
  const taken = new Set<string>();
  const readings: PartReading[] = [];
  for (const { name, values } of found) {
    const own = toOwnName(name, taken);
    if (own === "") continue;
    taken.add(own);
    readings.push({ kind, name: own, values: values.map((value) => value ?? Number.NaN) });
  }
  return readings;
}
