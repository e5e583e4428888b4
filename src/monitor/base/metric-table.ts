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
    read: ({ pressure }) => pressure?.cpuPercent,
  },
  {
    name: "pressure.memoryPercent",
    unit: "percent",
    kind: "fraction",
    read: ({ pressure }) => pressure?.memoryPercent,
  },
  {
    name: "pressure.ioPercent",
    unit: "percent",
    kind: "fraction",
    read: ({ pressure }) => pressure?.ioPercent,
  },
  {
    name: "containers.running",
    unit: "count",
    kind: "whole",
    isPrivate: true,
    read: ({ containers }) => containers?.running,
  },
  {
    name: "containers.exited",
    unit: "count",
    kind: "whole",
    isPrivate: true,
    read: ({ containers }) => containers?.exited,
    subject: ({ details }) => toNames(details?.containers, isExited),
  },
  {
    name: "containers.unhealthy",
    unit: "count",
    kind: "whole",
    isPrivate: true,
    read: ({ containers }) => containers?.unhealthy,
    subject: ({ details }) => toNames(details?.containers, isUnhealthy),
  },
  {
    name: "systemd.failedUnits",
    unit: "count",
    kind: "whole",
    isPrivate: true,
    read: ({ systemd }) => systemd?.failedUnits,
    subject: ({ details }) => toNames(details?.failedUnits),
  },
  {
    name: "raid.degradedArrays",
    unit: "count",
    kind: "whole",
    isPrivate: true,
    read: ({ raid }) => raid?.degradedArrays,
  },
  {
    name: "battery.percent",
    unit: "percent",
    kind: "fraction",
    isPrivate: true,
    read: ({ battery }) => battery?.percent,
  },
  {
    name: "extra.warnings",
    unit: "count",
    kind: "whole",
    isPrivate: true,
    read: ({ extra }) => extra?.warnings,
    subject: ({ details }) => toExtraNames(details, "warning"),
  },
  {
    name: "extra.criticals",
    unit: "count",
    kind: "whole",
    isPrivate: true,
    read: ({ extra }) => extra?.criticals,
    subject: ({ details }) => toExtraNames(details, "critical"),
  },
  {
    name: "check.latencyMs",
    unit: "count",
    kind: "fraction",
    isOfChecks: true,
    read: () => undefined,
  },
  {
    name: "check.upPercent",
    unit: "percent",
    kind: "fraction",
    isOfChecks: true,
    read: () => undefined,
  },
] as const satisfies readonly Metric[];

/** Metrics that are not stored but reckoned from two stored ones when they are read: 100 × part ÷ whole. */
export const derivedMetrics = [
  {
    name: "memory.usedPercent",
    unit: "percent",
    part: "memory.usedBytes",
    whole: "memory.totalBytes",
  },
  {
    name: "swap.usedPercent",
    unit: "percent",
    part: "swap.usedBytes",
    whole: "swap.totalBytes",
  },
  {
    name: "disk.usedPercent",
    unit: "percent",
    part: "disk.usedBytes",
    whole: "disk.totalBytes",
  },
] as const;
