/** The first metrics, by their numbers on disk. Closed: later ones stand in `metric-table.ts`. */
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
    label: { en: "CPU use", zh: "CPU 使用率", de: "CPU-Auslastung" },
    read: ({ cpu }) => cpu?.usagePercent,
    isListed: true,
    exported: { name: "trivet_server_cpu_usage_ratio", help: "CPU use, 0 to 1", type: "gauge", scale: 0.01 },
  },
  {
    name: "cpu.iowaitPercent",
    unit: "percent",
    kind: "fraction",
    label: { en: "CPU waiting for disks", zh: "CPU 等待 IO", de: "CPU wartet auf Festplatten" },
    read: ({ cpu }) => cpu?.iowaitPercent,
    isListed: true,
  },
  {
    name: "cpu.stealPercent",
    unit: "percent",
    kind: "fraction",
    label: { en: "CPU taken by the host", zh: "CPU 被宿主占用", de: "CPU vom Host belegt" },
    read: ({ cpu }) => cpu?.stealPercent,
    isListed: true,
  },
  {
    name: "load.one",
    unit: "load",
    kind: "fraction",
    label: { en: "1-minute load", zh: "1 分钟负载", de: "1-Minuten-Last" },
    read: ({ load }) => load?.one,
    isListed: true,
    exported: { name: "trivet_server_load1", help: "Load average over a minute", type: "gauge" },
  },
  {
    name: "load.five",
    unit: "load",
    kind: "fraction",
    label: { en: "5-minute load", zh: "5 分钟负载", de: "5-Minuten-Last" },
    read: ({ load }) => load?.five,
    isListed: true,
  },
  {
    name: "load.fifteen",
    unit: "load",
    kind: "fraction",
    label: { en: "15-minute load", zh: "15 分钟负载", de: "15-Minuten-Last" },
    read: ({ load }) => load?.fifteen,
    isListed: true,
  },
  {
    name: "memory.totalBytes",
    unit: "bytes",
    kind: "whole",
    label: { en: "Memory size", zh: "内存总量", de: "Speichergröße" },
    read: ({ memory }) => memory?.totalBytes,
    isListed: true,
    exported: { name: "trivet_server_memory_size_bytes", help: "Memory there is", type: "gauge" },
  },
  {
    name: "memory.usedBytes",
    unit: "bytes",
    kind: "whole",
    label: { en: "Memory used (bytes)", zh: "内存已用（字节）", de: "Speicher belegt (Bytes)" },
    read: ({ memory }) => memory?.usedBytes,
    isListed: true,
    exported: { name: "trivet_server_memory_used_bytes", help: "Memory in use", type: "gauge" },
  },
  {
    name: "memory.cacheBytes",
    unit: "bytes",
    kind: "whole",
    label: { en: "Memory for caches", zh: "缓存占用内存", de: "Speicher für Caches" },
    read: ({ memory }) => memory?.cacheBytes,
    isListed: true,
  },
  {
    name: "swap.totalBytes",
    unit: "bytes",
    kind: "whole",
    label: { en: "Swap size", zh: "交换空间总量", de: "Swap-Größe" },
    read: ({ swap }) => swap?.totalBytes,
    isListed: true,
  },
  {
    name: "swap.usedBytes",
    unit: "bytes",
    kind: "whole",
    label: { en: "Swap used (bytes)", zh: "交换空间已用（字节）", de: "Swap belegt (Bytes)" },
    read: ({ swap }) => swap?.usedBytes,
    isListed: true,
  },
  {
    name: "disk.totalBytes",
    unit: "bytes",
    kind: "whole",
    label: { en: "Disk size", zh: "磁盘总量", de: "Festplattengröße" },
    read: ({ disk }) => disk?.totalBytes,
    isListed: true,
    exported: { name: "trivet_server_disk_size_bytes", help: "Disk space there is", type: "gauge" },
  },
  {
    name: "disk.usedBytes",
    unit: "bytes",
    kind: "whole",
    label: { en: "Disk used (bytes)", zh: "磁盘已用（字节）", de: "Festplatte belegt (Bytes)" },
    read: ({ disk }) => disk?.usedBytes,
    isListed: true,
    exported: { name: "trivet_server_disk_used_bytes", help: "Disk space in use", type: "gauge" },
  },
  {
    name: "disk.readBytesPerSecond",
    unit: "bytesPerSecond",
    kind: "whole",
    label: { en: "Disk reads", zh: "磁盘读取速度", de: "Festplatte lesend" },
    read: ({ disk }) => disk?.readBytesPerSecond,
    isListed: true,
  },
  {
    name: "disk.writeBytesPerSecond",
    unit: "bytesPerSecond",
    kind: "whole",
    label: { en: "Disk writes", zh: "磁盘写入速度", de: "Festplatte schreibend" },
    read: ({ disk }) => disk?.writeBytesPerSecond,
    isListed: true,
  },
  {
    name: "network.rxBytesPerSecond",
    unit: "bytesPerSecond",
    kind: "whole",
    label: { en: "Network in", zh: "下行速度", de: "Netz eingehend" },
    read: ({ network }) => network?.rxBytesPerSecond,
    isListed: true,
  },
  {
    name: "network.txBytesPerSecond",
    unit: "bytesPerSecond",
    kind: "whole",
    label: { en: "Network out", zh: "上行速度", de: "Netz ausgehend" },
    read: ({ network }) => network?.txBytesPerSecond,
    isListed: true,
  },
  {
    name: "network.rxTotalBytes",
    unit: "bytes",
    kind: "whole",
    label: { en: "Received since boot", zh: "开机以来接收", de: "Seit dem Start empfangen" },
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
    label: { en: "Sent since boot", zh: "开机以来发送", de: "Seit dem Start gesendet" },
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
    label: { en: "TCP connections", zh: "TCP 连接数", de: "TCP-Verbindungen" },
    read: ({ connections }) => connections?.tcp,
    isListed: true,
  },
  {
    name: "connections.udp",
    unit: "count",
    kind: "whole",
    label: { en: "UDP sockets", zh: "UDP 连接数", de: "UDP-Sockets" },
    read: ({ connections }) => connections?.udp,
    isListed: true,
  },
  {
    name: "processes",
    unit: "count",
    kind: "whole",
    label: { en: "Processes", zh: "进程数", de: "Prozesse" },
    read: ({ processes }) => processes,
    isListed: true,
  },
  /** The hottest of all sensors. */
  {
    name: "temperatures.maxCelsius",
    unit: "celsius",
    kind: "fraction",
    label: { en: "Hottest sensor", zh: "最高温度", de: "Heißester Sensor" },
    read: ({ temperatures }) => findMost(temperatures, ({ celsius }) => celsius)?.value,
    subject: ({ temperatures }) => findMost(temperatures, ({ celsius }) => celsius)?.item.name,
    isReckoned: true,
  },
  /** The busiest of all GPUs. */
  {
    name: "gpus.maxUsagePercent",
    unit: "percent",
    kind: "fraction",
    label: { en: "Busiest GPU", zh: "最忙 GPU 使用率", de: "Am stärksten ausgelastete GPU" },
    read: ({ gpus }) => findMost(gpus, ({ usagePercent }) => usagePercent)?.value,
    subject: ({ gpus }) => findMost(gpus, ({ usagePercent }) => usagePercent)?.item.name,
    isReckoned: true,
  },
  /** Of a machine that names no mounts: the use of all disks together. */
  {
    name: "disk.fullestPercent",
    unit: "percent",
    kind: "fraction",
    label: { en: "Fullest disk", zh: "最满磁盘使用率", de: "Vollste Festplatte" },
    read: (report) => findFullestMount(report)?.value ?? (report.disk && toUsedPercent(report.disk)),
    subject: (report) => findFullestMount(report)?.item.path,
    isReckoned: true,
    exported: {
      name: "trivet_server_disk_fullest_ratio",
      help: "Use of the fullest disk, 0 to 1",
      type: "gauge",
      scale: 0.01,
    },
  },
  /** Falls when the machine restarts: charts mark that. */
  {
    name: "uptimeSeconds",
    unit: "seconds",
    kind: "whole",
    label: {
      en: "Time since the last restart",
      zh: "距上次重启的时间",
      de: "Zeit seit dem letzten Neustart",
    },
    read: ({ uptimeSeconds }) => uptimeSeconds,
    isListed: true,
  },
] as const satisfies readonly Metric[];
