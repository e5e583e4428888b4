/**
 * The days of all servers in memory, and how they live through a crash. Hidden here: what the store has, what
 * the sample log's checkpoint has, and which of the two is the later.
 *
 * Days and counter of one moment are written together to either place; a restart takes the later of the two
 * and counts the rows after it again, which gives what an uninterrupted run would have.
 */
import type { Clock } from "../../kit/clock.ts";
import { coalesce } from "../../kit/coalesce.ts";
import type { Store } from "../../store/store.ts";
import type { ServerRecord } from "../schema.ts";
import type { DayBookPart, DayTuple } from "./day-book-schema.ts";
import type { DayRing, DaySums } from "./day-ring.ts";
import { createDayRing, NOTHING, RING_DAYS } from "./day-ring.ts";
import type { DaySpan } from "./local-days.ts";
import type { UnsavedDays } from "./months.ts";
import { readDays, readMonthsFrom, toMonth, writeDays } from "./months.ts";
import type { TrafficCounter } from "./traffic-counter.ts";

/** Servers that are written in one transaction. */
const BATCH = 50;
const DAY_MS = 86_400_000;

/** What is known of a server. */
export interface KeptServer {
  readonly ring: DayRing;
  counter: TrafficCounter | undefined;
  /** The day of the last report that counted. */
  span: DaySpan | undefined;
}

/** How days live through restarts. */
export interface DayKeeping {
  /** Brings back what the store has; call it once, before `restore` and the first report. */
  load(): Promise<void>;
  /** What the checkpoint of the sample log keeps of a server; undefined when it needs nothing. */
  snapshot(serverId: string): DayBookPart | undefined;
  /** Lays a checkpoint over what the store had; then count the rows that the log kept, in their order. */
  restore(serverId: string, part: DayBookPart): void;
  /** Writes to the store what it lacks, some servers at a time. Throws what the store throws; nothing is lost then. */
  flush(): Promise<void>;
  /** Forgets a server. */
  drop(serverId: string): void;
}

/** Days by server. */
export interface KeptDays extends DayKeeping {
  find(serverId: string): KeptServer | undefined;
  /** The same, made when there is none. */
  get(serverId: string): KeptServer;
}

export interface KeptDaysDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly findRecord: (serverId: string) => ServerRecord | undefined;
}

/** The days that have sums, of those named. */
function readEach(ring: DayRing, days: readonly number[]): [number, DaySums][] {
  return days.flatMap((day): [number, DaySums][] => {
    const sums = ring.get(day);
    return sums === undefined ? [] : [[day, sums]];
  });
}

function toTuple([day, sums]: readonly [number, DaySums]): DayTuple {
  return [day, sums.rxBytes, sums.txBytes, sums.upMinutes, sums.knownMinutes];
}

/** How many reports a counter has seen: of two states of one server, the one with more is the later. */
function ageOf(counter: TrafficCounter | undefined): number {
  return counter?.reports ?? 0;
}

class ServersDays implements KeptDays {
  readonly #deps: KeptDaysDeps;
  readonly #servers = new Map<string, KeptServer>();
  readonly flush: () => Promise<void>;

  constructor(deps: KeptDaysDeps) {
    this.#deps = deps;
    this.flush = coalesce(() => this.#flush());
  }

  find(serverId: string): KeptServer | undefined {
    return this.#servers.get(serverId);
  }

  get(serverId: string): KeptServer {
    const known = this.#servers.get(serverId);
    if (known !== undefined) return known;
    const made: KeptServer = { ring: createDayRing(), counter: undefined, span: undefined };
    this.#servers.set(serverId, made);
    return made;
  }

  async load(): Promise<void> {
    const { store, clock, findRecord } = this.#deps;
    // As many as the ring holds; tomorrow, too, for zones ahead of UTC.
    const end = Math.floor(clock.now() / DAY_MS) + 2;
    const first = end - RING_DAYS;
    for (const record of await readMonthsFrom(store, toMonth(first))) {
      if (findRecord(record.serverId) === undefined) continue;
      const kept = this.get(record.serverId);
      for (const [day, sums] of readDays(record)) if (day >= first && day < end) kept.ring.put(day, sums);
      if (ageOf(record.counter) > ageOf(kept.counter)) kept.counter = record.counter;
    }
  }

  snapshot(serverId: string): DayBookPart | undefined {
    const kept = this.#servers.get(serverId);
    if (kept === undefined) return undefined;
    const { ring, counter } = kept;
    const days = readEach(ring, ring.unsaved()).map(toTuple);
    return { days, ...(counter === undefined ? {} : { counter }) };
  }

  restore(serverId: string, part: DayBookPart): void {
    const kept = this.get(serverId);
    const { ring } = kept;
    const isLater = ageOf(part.counter) >= ageOf(kept.counter);
    if (isLater) kept.counter = part.counter;
    for (const [day, rxBytes, txBytes, upMinutes, knownMinutes] of part.days) {
      const stored = ring.get(day) ?? NOTHING;
      ring.put(day, {
        rxBytes: isLater ? rxBytes : stored.rxBytes,
        txBytes: isLater ? txBytes : stored.txBytes,
        // Minutes are in no row, and only grow: whoever has more of them is the later.
        upMinutes: Math.max(upMinutes, stored.upMinutes),
        knownMinutes: Math.max(knownMinutes, stored.knownMinutes),
      });
      ring.touch(day);
    }
  }

  drop(serverId: string): void {
    this.#servers.delete(serverId);
  }

  async #flush(): Promise<void> {
    const waiting = [...this.#servers].filter(([, { ring }]) => ring.unsaved().length > 0);
    for (let from = 0; from < waiting.length; from += BATCH) {
      // One that was deleted meanwhile may have been made again under its id.
      const batch = waiting.slice(from, from + BATCH).filter(([id, kept]) => this.#servers.get(id) === kept);
      await this.#write(batch);
    }
  }

  async #write(batch: readonly (readonly [string, KeptServer])[]): Promise<void> {
    const unsaved = batch.map(([serverId, kept]) => this.#beginSave(serverId, kept));
    let isWritten = false;
    try {
      await this.#deps.store.transact(async (tx) => {
        for (const one of unsaved) await writeDays(tx, one);
      });
      isWritten = true;
    } finally {
      for (const [, { ring }] of batch) ring.endSave(isWritten);
    }
  }

  #beginSave(serverId: string, { ring, counter }: KeptServer): UnsavedDays {
    const createdAt = this.#deps.findRecord(serverId)?.createdAt;
    return { serverId, createdAt, counter, days: readEach(ring, ring.beginSave()) };
  }
}

/** Makes the days of a fleet that nothing is known of. */
export function createKeptDays(deps: KeptDaysDeps): KeptDays {
  return new ServersDays(deps);
}
