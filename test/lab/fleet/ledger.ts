/** The fleet's books: what each agent collected, sent and got acknowledged. */
import { type Latencies, createLatencies } from "./latencies.ts";

/** The account of one server. Times are those of collection. */
export interface ServerAccount {
  readonly id: string;
  readonly collected: number;
  readonly acknowledged: number;
  readonly rejected: number;
  readonly firstAtUnixMs: number | undefined;
  readonly lastAtUnixMs: number | undefined;
}

export interface FleetTotals {
  readonly connected: number;
  readonly collected: number;
  /** Messages sent, repetitions included. */
  readonly sent: number;
  readonly acknowledged: number;
  readonly rejected: number;
  /** Reports sent once more because their acknowledgement had not come. */
  readonly duplicates: number;
  readonly waiting: number;
  /** Reports that had to be given up because too many waited. */
  readonly lost: number;
  readonly disconnects: number;
}

/** The books of one agent, written by it. */
export interface AgentAccount {
  collected(): void;
  sent(atUnixMs: number): void;
  acknowledged(atUnixMs: number, tookMs: number): void;
  rejected(atUnixMs: number): void;
  lost(count: number): void;
  online(isOnline: boolean): void;
}

export interface Ledger {
  open(id: string): AgentAccount;
  totals(): FleetTotals;
  accounts(): ServerAccount[];
  /** From the sending of a report to its acknowledgement, since `measure` was called. */
  readonly latencies: Latencies;
  measure(): void;
}

/** Creates an empty ledger. */
export function createLedger(): Ledger {
  const latencies = createLatencies();
  const accounts: (() => ServerAccount)[] = [];
  let isMeasuring = false;
  const sum = {
    connected: 0,
    collected: 0,
    sent: 0,
    acknowledged: 0,
    rejected: 0,
    duplicates: 0,
    lost: 0,
    disconnects: 0,
  };

  function open(id: string): AgentAccount {
    const own = { collected: 0, acknowledged: 0, rejected: 0 };
    let firstAtUnixMs: number | undefined;
    let lastAtUnixMs: number | undefined;
    let lastSent = 0;
    let isConnected = false;
    accounts.push(() => ({ id, ...own, firstAtUnixMs, lastAtUnixMs }));
    return {
      collected() {
        own.collected += 1;
        sum.collected += 1;
      },
      sent(atUnixMs) {
        sum.sent += 1;
        if (atUnixMs <= lastSent) sum.duplicates += 1;
        lastSent = Math.max(lastSent, atUnixMs);
      },
      acknowledged(atUnixMs, tookMs) {
        own.acknowledged += 1;
        sum.acknowledged += 1;
        firstAtUnixMs = Math.min(firstAtUnixMs ?? atUnixMs, atUnixMs);
        lastAtUnixMs = Math.max(lastAtUnixMs ?? atUnixMs, atUnixMs);
        if (isMeasuring) latencies.add(tookMs);
      },
      rejected() {
        own.rejected += 1;
        sum.rejected += 1;
      },
      lost(count) {
        sum.lost += count;
      },
      online(isOnline) {
        if (isOnline === isConnected) return;
        isConnected = isOnline;
        sum.connected += isOnline ? 1 : -1;
        if (!isOnline) sum.disconnects += 1;
      },
    };
  }

  return {
    open,
    totals: () => ({ ...sum, waiting: sum.collected - sum.acknowledged - sum.rejected - sum.lost }),
    accounts: () => accounts.map((read) => read()),
    latencies,
    measure: () => {
      isMeasuring = true;
    },
  };
}
