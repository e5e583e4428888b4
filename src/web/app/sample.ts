/** Reads numbers out of a server's latest sample, whatever its shape. */
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";

interface HasSample {
  readonly latest?: Pick<NonNullable<PublicServer["latest"]>, "sample"> | undefined;
}

/** The number at a dotted name such as "cpu.usagePercent", or undefined: not known is never shown as 0. */
export function readNumber(server: HasSample, name: string): number | undefined {
  let value: unknown = server.latest?.sample;
  for (const part of name.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return typeof value === "number" ? value : undefined;
}

/**
 * Values that flow and change, such as speeds: for a server that is offline or sends no reports, the last value is
 * stale.
 */
export function readLive(server: PublicServer, name: string): number | undefined {
  return server.state === "online" && server.reports === undefined ? readNumber(server, name) : undefined;
}

/** 100 × used ÷ total of "memory", "swap" or "disk"; undefined when either is not known or there is none. */
export function readUsedPercent(server: PublicServer, group: string): number | undefined {
  const used = readNumber(server, `${group}.usedBytes`);
  const total = readNumber(server, `${group}.totalBytes`);
  return used === undefined || total === undefined || total <= 0 ? undefined : (100 * used) / total;
}

/** The fullest mount with its path; undefined on a machine with a single one. */
export function readFullestPath(server: PublicServer): string | undefined {
  const disk = server.latest?.sample["disk"];
  const fullest = typeof disk === "object" && disk !== null && "fullest" in disk ? disk.fullest : undefined;
  const has = typeof fullest === "object" && fullest !== null && "path" in fullest;
  return has && typeof fullest.path === "string" ? fullest.path : undefined;
}

/** The disk group of the fullest disk in a sample: one of several mounts, or the sum of all. */
export function toDiskGroup(server: PublicServer): string {
  return readFullestPath(server) === undefined ? "disk" : "disk.fullest";
}

const USED_PERCENT = ".usedPercent";

/** A metric of the history in the latest sample, those that are computed from others too. */
export function readMetric(server: PublicServer, metric: string): number | undefined {
  if (metric === "disk.fullestPercent") return readUsedPercent(server, toDiskGroup(server));
  return metric.endsWith(USED_PERCENT)
    ? readUsedPercent(server, metric.slice(0, -USED_PERCENT.length))
    : readNumber(server, metric);
}
