/** The charts of a server: which metrics share a chart, and in which unit. */
import { type TextName, text } from "../app/texts.ts";

export type ChartUnit =
  | "percent"
  | "bytes"
  | "bytesPerSecond"
  | "count"
  | "load"
  | "celsius"
  | "milliseconds";

export interface ChartLine {
  /** Name of a metric of GET /api/servers/{id}/history. */
  readonly metric: string;
  readonly label: TextName;
  /** Its name where that is no text of the page, such as that of a machine. */
  readonly name?: string;
}

/** The name of a line. */
export function toLineName({ label, name }: ChartLine): string {
  return name ?? text(label);
}

export interface ChartSpec {
  readonly key: string;
  readonly title: TextName;
  readonly unit: ChartUnit;
  /** Four at most: so many colours can be told apart. */
  readonly lines: readonly ChartLine[];
}

/** A part of a server, whose metrics are of its own kind. */
export interface ChartedPart {
  readonly kind: string;
  readonly name: string;
}

/** Names of metrics with their labels. */
export function toLines(labels: Readonly<Record<string, TextName>>): readonly ChartLine[] {
  return Object.entries(labels).map(([metric, label]) => ({ metric, label }));
}

/** In the order of the page. */
export const chartSpecs: readonly ChartSpec[] = [
  {
    key: "cpu",
    title: "metric.cpu",
    unit: "percent",
    lines: toLines({
      "cpu.usagePercent": "chart.usage",
      "cpu.iowaitPercent": "chart.iowait",
      "cpu.stealPercent": "chart.steal",
    }),
  },
  {
    key: "memory",
    title: "metric.memory",
    unit: "percent",
    lines: toLines({ "memory.usedPercent": "metric.memory", "swap.usedPercent": "metric.swap" }),
  },
  {
    key: "network",
    title: "metric.network",
    unit: "bytesPerSecond",
    lines: toLines({ "network.rxBytesPerSecond": "metric.down", "network.txBytesPerSecond": "metric.up" }),
  },
  {
    key: "disk",
    title: "chart.disk",
    unit: "percent",
    lines: toLines({ "disk.fullestPercent": "chart.fullest", "disk.usedPercent": "chart.used" }),
  },
  {
    key: "io",
    title: "chart.io",
    unit: "bytesPerSecond",
    lines: toLines({ "disk.readBytesPerSecond": "chart.read", "disk.writeBytesPerSecond": "chart.write" }),
  },
  {
    key: "load",
    title: "metric.load",
    unit: "load",
    lines: toLines({ "load.one": "chart.load1", "load.five": "chart.load5", "load.fifteen": "chart.load15" }),
  },
  {
    key: "pressure",
    title: "chart.pressure",
    unit: "percent",
    lines: toLines({
      "pressure.cpuPercent": "metric.cpu",
      "pressure.memoryPercent": "metric.memory",
      "pressure.ioPercent": "metric.disk",
    }),
  },
  {
    key: "connections",
    title: "chart.connections",
    unit: "count",
    lines: toLines({ "connections.tcp": "chart.tcp", "connections.udp": "chart.udp" }),
  },
  {
    key: "processes",
    title: "chart.processes",
    unit: "count",
    lines: toLines({ processes: "chart.processes" }),
  },
  {
    key: "temperature",
    title: "chart.temperature",
    unit: "celsius",
    lines: toLines({ "temperatures.maxCelsius": "chart.hottest" }),
  },
  {
    key: "gpu",
    title: "chart.gpu",
    unit: "percent",
    lines: toLines({ "gpus.maxUsagePercent": "chart.busiest" }),
  },
];

/** The charts that a server has values for, with the lines that it has; `read` gives its latest values. */
export function chooseCharts(read: (metric: string) => number | undefined): readonly ChartSpec[] {
  return chartSpecs
    .map((spec) => ({ ...spec, lines: spec.lines.filter(({ metric }) => read(metric) !== undefined) }))
    .filter(({ lines }) => lines.length > 0);
}
