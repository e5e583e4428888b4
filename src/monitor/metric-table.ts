/**
 * Every number of a report that is charted and alerted on: name, unit, label, how it is read, who sees it. A metric's
 * place in `metrics` is its number in the sample log on disk: it keeps that number for ever. Add at the end; never
 * move, remove or reuse one.
 */
import type { ChartedReport } from "./ingest/report-schema.ts";
import type { Labels } from "./labels.ts";

export type MetricUnit = "percent" | "load" | "bytes" | "bytesPerSecond" | "count" | "celsius";

/** `fraction` is kept as float32, `whole` exactly up to 2^53 − 1. */
export type MetricKind = "fraction" | "whole";

interface Metric {
  /** As the number is found in a report. */
  readonly name: string;
  readonly unit: MetricUnit;
  readonly kind: MetricKind;
  readonly label: Labels;
  /** The number of a report; undefined when it has none. */
  readonly read: (report: ChartedReport) => number | undefined;
  /** Whether everybody sees it in lists. */
  readonly isListed?: true;
  /** Its name for Prometheus. */
  readonly exported?: {
    readonly name: string;
    readonly help: string;
    readonly type: "gauge" | "counter";
    readonly scale?: number;
  };
}

/** The largest of what `read` finds in a list. */
function maxOf<T>(
  items: readonly T[] | undefined,
  read: (item: T) => number | undefined,
): number | undefined {
  let max: number | undefined;
  for (const item of items ?? []) {
    const value = read(item);
    if (value !== undefined && (max === undefined || value > max)) max = value;
  }
  return max;
}

