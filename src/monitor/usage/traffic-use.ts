/** A server's traffic in a cycle, pure. */
import type { ServerRecord } from "../base/schema.ts";
import type { DaySums } from "./day-ring.ts";
import type { TrafficCycle } from "./traffic-cycle.ts";

type Mode = ServerRecord["traffic"]["mode"];
type Sums = Pick<DaySums, "rxBytes" | "txBytes">;

export interface TrafficUse {
  readonly mode: Mode;
  /** 0 means no limit. */
  readonly limitBytes: number;
  /** By the mode, with the owner's correction of this cycle. */
  readonly usedBytes: number;
  /** Of the limit, 0 upwards, rounded to hundredths; absent without a limit. */
  readonly percent?: number;
  /** As counted, without any correction. */
  readonly rxBytes: number;
  readonly txBytes: number;
  /** Epoch milliseconds, inclusive. */
  readonly cycleFrom: number;
  /** Epoch milliseconds, exclusive. */
  readonly cycleTo: number;
}

const toMode: Readonly<Record<Mode, (sums: Sums) => number>> = {
  sum: ({ rxBytes, txBytes }) => rxBytes + txBytes,
  max: ({ rxBytes, txBytes }) => Math.max(rxBytes, txBytes),
  rx: ({ rxBytes }) => rxBytes,
  tx: ({ txBytes }) => txBytes,
};

function toBytes(value: number): number {
  return Math.min(Math.max(value, 0), Number.MAX_SAFE_INTEGER);
}

/** Bytes that count against the limit, before any correction. */
export function countedBytes(mode: Mode, sums: Sums): number {
  return toBytes(toMode[mode](sums));
}

/** The use of a cycle. The owner's correction belongs to the cycle in which it was set: it would else count in each. */
export function toTrafficUse(
  record: Pick<ServerRecord, "traffic" | "trafficOffsetAt">,
  { cycle, sums }: { cycle: TrafficCycle; sums: Sums },
): TrafficUse {
  const { mode, limitBytes, usedOffsetBytes } = record.traffic;
  const setAt = record.trafficOffsetAt ?? Number.NEGATIVE_INFINITY;
  const offset = setAt >= cycle.from && setAt < cycle.to ? usedOffsetBytes : 0;
  const usedBytes = toBytes(countedBytes(mode, sums) + offset);
  return {
    mode,
    limitBytes,
    usedBytes,
    ...(limitBytes > 0 ? { percent: Math.round((usedBytes / limitBytes) * 10_000) / 100 } : {}),
    rxBytes: toBytes(sums.rxBytes),
    txBytes: toBytes(sums.txBytes),
    cycleFrom: cycle.from,
    cycleTo: cycle.to,
  };
}
