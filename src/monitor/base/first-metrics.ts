/** The first metrics, by their numbers on disk. Closed: later ones are in `metric-table.ts`. */
import type { ChartedReport } from "./report-schema.ts";
import type { Metric } from "./metric.ts";

type Space = NonNullable<NonNullable<ChartedReport["disk"]>["mounts"]>[number];

/** The item for which `read` finds the largest number. */
function findMost<T>(
  items: readonly T[] | undefined,
  read: (item: T) => number | undefined,
): { readonly item: T; readonly value: number } | undefined {
  let most: { item: T; value: number } | undefined;
  for (const item of items ?? []) {
    const value = read(item);
    if (value !== undefined && (most === undefined || value > most.value)) most = { item, value };
  }
  return most;
}

function toUsedPercent({ usedBytes, totalBytes }: Space): number | undefined {
  return usedBytes === undefined || totalBytes === undefined || totalBytes === 0
    ? undefined
    : (100 * usedBytes) / totalBytes;
}

/** The fullest of all mounts; undefined when a report names none. */
function findFullestMount({ disk }: ChartedReport): ReturnType<typeof findMost<Space>> {
  return findMost(disk?.mounts, toUsedPercent);
}

/** Numbers 0 to 25. */
export const firstMetrics = [
  {
    name: "cpu.usagePercent",
    unit: "percent",
    kind: "fraction",
    read: ({ cpu }) => cpu?.usagePercent,
    isListed: true,
    exported: {
      name: "trivet_server_cpu_usage_ratio",
      help: "CPU usage, 0 to 1",
      type: "gauge",
      scale: 0.01,
    },
  },
  {
    name: "cpu.iowaitPercent",
    unit: "percent",
    kind: "fraction",
    read: ({ cpu }) => cpu?.iowaitPercent,
    isListed: true,
  },
  {
    name: "cpu.stealPercent",
    unit: "percent",
    kind: "fraction",
    read: ({ cpu }) => cpu?.stealPercent,
    isListed: true,
  },
  {
    name: "load.one",
    unit: "load",
    kind: "fraction",
    read: ({ load }) => load?.one,
    isListed: true,
    exported: { name: "trivet_server_load1", help: "Load average over a minute", type: "gauge" },
  },
  {
    name: "load.five",
    unit: "load",
    kind: "fraction",
    read: ({ load }) => load?.five,
    isListed: true,
  },
  {
    name: "load.fifteen",
    unit: "load",
    kind: "fraction",
    read: ({ load }) => load?.fifteen,
    isListed: true,
  },
  {
    name: "memory.totalBytes",
    unit: "bytes",
    kind: "whole",
    read: ({ memory }) => memory?.totalBytes,
    isListed: true,
    exported: { name: "trivet_server_memory_size_bytes", help: "Total memory", type: "gauge" },
  },
  {
    name: "memory.usedBytes",
    unit: "bytes",
    kind: "whole",
    read: ({ memory }) => memory?.usedBytes,
    isListed: true,
    exported: { name: "trivet_server_memory_used_bytes", help: "Memory in use", type: "gauge" },
  },
  {
    name: "memory.cacheBytes",
    unit: "bytes",
    kind: "whole",
    read: ({ memory }) => memory?.cacheBytes,
    isListed: true,
  },
  {
    name: "swap.totalBytes",
    unit: "bytes",
    kind: "whole",
    read: ({ swap }) => swap?.totalBytes,
    isListed: true,
  },
  {
    name: "swap.usedBytes",
    unit: "bytes",
    kind: "whole",
    read: ({ swap }) => swap?.usedBytes,
    isListed: true,
  },
  {
    name: "disk.totalBytes",
    unit: "bytes",
    kind: "whole",
    read: ({ disk }) => disk?.totalBytes,
    isListed: true,
    exported: { name: "trivet_server_disk_size_bytes", help: "Total disk space", type: "gauge" },
  },
  {
    name: "disk.usedBytes",
    unit: "bytes",
    kind: "whole",
    read: ({ disk }) => disk?.usedBytes,
    isListed: true,
    exported: { name: "trivet_server_disk_used_bytes", help: "Disk space in use", type: "gauge" },
  },
  {
    name: "disk.readBytesPerSecond",
    unit: "bytesPerSecond",
    kind: "whole",
    read: ({ disk }) => disk?.readBytesPerSecond,
    isListed: true,
  },
  {
    name: "disk.writeBytesPerSecond",
    unit: "bytesPerSecond",
    kind: "whole",
    read: ({ disk }) => disk?.writeBytesPerSecond,
    isListed: true,
  },
  {
    name: "network.rxBytesPerSecond",
    unit: "bytesPerSecond",
    kind: "whole",
    read: ({ network }) => network?.rxBytesPerSecond,
    isListed: true,
  },
  {
    name: "network.txBytesPerSecond",
    unit: "bytesPerSecond",
    kind: "whole",
    read: ({ network }) => network?.txBytesPerSecond,
    isListed: true,
  },
  {
    name: "network.rxTotalBytes",
    unit: "bytes",
    kind: "whole",
    read: ({ network }) => network?.rxTotalBytes,
    isListed: true,
    exported: {
      name: "trivet_server_network_receive_bytes",
      help: "Bytes received since boot",
      type: "counter",
    },
  },
  {
    name: "network.txTotalBytes",
    unit: "bytes",
    kind: "whole",
    read: ({ network }) => network?.txTotalBytes,
    isListed: true,
    exported: {
      name: "trivet_server_network_transmit_bytes",
      help: "Bytes sent since boot",
      type: "counter",
    },
  },
  {
    name: "connections.tcp",
    unit: "count",
    kind: "whole",
    read: ({ connections }) => connections?.tcp,
    isListed: true,
  },
  {
    name: "connections.udp",
    unit: "count",
    kind: "whole",
    read: ({ connections }) => connections?.udp,
    isListed: true,
  },
  {
    name: "processes",
    unit: "count",
    kind: "whole",
    read: ({ processes }) => processes,
    isListed: true,
  },
  /** The hottest of all sensors. */
  {
    name: "temperatures.maxCelsius",
    unit: "celsius",
    kind: "fraction",
    read: ({ temperatures }) => findMost(temperatures, ({ celsius }) => celsius)?.value,
    subject: ({ temperatures }) => findMost(temperatures, ({ celsius }) => celsius)?.item.name,
    isReckoned: true,
  },
  /** The busiest of all GPUs. */
  {
    name: "gpus.maxUsagePercent",
    unit: "percent",
    kind: "fraction",
    read: ({ gpus }) => findMost(gpus, ({ usagePercent }) => usagePercent)?.value,
    subject: ({ gpus }) => findMost(gpus, ({ usagePercent }) => usagePercent)?.item.name,
    isReckoned: true,
  },
  /** Of a machine that names no mounts: the use of all disks together. */
  {
    name: "disk.fullestPercent",
    unit: "percent",
    kind: "fraction",
    read: (report) => findFullestMount(report)?.value ?? (report.disk && toUsedPercent(report.disk)),
    subject: (report) => findFullestMount(report)?.item.path,
    isReckoned: true,
    exported: {
      name: "trivet_server_disk_fullest_ratio",
      help: "Usage of the fullest disk, 0 to 1",
      type: "gauge",
      scale: 0.01,
    },
  },
  /** Falls when the machine restarts: charts mark that. */
  {
    name: "uptimeSeconds",
    unit: "seconds",
    kind: "whole",
    read: ({ uptimeSeconds }) => uptimeSeconds,
    isListed: true,
  },
] as const satisfies readonly Metric[];
