/** From an agent's byte counters to bytes of traffic, pure. */

/** The bookmark of a server. */
export interface TrafficCounter {
  /** Order time of the last report that counted, epoch milliseconds. */
  readonly countedAt: number;
  /** Bytes received since the machine started, as that report said; absent while none said it. */
  readonly rx?: number | undefined;
  /** Bytes sent, likewise. */
  readonly tx?: number | undefined;
}

/** The counted part of a stored report. */
export interface CountedReport {
  /** Order time, epoch milliseconds; see {@link orderTime}. */
  readonly at: number;
  /** Counter of received bytes; NaN when the report has none. */
  readonly rx: number;
  /** Counter of sent bytes; NaN when the report has none. */
  readonly tx: number;
}

export interface CountedTraffic {
  readonly counter: TrafficCounter;
  readonly rxBytes: number;
  readonly txBytes: number;
  /** Whether a counter dropped since the last report that counted. */
  readonly restarted: boolean;
}

/** Agents keep reports for a day: what says it is older than this on arrival comes from a clock that is wrong. */
const BELIEVED_LAG_MS = 48 * 3_600_000;

/** When something was stored: by the agent's clock and by the service's, epoch milliseconds. */
export interface StoredTimes {
  readonly at: number;
  readonly receivedAt: number;
}

/**
 * The time that orders reports: the agent's, but at most `aheadMs` after the arrival, so that an agent's clock that runs
 * far ahead changes nothing.
 */
export function orderTime({ at, receivedAt }: StoredTimes, aheadMs = 0): number {
  return Math.min(at, receivedAt + aheadMs);
}

/** The instant whose day a report's traffic belongs to: its order time, or its arrival when that is not to be believed. */
export function trafficTime(times: StoredTimes, aheadMs = 0): number {
  const at = orderTime(times, aheadMs);
  return times.receivedAt - at > BELIEVED_LAG_MS ? times.receivedAt : at;
}

function known(counter: number): number | undefined {
  return Number.isNaN(counter) ? undefined : counter;
}

/** A counter that is not known now, or was not before, adds nothing. */
function toBytes(last: number | undefined, now: number | undefined): number {
  return now === undefined ? 0 : now - (last ?? now);
}

/**
 * Counts a report; undefined when it does not count: it has no counters, or is not later than the last that
 * counted (what it carried is in the counters of that one). The first report of all only says where counting
 * begins. When either counter dropped, the machine started again, so both count from 0: a wrapped 32-bit
 * counter looks the same, and agents of today have none.
 */
export function countTraffic(
  before: TrafficCounter | undefined,
  { at, rx, tx }: CountedReport,
): CountedTraffic | undefined {
  const rxNow = known(rx);
  const txNow = known(tx);
  if (rxNow === undefined && txNow === undefined) return undefined;
  if (before === undefined)
    return { counter: { countedAt: at, rx: rxNow, tx: txNow }, rxBytes: 0, txBytes: 0, restarted: false };
  if (at <= before.countedAt) return undefined;
  // A comparison with NaN or undefined is false, and a missing counter adds nothing.
  const restarted = rx < (before.rx ?? 0) || tx < (before.tx ?? 0);
  return {
    counter: {
      countedAt: at,
      // A counter from before a restart says nothing of the machine as it runs now.
      rx: rxNow ?? (restarted ? undefined : before.rx),
      tx: txNow ?? (restarted ? undefined : before.tx),
    },
    rxBytes: toBytes(restarted ? 0 : before.rx, rxNow),
    txBytes: toBytes(restarted ? 0 : before.tx, txNow),
    restarted,
  };
}
