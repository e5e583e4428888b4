/** Sockets in use from /proc/net/sockstat and sockstat6. */
import type { ConnectionCounts } from "../payload.ts";

function readInUse(text: string | undefined, name: string): number | undefined {
  const value = new RegExp(`^${name}: inuse (\\d+)`, "mu").exec(text ?? "")?.[1];
  return value === undefined ? undefined : Number(value);
}

function add(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : a + (b ?? 0);
}

/** Sums IPv4 and IPv6; undefined when neither text has a figure. */
export function parseSockstat(
  text: string | undefined,
  text6: string | undefined,
): ConnectionCounts | undefined {
  const tcp = add(readInUse(text, "TCP"), readInUse(text6, "TCP6"));
  const udp = add(readInUse(text, "UDP"), readInUse(text6, "UDP6"));
  return tcp === undefined && udp === undefined ? undefined : { tcp, udp };
}
