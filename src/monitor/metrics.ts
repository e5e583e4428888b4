/**
 * The numbers of a report that are charted and alerted on, by dotted name. A metric's place in `metrics`
 * is its number in the sample log on disk: it keeps that number for ever. Add at the end; never move,
 * remove or reuse one.
 */

export type MetricUnit = "percent" | "load" | "bytes" | "bytesPerSecond" | "count" | "celsius";

/** `fraction` is kept as float32, `whole` exactly up to 2^53 − 1. */
export type MetricKind = "fraction" | "whole";

interface Metric {
  readonly name: string;
  readonly unit: MetricUnit;
  readonly kind: MetricKind;
}

/** Every stored metric; its index is its number on disk. */
export const metrics = [
  { name: "cpu.usagePercent", unit: "percent", kind: "fraction" },
  { name: "cpu.iowaitPercent", unit: "percent", kind: "fraction" },
  { name: "cpu.stealPercent", unit: "percent", kind: "fraction" },
  { name: "load.one", unit: "load", kind: "fraction" },
  { name: "load.five", unit: "load", kind: "fraction" },
  { name: "load.fifteen", unit: "load", kind: "fraction" },
  { name: "memory.totalBytes", unit: "bytes", kind: "whole" },
  { name: "memory.usedBytes", unit: "bytes", kind: "whole" },
  { name: "memory.cacheBytes", unit: "bytes", kind: "whole" },
  { name: "swap.totalBytes", unit: "bytes", kind: "whole" },
  { name: "swap.usedBytes", unit: "bytes", kind: "whole" },
  { name: "disk.totalBytes", unit: "bytes", kind: "whole" },
  { name: "disk.usedBytes", unit: "bytes", kind: "whole" },
  { name: "disk.readBytesPerSecond", unit: "bytesPerSecond", kind: "whole" },
  { name: "disk.writeBytesPerSecond", unit: "bytesPerSecond", kind: "whole" },
  { name: "network.rxBytesPerSecond", unit: "bytesPerSecond", kind: "whole" },
  { name: "network.txBytesPerSecond", unit: "bytesPerSecond", kind: "whole" },
  { name: "network.rxTotalBytes", unit: "bytes", kind: "whole" },
  { name: "network.txTotalBytes", unit: "bytes", kind: "whole" },
  { name: "connections.tcp", unit: "count", kind: "whole" },
  { name: "connections.udp", unit: "count", kind: "whole" },
  { name: "processes", unit: "count", kind: "whole" },
  /** The hottest of all sensors. */
  { name: "temperatures.maxCelsius", unit: "celsius", kind: "fraction" },
  /** The busiest of all GPUs. */
  { name: "gpus.maxUsagePercent", unit: "percent", kind: "fraction" },
] as const satisfies readonly Metric[];

/** Metrics that are not stored but reckoned from two stored ones when they are read: 100 × part ÷ whole. */
const derivedMetrics = [
  { name: "memory.usedPercent", unit: "percent", part: "memory.usedBytes", whole: "memory.totalBytes" },
  { name: "swap.usedPercent", unit: "percent", part: "swap.usedBytes", whole: "swap.totalBytes" },
  { name: "disk.usedPercent", unit: "percent", part: "disk.usedBytes", whole: "disk.totalBytes" },
] as const;

export type StoredMetricName = (typeof metrics)[number]["name"];
export type DerivedMetricName = (typeof derivedMetrics)[number]["name"];
/** What a chart or an alert rule may name. */
export type MetricName = StoredMetricName | DerivedMetricName;

/** One report's charted numbers, by metric number; NaN where the report had none. */
export type MetricRow = readonly number[];

/** The kinds by metric number, as the sample log wants them. */
export const metricKinds: readonly MetricKind[] = metrics.map((metric) => metric.kind);

/** All names, stored and derived, for schemas and lists. */
export const metricNames: readonly MetricName[] = [
  ...metrics.map((metric) => metric.name),
  ...derivedMetrics.map((metric) => metric.name),
];

const numbers = new Map<string, number>(metrics.map((metric, index) => [metric.name, index]));

/** How a metric is read from a row: as it is stored, or as 100 × part ÷ whole. */
export type MetricSource =
  | { readonly type: "stored"; readonly index: number }
  | { readonly type: "percent"; readonly part: number; readonly whole: number };

const sources = new Map<string, MetricSource>([
  ...metrics.map(({ name }, index): [string, MetricSource] => [name, { type: "stored", index }]),
  ...derivedMetrics.map(({ name, part, whole }): [string, MetricSource] => [
    name,
    { type: "percent", part: metricIndex(part), whole: metricIndex(whole) },
  ]),
]);

/** Whether `name` can be charted. */
export function isMetricName(name: string): name is MetricName {
  return sources.has(name);
}

/** The number of a stored metric. */
export function metricIndex(name: StoredMetricName): number {
  const index = numbers.get(name);
  if (index === undefined) throw new TypeError(`No stored metric "${name}"`);
  return index;
}

/** Where a metric's values come from. */
export function metricSource(name: MetricName): MetricSource {
  const source = sources.get(name);
  if (source === undefined) throw new TypeError(`No metric "${name}"`);
  return source;
}

/** 100 × part ÷ whole; NaN when either is not known or the whole is 0. */
export function toPercent(part: number, whole: number): number {
  return whole > 0 ? (100 * part) / whole : Number.NaN;
}

/** One metric of one row, derived ones included; NaN when the report had none. */
export function readMetric(row: MetricRow, name: MetricName): number {
  const source = metricSource(name);
  if (source.type === "stored") return row[source.index] ?? Number.NaN;
  return toPercent(row[source.part] ?? Number.NaN, row[source.whole] ?? Number.NaN);
}
