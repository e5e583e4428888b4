/** Memory and swap from /proc/meminfo. */
import type { MemoryUsage, Usage } from "../payload.ts";

/** The figures of /proc/meminfo. */
export interface Meminfo {
  readonly memory: MemoryUsage | undefined;
  readonly swap: Usage | undefined;
}

function readFields(text: string): Map<string, number> {
  const fields = new Map<string, number>();
  for (const [, name = "", value = "", unit = ""] of text.matchAll(/^([\w()]+):\s+(\d+)( kB)?$/gmu)) {
    fields.set(name, Number(value) * (unit === "" ? 1 : 1024));
  }
  return fields;
}

function toUsage(totalBytes: number | undefined, unusedBytes: number | undefined): Usage | undefined {
  if (totalBytes === undefined || unusedBytes === undefined) return undefined;
  return { totalBytes, usedBytes: Math.min(totalBytes, Math.max(0, totalBytes - unusedBytes)) };
}

/** Reads the text of /proc/meminfo. Used is total − available: cache that can be freed is not in use. */
export function parseMeminfo(text: string): Meminfo {
  const fields = readFields(text);
  const free = fields.get("MemFree");
  const cached = fields.get("Cached");
  const cacheBytes =
    cached === undefined
      ? undefined
      : // Shared memory stands in Cached but cannot be freed.
        Math.max(
          0,
          cached +
            (fields.get("Buffers") ?? 0) +
            (fields.get("SReclaimable") ?? 0) -
            (fields.get("Shmem") ?? 0),
        );
  const available = fields.get("MemAvailable") ?? (free === undefined ? undefined : free + (cacheBytes ?? 0));
  const usage = toUsage(fields.get("MemTotal"), available);
  return {
    memory: usage === undefined || usage.totalBytes === 0 ? undefined : { ...usage, cacheBytes },
    swap: toUsage(fields.get("SwapTotal"), fields.get("SwapFree")),
  };
}
