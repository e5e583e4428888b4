/** How much of the logs of pings is kept: less of each heartbeat where there are many, so that all have a bound. */

const PINGS = { most: 100, least: 10, ofAll: 50_000 } as const;
/** Bytes of the texts of one heartbeat; the least is one ping's. */
const TEXT_BYTES = { most: 1_000_000, least: 10_000, ofAll: 32_000_000 } as const;

function share(
  count: number,
  { most, least, ofAll }: { most: number; least: number; ofAll: number },
): number {
  return Math.max(least, Math.min(most, Math.floor(ofAll / Math.max(1, count))));
}

/** The size of each log, by the number of heartbeats. */
export function findLogSize(heartbeats: number): { maxPings: number; maxTextBytes: number } {
  return { maxPings: share(heartbeats, PINGS), maxTextBytes: share(heartbeats, TEXT_BYTES) };
}
