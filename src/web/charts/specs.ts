/** The charts of a server: which metrics stand together, in which unit. */
import type { TextName } from "../app/texts.ts";

export type ChartUnit = "percent" | "bytesPerSecond" | "count" | "load" | "celsius";

export interface ChartLine {
  /** Name of a metric of GET /api/servers/{id}/history. */
  readonly metric: string;
  readonly label: TextName;
}

export interface ChartSpec {
  readonly key: string;
  readonly title: TextName;
  readonly unit: ChartUnit;
  /** Four at most: so many colours can be told apart. */
  readonly lines: readonly ChartLine[];
}

/** In the order of the page. */
export const chartSpecs: readonly ChartSpec[] = [
  {
    key: "cpu",
    title: "metric.cpu",
    unit: "percent",
    lines: [
      { metric: "cpu.usagePercent", label: "chart.usage" },
      { metric: "cpu.iowaitPercent", label: "chart.iowait" },
      { metric: "cpu.stealPercent", label: "chart.steal" },
    ],
  },
  {
    key: "memory",
    title: "metric.memory",
    unit: "percent",
    lines: [
      { metric: "memory.usedPercent", label: "metric.memory" },
      { metric: "swap.usedPercent", label: "metric.swap" },
    ],
  },
  {
    key: "network",
    title: "metric.network",
    unit: "bytesPerSecond",
    lines: [
      { metric: "network.rxBytesPerSecond", label: "metric.down" },
      { metric: "network.txBytesPerSecond", label: "metric.up" },
    ],
  },
  {
    key: "disk",
    title: "chart.disk",
    unit: "percent",
    lines: [{ metric: "disk.usedPercent", label: "chart.used" }],
  },
  {
    key: "io",
    title: "chart.io",
    unit: "bytesPerSecond",
    lines: [
      { metric: "disk.readBytesPerSecond", label: "chart.read" },
      { metric: "disk.writeBytesPerSecond", label: "chart.write" },
    ],
  },
  {
    key: "load",
    title: "metric.load",
    unit: "load",
    lines: [
      { metric: "load.one", label: "chart.load1" },
      { metric: "load.five", label: "chart.load5" },
      { metric: "load.fifteen", label: "chart.load15" },
    ],
  },
  {
    key: "connections",
    title: "chart.connections",
    unit: "count",
    lines: [
      { metric: "connections.tcp", label: "chart.tcp" },
      { metric: "connections.udp", label: "chart.udp" },
    ],
  },
  {
    key: "processes",
    title: "chart.processes",
    unit: "count",
    lines: [{ metric: "processes", label: "chart.processes" }],
  },
  {
    key: "temperature",
    title: "chart.temperature",
    unit: "celsius",
    lines: [{ metric: "temperatures.maxCelsius", label: "chart.hottest" }],
  },
  {
    key: "gpu",
    title: "chart.gpu",
    unit: "percent",
    lines: [{ metric: "gpus.maxUsagePercent", label: "chart.busiest" }],
  },
];

/** The charts that a server has values for, with the lines that it has; `read` gives its latest values. */
export function chooseCharts(read: (metric: string) => number | undefined): readonly ChartSpec[] {
  return chartSpecs
    .map((spec) => ({ ...spec, lines: spec.lines.filter(({ metric }) => read(metric) !== undefined) }))
    .filter(({ lines }) => lines.length > 0);
}
