/** CPU usage from the counters of /proc/stat. */
import { type CpuUsage, toPercent } from "../payload.ts";

/** Ticks of one line since boot. `iowait` and `steal` are undefined on kernels that do not count them. */
export interface CpuTicks {
  readonly busy: number;
  readonly idle: number;
  readonly iowait: number | undefined;
  readonly steal: number | undefined;
}

/** /proc/stat: all CPUs together, each one by its name, and the time of boot. */
export interface CpuStat {
  readonly all: CpuTicks;
  readonly cores: ReadonlyMap<string, CpuTicks>;
  readonly bootTimeUnixMs: number | undefined;
}

/** The service takes no longer list. */
const MOST_CORES = 1024;

function parseTicks(columns: readonly string[]): CpuTicks | undefined {
  const ticks = columns.map(Number);
  if (ticks.length < 4 || ticks.some((tick) => !Number.isFinite(tick) || tick < 0)) return undefined;
  // Guest time (columns 9 and 10) is part of user and nice already: proc_stat(5).
  const [user = 0, nice = 0, system = 0, idle = 0, iowait, irq = 0, softirq = 0, steal] = ticks;
  return { busy: user + nice + system + irq + softirq + (steal ?? 0), idle, iowait, steal };
}

/** Reads the text of /proc/stat; undefined when it has no "cpu" line. */
export function parseCpuStat(text: string): CpuStat | undefined {
  const cores = new Map<string, CpuTicks>();
  let all: CpuTicks | undefined;
  // The interrupt line can be tens of kilobytes: the text is walked, not split.
  let at = 0;
  while (text.startsWith("cpu", at)) {
    const end = text.indexOf("\n", at);
    const [name = "", ...columns] = text
      .slice(at, end < 0 ? undefined : end)
      .trim()
      .split(/\s+/u);
    const ticks = parseTicks(columns);
    if (ticks !== undefined && name === "cpu") all = ticks;
    else if (ticks !== undefined) cores.set(name, ticks);
    if (end < 0) break;
    at = end + 1;
  }
  const boot = /^btime (\d+)$/mu.exec(text)?.[1];
  if (all === undefined) return undefined;
  return { all, cores, bootTimeUnixMs: boot === undefined ? undefined : Number(boot) * 1000 };
}

function grown(before: number | undefined, after: number | undefined): number {
  // iowait and idle may run backwards a little (proc_stat(5)); that is no time at all.
  return Math.max(0, (after ?? 0) - (before ?? 0));
}

function share(
  before: CpuTicks,
  after: CpuTicks,
): { busy: number; iowait: number; steal: number } | undefined {
  const busy = grown(before.busy, after.busy);
  const iowait = grown(before.iowait, after.iowait);
  const total = busy + iowait + grown(before.idle, after.idle);
  if (total === 0) return undefined;
  return { busy: busy / total, iowait: iowait / total, steal: grown(before.steal, after.steal) / total };
}

/** Usage between two readings; undefined when no tick passed. */
export function toCpuUsage(before: CpuStat, after: CpuStat): CpuUsage | undefined {
  const all = share(before.all, after.all);
  if (all === undefined) return undefined;
  const perCore: number[] = [];
  for (const [name, ticks] of after.cores) {
    const old = before.cores.get(name);
    const core = old === undefined ? undefined : share(old, ticks);
    // A list with holes would name the wrong cores: all of them, or none.
    if (core !== undefined) perCore.push(toPercent(core.busy));
  }
  const isWhole = perCore.length > 0 && perCore.length === after.cores.size && perCore.length <= MOST_CORES;
  return {
    usagePercent: toPercent(all.busy),
    perCorePercent: isWhole ? perCore : undefined,
    iowaitPercent: after.all.iowait === undefined ? undefined : toPercent(all.iowait),
    stealPercent: after.all.steal === undefined ? undefined : toPercent(all.steal),
  };
}
