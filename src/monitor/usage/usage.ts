/**
 * Usage: traffic and uptime of every server by day of its time zone. Days keep the dates they were counted under when
 * the zone changes.
 */
import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Store } from "../../store/store.ts";
import { metricIndex } from "../base/metrics.ts";
import type { ServerRecord, ServerState } from "../base/schema.ts";
import { createDayAnswers } from "./day-answers.ts";
import { NOTHING } from "./day-ring.ts";
import { createKeptDays } from "./kept-days.ts";
import type { UsageCheckpoint } from "./schema.ts";
import { createLocalDays, holds } from "./local-days.ts";
import { type StoredTimes, orderTime, trafficTime } from "./traffic-counter.ts";
import { createCycleFinder } from "./traffic-cycle.ts";
import { type TrafficUse, toTrafficUse } from "./traffic-use.ts";

const MINUTE_MS = 60_000;
/**
 * How far clocks of nodes may differ: up to there, the agent's clock alone orders its reports, whichever node gets them.
 * Out of order, counters look as if the machine had started again, and are counted twice.
 */
const NODES_DIFFER_MS = 2 * MINUTE_MS;
const RX = metricIndex("network.rxTotalBytes");
const TX = metricIndex("network.txTotalBytes");

/** A stored report: its times, and its numbers by metric number. */
export interface StoredReport extends StoredTimes {
  readonly values: ArrayLike<number>;
}

export interface UsageDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly bus: Bus;
  /** Names this process over its restarts, as long as it finds its sample log again. */
  readonly origin: string;
  readonly live: { get(serverId: string): { readonly state: ServerState; readonly lastSeenAt?: number } };
  /** The records as they are now. */
  readonly directory: {
    findRecord(serverId: string): ServerRecord | undefined;
    records(): readonly ServerRecord[];
  };
}

export function createUsage({ store, clock, bus, origin, live, directory }: UsageDeps) {
  const kept = createKeptDays({
    store,
    clock,
    bus,
    origin,
    findRecord: (id) => directory.findRecord(id),
  });
  const findDay = createLocalDays();
  const findCycle = createCycleFinder();
  const todayOf = ({ traffic }: ServerRecord): number => findDay(clock.now(), traffic.timeZone).day;
  const answers = createDayAnswers({ store, todayOf, findRing: (id) => kept.find(id)?.ring });
  const aheadMs = bus.isShared ? NODES_DIFFER_MS : 0;
  let minutes = 0;
  let countedMs = clock.monotonic();

  /** Counts a report that is durable; one that was counted before, or came late, changes nothing. */
  function count(serverId: string, report: StoredReport): void {
    const record = directory.findRecord(serverId);
    if (record === undefined) return;
    const server = kept.get(serverId);
    const counted = {
      at: orderTime(report, aheadMs),
      rx: report.values[RX] ?? Number.NaN,
      tx: report.values[TX] ?? Number.NaN,
    };
    if (!server.isNews(counted)) return;
    const at = trafficTime(report, aheadMs);
    const { timeZone } = record.traffic;
    if (server.span === undefined || !holds(server.span, at, timeZone)) server.span = findDay(at, timeZone);
    server.take(counted, server.span.day);
  }

  /**
   * Counts a minute for each server that is watched, when one has passed; call it every second or so, also where
   * another node counts (`isCounted` is false there): so a node that begins to count begins with the current minute.
   */
  function minute(isCounted: boolean): void {
    const elapsedMs = clock.monotonic() - countedMs;
    if (elapsedMs < MINUTE_MS) return;
    // Minutes in which the process was suspended were not watched: they do not count.
    countedMs += elapsedMs < 2 * MINUTE_MS ? MINUTE_MS : elapsedMs;
    if (!isCounted) return;
    minutes += 1;
    for (const record of directory.records()) {
      const { state, lastSeenAt } = live.get(record.id);
      if (record.disabled || lastSeenAt === undefined) continue;
      kept.get(record.id).watch(todayOf(record), state === "online");
    }
  }

  return {
    ...answers,
    count,
    /** Traffic used in the current cycle. */
    traffic: (record: ServerRecord): TrafficUse => {
      const cycle = findCycle(record.traffic, clock.now());
      const sums = kept.find(record.id)?.ring.sum(cycle.firstDay, cycle.endDay) ?? NOTHING;
      return toTrafficUse(record, { cycle, sums });
    },
    /** Grows when minutes were counted, here or on other nodes; uptime answers change with it. */
    get minutes(): number {
      return minutes + kept.received;
    },
    minute,
    load: () => kept.load(),
    snapshot: (id: string) => kept.snapshot(id),
    restore: (id: string, checkpoint: UsageCheckpoint) => kept.restore(id, checkpoint),
    begin: (id: string) => kept.begin(id),
    flush: () => kept.flush(),
    flushSoon: (id: string) => kept.flushSoon(id),
    catchUp: () => kept.catchUp(),
    close: () => kept.close(),
    drop: (id: string) => kept.drop(id),
  };
}

export type Usage = ReturnType<typeof createUsage>;