/** Every stored metric; its index is its number on disk. */
export const metrics = [
  {
    name: "cpu.usagePercent",
    unit: "percent",
    kind: "fraction",
    label: { en: "CPU use", zh: "CPU 使用率" },
    read: ({ cpu }) => cpu?.usagePercent,
    isListed: true,
    exported: { name: "trivet_server_cpu_usage_ratio", help: "CPU use, 0 to 1", type: "gauge", scale: 0.01 },
  },
  {
    name: "cpu.iowaitPercent",
    unit: "percent",
    kind: "fraction",
    label: { en: "CPU waiting for disks", zh: "CPU 等待 IO" },
    read: ({ cpu }) => cpu?.iowaitPercent,
    isListed: true,
  },
  {
    name: "cpu.stealPercent",
    unit: "percent",
    kind: "fraction",
    label: { en: "CPU taken by the host", zh: "CPU 被宿主占用" },
    read: ({ cpu }) => cpu?.stealPercent,
    isListed: true,
  },
  {
    name: "load.one",
    unit: "load",
    kind: "fraction",
    label: { en: "Load, 1 minute", zh: "1 分钟负载" },
    read: ({ load }) => load?.one,
    isListed: true,
    exported: { name: "trivet_server_load1", help: "Load average over a minute", type: "gauge" },
  },
  {
    name: "load.five",
    unit: "load",
    kind: "fraction",
    label: { en: "Load, 5 minutes", zh: "5 分钟负载" },
    read: ({ load }) => load?.five,
    isListed: true,
  },
  {
    name: "load.fifteen",
    unit: "load",
    kind: "fraction",
    label: { en: "Load, 15 minutes", zh: "15 分钟负载" },
    read: ({ load }) => load?.fifteen,
    isListed: true,
  },
  {
    name: "memory.totalBytes",
    unit: "bytes",
    kind: "whole",
    label: { en: "Memory size", zh: "内存总量" },
    read: ({ memory }) => memory?.totalBytes,
    isListed: true,
    exported: { name: "trivet_server_memory_size_bytes", help: "Memory there is", type: "gauge" },
  },
  {
    name: "memory.usedBytes",
    unit: "bytes",
    kind: "whole",
    label: { en: "Memory used (bytes)", zh: "内存已用（字节）" },
    read: ({ memory }) => memory?.usedBytes,
    isListed: true,
    exported: { name: "trivet_server_memory_used_bytes", help: "Memory in use", type: "gauge" },
  },
  {
    name: "memory.cacheBytes",
    unit: "bytes",
    kind: "whole",
    label: { en: "Memory for caches", zh: "缓存占用内存" },
    read: ({ memory }) => memory?.cacheBytes,
    isListed: true,
  },
  {
    name: "swap.totalBytes",
    unit: "bytes",
    kind: "whole",
    label: { en: "Swap size", zh: "交换空间总量" },
    read: ({ swap }) => swap?.totalBytes,
    isListed: true,
  },
  {
    name: "swap.usedBytes",
    unit: "bytes",
    kind: "whole",
    label: { en: "Swap used (bytes)", zh: "交换空间已用（字节）" },
    read: ({ swap }) => swap?.usedBytes,
    isListed: true,
  },
  {
    name: "disk.totalBytes",
    unit: "bytes",
    kind: "whole",
    label: { en: "Disk size", zh: "磁盘总量" },
    read: ({ disk }) => disk?.totalBytes,
    isListed: true,
    exported: { name: "trivet_server_disk_size_bytes", help: "Disk space there is", type: "gauge" },
  },
  {
    name: "disk.usedBytes",
    unit: "bytes",
    kind: "whole",
    label: { en: "Disk used (bytes)", zh: "磁盘已用（字节）" },
    read: ({ disk }) => disk?.usedBytes,
    isListed: true,
    exported: { name: "trivet_server_disk_used_bytes", help: "Disk space in use", type: "gauge" },
  },
  {
    name: "disk.readBytesPerSecond",
    unit: "bytesPerSecond",
    kind: "whole",
    label: { en: "Disk reads", zh: "磁盘读取速度" },
    read: ({ disk }) => disk?.readBytesPerSecond,
    isListed: true,
  },
  {
    name: "disk.writeBytesPerSecond",
    unit: "bytesPerSecond",
    kind: "whole",
    label: { en: "Disk writes", zh: "磁盘写入速度" },
    read: ({ disk }) => disk?.writeBytesPerSecond,
    isListed: true,
  },
  {
    name: "network.rxBytesPerSecond",
    unit: "bytesPerSecond",
    kind: "whole",
    label: { en: "Network in", zh: "下行速度" },
    read: ({ network }) => network?.rxBytesPerSecond,
    isListed: true,
  },
  {
    name: "network.txBytesPerSecond",
    unit: "bytesPerSecond",
    kind: "whole",
    label: { en: "Network out", zh: "上行速度" },
    read: ({ network }) => network?.txBytesPerSecond,
    isListed: true,
  },
  {
    name: "network.rxTotalBytes",
    unit: "bytes",
    kind: "whole",
    label: { en: "Received since boot", zh: "开机以来接收" },
    read: ({ network }) => network?.rxTotalBytes,
    isListed: true,
    exported: {
      name: "trivet_server_network_receive_bytes",
      help: "Bytes received since the machine started",
      type: "counter",
    },
  },
  {
    name: "network.txTotalBytes",
    unit: "bytes",
    kind: "whole",
    label: { en: "Sent since boot", zh: "开机以来发送" },
    read: ({ network }) => network?.txTotalBytes,
    isListed: true,
    exported: {
      name: "trivet_server_network_transmit_bytes",
      help: "Bytes sent since the machine started",
      type: "counter",
    },
  },
  {
    name: "connections.tcp",
    unit: "count",
    kind: "whole",
    label: { en: "TCP connections", zh: "TCP 连接数" },
    read: ({ connections }) => connections?.tcp,
    isListed: true,
  },
  {
    name: "connections.udp",
    unit: "count",
    kind: "whole",
    label: { en: "UDP sockets", zh: "UDP 连接数" },
    read: ({ connections }) => connections?.udp,
    isListed: true,
  },
  {
    name: "processes",
    unit: "count",
    kind: "whole",
    label: { en: "Processes", zh: "进程数" },
    read: ({ processes }) => processes,
    isListed: true,
  },
  /** The hottest of all sensors. */
  {
    name: "temperatures.maxCelsius",
    unit: "celsius",
    kind: "fraction",
    label: { en: "Hottest sensor", zh: "最高温度" },
    read: ({ temperatures }) => maxOf(temperatures, ({ celsius }) => celsius),
  },
  /** The busiest of all GPUs. */
  {
    name: "gpus.maxUsagePercent",
    unit: "percent",
    kind: "fraction",
    label: { en: "Busiest GPU", zh: "最忙 GPU 使用率" },
    read: ({ gpus }) => maxOf(gpus, ({ usagePercent }) => usagePercent),
  },
] as const satisfies readonly Metric[];

/** Metrics that are not stored but reckoned from two stored ones when they are read: 100 × part ÷ whole. */
export const derivedMetrics = [
  {
    name: "memory.usedPercent",
    unit: "percent",
    label: { en: "Memory used", zh: "内存使用率" },
    part: "memory.usedBytes",
    whole: "memory.totalBytes",
  },
  {
    name: "swap.usedPercent",
    unit: "percent",
    label: { en: "Swap used", zh: "交换空间使用率" },
    part: "swap.usedBytes",
    whole: "swap.totalBytes",
  },
  {
    name: "disk.usedPercent",
    unit: "percent",
    label: { en: "Disk used", zh: "磁盘使用率" },
    part: "disk.usedBytes",
    whole: "disk.totalBytes",
  },
] as const;
