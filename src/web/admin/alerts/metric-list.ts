/** The metrics that a rule can name, with the unit of their thresholds. */
import type { AlertRuleFields } from "../../../monitor/alerts/schema.ts";

export type MetricName = Extract<AlertRuleFields, { kind: "metric" }>["metric"];
export type MetricUnit = "percent" | "plain" | "bytes" | "bytesPerSecond" | "celsius";

/** What is asked for most comes first. A metric that the monitor learns must be named here, or this is no record of all. */
const units: Readonly<Record<MetricName, MetricUnit>> = {
  "cpu.usagePercent": "percent",
  "memory.usedPercent": "percent",
  "disk.usedPercent": "percent",
  "swap.usedPercent": "percent",
  "load.one": "plain",
  "load.five": "plain",
  "load.fifteen": "plain",
  "network.rxBytesPerSecond": "bytesPerSecond",
  "network.txBytesPerSecond": "bytesPerSecond",
  "disk.readBytesPerSecond": "bytesPerSecond",
  "disk.writeBytesPerSecond": "bytesPerSecond",
  "temperatures.maxCelsius": "celsius",
  "gpus.maxUsagePercent": "percent",
  "cpu.iowaitPercent": "percent",
  "cpu.stealPercent": "percent",
  "connections.tcp": "plain",
  "connections.udp": "plain",
  processes: "plain",
  "memory.usedBytes": "bytes",
  "memory.cacheBytes": "bytes",
  "memory.totalBytes": "bytes",
  "swap.usedBytes": "bytes",
  "swap.totalBytes": "bytes",
  "disk.usedBytes": "bytes",
  "disk.totalBytes": "bytes",
  "network.rxTotalBytes": "bytes",
  "network.txTotalBytes": "bytes",
};

/** All metrics in the order of the list. */
// The keys of the record above, which TypeScript widens to text.
export const metricNames: readonly MetricName[] = Object.keys(units) as MetricName[];

/** The unit of a metric. */
export function toMetricUnit(metric: MetricName): MetricUnit {
  return units[metric];
}

/** Whether a threshold of this metric is an amount of bytes. */
export function isByteMetric(metric: MetricName): boolean {
  return units[metric] === "bytes" || units[metric] === "bytesPerSecond";
}
