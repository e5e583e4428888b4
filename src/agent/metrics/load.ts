/** Load averages and uptime from /proc/loadavg and /proc/uptime. */
import type { LoadAverages } from "../payload.ts";

/** Reads the text of /proc/loadavg; undefined when it is not one. */
export function parseLoadavg(text: string): LoadAverages | undefined {
  const match = /^(\d+(?:\.\d+)?) (\d+(?:\.\d+)?) (\d+(?:\.\d+)?)(?: |$)/u.exec(text);
  if (match === null) return undefined;
  return { one: Number(match[1]), five: Number(match[2]), fifteen: Number(match[3]) };
}

/** Reads the text of /proc/uptime: whole seconds since boot. */
export function parseUptime(text: string): number | undefined {
  const match = /^(\d+)(?:\.\d+)?(?:\s|$)/u.exec(text);
  return match === null ? undefined : Number(match[1]);
}
