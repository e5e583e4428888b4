/** Arrays of Linux software RAID, from /proc/mdstat (md(4)). */
import type { RaidArray } from "../payload.ts";
import type { SystemFiles } from "../metrics/system-files.ts";
import type { DetailReading } from "./details.ts";

const MOST_ARRAYS = 32;

function toArray(block: string): RaidArray | undefined {
  const head = /^(md\S*) : (\S+)(?: \((?:auto-)?read-only\))?(?: (raid\d+|linear|multipath|faulty))?/u.exec(
    block,
  );
  const [, name, state, level] = head ?? [];
  if (name === undefined || state === undefined) return undefined;
  const disks = /\[(\d+)\/(\d+)\]/u.exec(block);
  const work = /(recovery|resync|reshape|check) *= *([\d.]+)%/u.exec(block);
  return {
    name: name.slice(0, 64),
    level,
    state: state.slice(0, 32),
    disks: disks === null ? undefined : Number(disks[1]),
    activeDisks: disks === null ? undefined : Number(disks[2]),
    action: work?.[1],
    actionPercent: work === null ? undefined : Math.min(100, Number(work[2])),
  };
}

/** Reads the text of /proc/mdstat. */
export function parseMdstat(text: string): RaidArray[] {
  return text.split(/^(?=md)/mu).flatMap((block) => toArray(block) ?? []);
}

function isDegraded({ state, disks, activeDisks }: RaidArray): boolean {
  return state !== "active" || (disks !== undefined && activeDisks !== undefined && activeDisks < disks);
}

/** The arrays; nothing on a machine without any. */
export function readRaid(files: SystemFiles): DetailReading {
  const raidArrays = parseMdstat(files.text("/proc/mdstat") ?? "").slice(0, MOST_ARRAYS);
  if (raidArrays.length === 0) return {};
  return { raid: { degradedArrays: raidArrays.filter(isDegraded).length }, details: { raidArrays } };
}
