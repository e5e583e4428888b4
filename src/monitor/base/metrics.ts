/** Metrics by name and by number: `metric-table.ts` says what they are. */
import type { KindText } from "./labels.ts";
import type { Metric, MetricKind, MetricUnit } from "./metric.ts";
import { derivedMetrics, metrics } from "./metric-table.ts";

export type StoredMetricName = (typeof metrics)[number]["name"];
export type DerivedMetricName = (typeof derivedMetrics)[number]["name"];
/** Metrics for charts and alert rules. */
export type MetricName = StoredMetricName | DerivedMetricName;

/** One report's charted numbers, by metric number; NaN where the report had none. */
export type MetricRow = readonly number[];

/** The kinds by metric number, as the sample log wants them. */
export const metricKinds: readonly MetricKind[] = metrics.map((metric) => metric.kind);

const units = new Map<string, MetricUnit>(
  [...metrics, ...derivedMetrics].map(({ name, unit }) => [name, unit]),
);

const privateNames: ReadonlySet<string> = new Set(
  metrics.flatMap((metric: Metric) => (metric.isPrivate === true ? [metric.name] : [])),
);

/** Whether administrators alone see it. */
export function isPrivateMetric(name: MetricName): boolean {
  return privateNames.has(name);
}

/** The unit of a metric's values. */
export function unitOf(name: MetricName): MetricUnit {
  return units.get(name) ?? "count";
}

/** The label of a metric. */
export function labelOf(name: MetricName): KindText {
  return `metric.${name}`;
}

/** All names of servers' metrics, stored and derived, for schemas and lists. */
export const metricNames: readonly MetricName[] = [
  ...metrics.filter((metric: Metric) => metric.isOfChecks !== true).map((metric) => metric.name),
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

const servers: ReadonlySet<string> = new Set(metricNames);

/** Whether `name` can be charted of a server. */
export function isMetricName(name: string): name is MetricName {
  return servers.has(name);
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
