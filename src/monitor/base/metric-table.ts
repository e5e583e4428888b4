/**
 * Every number of a report that is charted and alerted on: name, unit, label, how it is read, who sees it. A metric's
 * place in `metrics` is its number in the sample log on disk: it keeps that number for ever. Add at the end; never
 * move, remove or reuse one.
 */
import { firstMetrics } from "./first-metrics.ts";
import type { ChartedReport } from "./report-schema.ts";
import type { Metric } from "./metric.ts";

interface Named {
  readonly name?: string | undefined;
}

/** The names of those that are meant. */
function toNames<T extends Named>(
  items: readonly T[] | undefined,
  isMeant: (item: T) => boolean = () => true,
): string | undefined {
  return items
    ?.filter(isMeant)
    .map(({ name }) => name)
    .join(", ");
}

type Container = NonNullable<NonNullable<ChartedReport["details"]>["containers"]>[number];

function isExited({ state }: Container): boolean {
  return state === "exited" || state === "dead";
}

function isUnhealthy({ state, health }: Container): boolean {
  return health === "unhealthy" || state === "restarting" || state === "dead";
}

function toExtraNames(details: ChartedReport["details"], wanted: string): string | undefined {
  const values = details?.extras?.flatMap((extra) => extra.values ?? []);
  return toNames(values, ({ state }) => state === wanted);
}

/** Every stored metric; its index is its number on disk. */
export const metrics = [
  ...firstMetrics,
  {
    name: "pressure.cpuPercent",
    unit: "percent",
    kind: "fraction",
    label: { en: "Waiting for the CPU", zh: "等待 CPU 的时间", de: "Warten auf die CPU" },
    read: ({ pressure }) => pressure?.cpuPercent,
  },
  {
    name: "pressure.memoryPercent",
    unit: "percent",
    kind: "fraction",
    label: { en: "Waiting for memory", zh: "等待内存的时间", de: "Warten auf Speicher" },
    read: ({ pressure }) => pressure?.memoryPercent,
  },
  {
    name: "pressure.ioPercent",
    unit: "percent",
    kind: "fraction",
    label: { en: "Waiting for disks", zh: "等待磁盘的时间", de: "Warten auf Festplatten" },
    read: ({ pressure }) => pressure?.ioPercent,
  },
  {
    name: "containers.running",
    unit: "count",
    kind: "whole",
    isPrivate: true,
    label: { en: "Containers that run", zh: "运行中的容器", de: "Laufende Container" },
    read: ({ containers }) => containers?.running,
  },
  {
    name: "containers.exited",
    unit: "count",
    kind: "whole",
    isPrivate: true,
    label: { en: "Containers that have ended", zh: "已退出的容器", de: "Beendete Container" },
    read: ({ containers }) => containers?.exited,
    subject: ({ details }) => toNames(details?.containers, isExited),
  },
  {
    name: "containers.unhealthy",
    unit: "count",
    kind: "whole",
    isPrivate: true,
    label: { en: "Unhealthy containers", zh: "不健康的容器", de: "Ungesunde Container" },
    read: ({ containers }) => containers?.unhealthy,
    subject: ({ details }) => toNames(details?.containers, isUnhealthy),
  },
  {
    name: "systemd.failedUnits",
    unit: "count",
    kind: "whole",
    isPrivate: true,
    label: { en: "Failed units of systemd", zh: "失败的 systemd 单元", de: "Fehlgeschlagene systemd-Units" },
    read: ({ systemd }) => systemd?.failedUnits,
    subject: ({ details }) => toNames(details?.failedUnits),
  },
  {
    name: "raid.degradedArrays",
    unit: "count",
    kind: "whole",
    isPrivate: true,
    label: { en: "Degraded RAID arrays", zh: "降级的 RAID 阵列", de: "Beeinträchtigte RAID-Verbünde" },
    read: ({ raid }) => raid?.degradedArrays,
  },
  {
    name: "battery.percent",
    unit: "percent",
    kind: "fraction",
    isPrivate: true,
    label: { en: "Battery charge", zh: "电池电量", de: "Akkuladung" },
    read: ({ battery }) => battery?.percent,
  },
  {
    name: "extra.warnings",
    unit: "count",
    kind: "whole",
    isPrivate: true,
    label: { en: "Extra values with a warning", zh: "处于警告状态的附加值", de: "Zusatzwerte mit Warnung" },
    read: ({ extra }) => extra?.warnings,
    subject: ({ details }) => toExtraNames(details, "warning"),
  },
  {
    name: "extra.criticals",
    unit: "count",
    kind: "whole",
    isPrivate: true,
    label: {
      en: "Extra values in a critical state",
      zh: "处于严重状态的附加值",
      de: "Kritische Zusatzwerte",
    },
    read: ({ extra }) => extra?.criticals,
    subject: ({ details }) => toExtraNames(details, "critical"),
  },
  {
    name: "check.latencyMs",
    unit: "count",
    kind: "fraction",
    isOfChecks: true,
    label: { en: "Response time (ms)", zh: "响应时间（毫秒）", de: "Antwortzeit (ms)" },
    read: () => undefined,
  },
  {
    name: "check.upPercent",
    unit: "percent",
    kind: "fraction",
    isOfChecks: true,
    label: { en: "Uptime", zh: "可用率", de: "Verfügbarkeit" },
    read: () => undefined,
  },
] as const satisfies readonly Metric[];

/** Metrics that are not stored but reckoned from two stored ones when they are read: 100 × part ÷ whole. */
export const derivedMetrics = [
  {
    name: "memory.usedPercent",
    unit: "percent",
    label: { en: "Memory used", zh: "内存使用率", de: "Speicher belegt" },
    part: "memory.usedBytes",
    whole: "memory.totalBytes",
  },
  {
    name: "swap.usedPercent",
    unit: "percent",
    label: { en: "Swap used", zh: "交换空间使用率", de: "Swap belegt" },
    part: "swap.usedBytes",
    whole: "swap.totalBytes",
  },
  {
    name: "disk.usedPercent",
    unit: "percent",
    label: { en: "Disk used", zh: "磁盘使用率", de: "Festplatte belegt" },
    part: "disk.usedBytes",
    whole: "disk.totalBytes",
  },
] as const;
