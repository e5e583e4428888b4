/** Reads numbers out of a server's latest sample, whatever its shape. */
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";

/** The number at a dotted name such as "cpu.usagePercent", or undefined: not known is never shown as 0. */
export function readNumber(server: PublicServer, name: string): number | undefined {
  let value: unknown = server.latest?.sample;
  for (const part of name.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return typeof value === "number" ? value : undefined;
}

/** 100 × used ÷ total of "memory", "swap" or "disk"; undefined when either is not known or there is none. */
export function readUsedPercent(server: PublicServer, group: string): number | undefined {
  const used = readNumber(server, `${group}.usedBytes`);
  const total = readNumber(server, `${group}.totalBytes`);
  return used === undefined || total === undefined || total <= 0 ? undefined : (100 * used) / total;
}

const USED_PERCENT = ".usedPercent";

/** A metric of the history in the latest sample, those that are computed from others too. */
export function readMetric(server: PublicServer, metric: string): number | undefined {
  return metric.endsWith(USED_PERCENT)
    ? readUsedPercent(server, metric.slice(0, -USED_PERCENT.length))
    : readNumber(server, metric);
}
