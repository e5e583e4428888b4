/**
 * The limits of a container, which /proc does not know: memory and processors of the control group at the root of its
 * own view (cgroup-v2.rst, "Memory Interface Files", "CPU Interface Files"; v1: memory.rst, sched-bwc.rst). On a machine
 * the root group has no limits, and nothing changes.
 */
import { type CpuUsage, type MemoryUsage, type Usage, toPercent } from "../payload.ts";
import { createRateMeter } from "./rates.ts";
import type { SystemFiles } from "./system-files.ts";

const V2 = "/sys/fs/cgroup";
const MICROSECONDS = 1_000_000;
const NANOSECONDS = 1_000_000_000;

export interface Limits {
  readonly memory: Usage | undefined;
  /** Of what it may use; undefined without such a limit, and at the first reading. */
  readonly cpu: CpuUsage | undefined;
}

function toNumber(text: string | undefined): number | undefined {
  const digits = text?.trim() ?? "";
  return /^\d{1,19}$/u.test(digits) ? Number(digits) : undefined;
}

function findIn(text: string | undefined, name: string): number | undefined {
  return toNumber(new RegExp(`^${name} (\\d+)$`, "mu").exec(text ?? "")?.[1]);
}

function readMemory(files: SystemFiles): Usage | undefined {
  const isV2 = files.text(`${V2}/memory.max`) !== undefined;
  const read = (v2: string, v1: string): string | undefined =>
    files.text(isV2 ? `${V2}/${v2}` : `${V2}/memory/${v1}`);
  const totalBytes = toNumber(read("memory.max", "memory.limit_in_bytes"));
  const used = toNumber(read("memory.current", "memory.usage_in_bytes"));
  if (totalBytes === undefined || used === undefined) return undefined;
  // Cache that can be freed is not in use, as in /proc/meminfo.
  const cache =
    findIn(read("memory.stat", "memory.stat"), isV2 ? "inactive_file" : "total_inactive_file") ?? 0;
  return { totalBytes, usedBytes: Math.min(totalBytes, Math.max(0, used - cache)) };
}

/** Processors that the container may use; undefined without a limit. */
export function readCores(files: SystemFiles): number | undefined {
  const [quota, period] = (files.text(`${V2}/cpu.max`) ?? "").trim().split(" ");
  const given = toNumber(quota) ?? toNumber(files.text(`${V2}/cpu/cpu.cfs_quota_us`));
  const every = toNumber(period) ?? toNumber(files.text(`${V2}/cpu/cpu.cfs_period_us`));
  return given === undefined || every === undefined || every === 0 || given === 0 ? undefined : given / every;
}

/** Creates the reader; `atMs` is of a clock that only grows. */
export function createCgroupReader(files: SystemFiles): (atMs: number) => Limits {
  const meter = createRateMeter();
  return (atMs) => {
    const cores = readCores(files);
    let cpu: CpuUsage | undefined;
    if (cores !== undefined) {
      const microseconds = findIn(files.text(`${V2}/cpu.stat`), "usage_usec");
      const nanoseconds = toNumber(files.text(`${V2}/cpuacct/cpuacct.usage`));
      const used =
        microseconds ?? (nanoseconds === undefined ? undefined : (nanoseconds / NANOSECONDS) * MICROSECONDS);
      const perSecond = used === undefined ? undefined : meter.perSecond(used, atMs);
      cpu =
        perSecond === undefined ? undefined : { usagePercent: toPercent(perSecond / MICROSECONDS / cores) };
    }
    return { memory: readMemory(files), cpu };
  };
}

/** The memory within its limit; one that is no smaller than the machine's is none. */
export function toLimited(whole: MemoryUsage | undefined, limit: Usage | undefined): MemoryUsage | undefined {
  if (limit === undefined || limit.totalBytes === 0) return whole;
  return whole !== undefined && limit.totalBytes >= whole.totalBytes ? whole : limit;
}
