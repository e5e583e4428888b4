/**
 * The days of all servers in memory, and how they live through crashes and beside other processes on the same store.
 * The store has days and bookmarks; a process adds what it counted after them. So a flush that is repeated, or comes
 * after others counted on, adds nothing twice and loses nothing.
 */
import { z } from "zod";
import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { coalesce } from "../../kit/limits/coalesce.ts";
import type { Store } from "../../store/store.ts";
import type { ServerRecord } from "../base/schema.ts";
import { type StoredDays, readStoredDays, writeDays } from "./bookmarks.ts";
import type { UsageCheckpoint } from "./schema.ts";
import { RING_DAYS } from "./day-ring.ts";
import { toMonth } from "./months.ts";
import { ServerDays } from "./server-days.ts";

/** Ids of servers whose days were written: the others read them in the store. None are named where there are many. */
const TOPIC = "usage";
/** Servers that are named in a message, or written in one transaction. */
const BATCH = 50;
const messageSchema = z.array(z.string()).max(BATCH);
const DAY_MS = 86_400_000;
/** Readings that are kept of a server while others may take readings too. */
const KEPT_READINGS = 64;
/** Days that may change yet, up to tomorrow; reports come late by two at most. */
const CHANGING_DAYS = 6;
/** With other processes about, all is read again so often: messages may be lost. */
const REREAD_MS = 600_000;
/** And so often while no messages come. */
const REREAD_ALONE_MS = 60_000;

export interface KeptDaysDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly bus: Bus;
  /** Names this process over its restarts, as long as it finds its checkpoint again. */
  readonly origin: string;
  readonly findRecord: (serverId: string) => ServerRecord | undefined;
}

/** Days by server. */
export class KeptDays {
  readonly #deps: KeptDaysDeps;
  readonly #servers = new Map<string, ServerDays>();
  /** Servers that others wrote, or anything after an outage of the bus. */
  readonly #stale = new Set<string>();
  #isAllStale = false;
  readonly #urgent = new Set<string>();
  /** Flushes, one after the other; never rejects. */
  #turn: Promise<unknown> = Promise.resolve();
  readonly #ends: readonly (() => void)[];
  #rereadMs: number;
  /** Writes to the store what it lacks, some servers at a time. Throws what the store throws; nothing is lost then. */
  readonly flush: () => Promise<void>;
  /** Grows with what other processes write. */
  received = 0;

  constructor(deps: KeptDaysDeps) {
    this.#deps = deps;
    this.flush = coalesce(() => this.#flush(() => true));
    this.#rereadMs = deps.clock.monotonic();
    this.#ends = [
      deps.bus.subscribe(TOPIC, (message) => this.#receive(messageSchema.parse(message))),
      // Messages were lost.
      deps.bus.onConnection(() => this.#receive([])),
    ];
  }

  find(serverId: string): ServerDays | undefined {
    return this.#servers.get(serverId);
  }

  /** The same, made when there is none. */
  get(serverId: string): ServerDays {
    const known = this.#servers.get(serverId);
    if (known !== undefined) return known;
    // A process that is alone sees all: the fewest readings do.
    const made = new ServerDays(this.#deps.bus.isShared ? KEPT_READINGS : 0);
    this.#servers.set(serverId, made);
    return made;
  }

  /** Loads the stored data; call it once, before `restore` and the first report. */
  load(): Promise<void> {
    return this.#read({ days: RING_DAYS });
  }

  /** Reads the last days of all servers, or of those that are named. */
  async #read({ days, ids }: { days: number; ids?: readonly string[] }): Promise<void> {
    const { store, clock, origin, findRecord } = this.#deps;
    // Tomorrow, too, for zones ahead of UTC.
    const end = Math.floor(clock.now() / DAY_MS) + 2;
    const first = end - days;
    const all = await store.read((tx) => readStoredDays(tx, { month: toMonth(first), origin, ids }));
    for (const [serverId, stored] of all) {
      if (findRecord(serverId) === undefined) continue;
      const present = stored.days.filter(([day]) => day >= first && day < end);
      this.get(serverId).adopt({ ...stored, days: present }, origin);
    }
    if (ids === undefined) this.#rereadMs = clock.monotonic();
  }

  /** A server's data in the checkpoint of the sample log; undefined if it needs none. */
  snapshot(serverId: string): UsageCheckpoint | undefined {
    return this.#servers.get(serverId)?.snapshot();
  }

  /** Lays a checkpoint over what the store had; then count the rows that the log kept, in their order. */
  restore(serverId: string, checkpoint: UsageCheckpoint): void {
    this.get(serverId).restore(checkpoint);
  }

  /** Others may have taken reports of the server; call it before the first report of a stream. */
  begin(serverId: string): void {
    this.get(serverId).begin();
  }

  /** Forgets a server. */
  drop(serverId: string): void {
    this.#servers.delete(serverId);
    this.#stale.delete(serverId);
    this.#urgent.delete(serverId);
  }

  /** The server's stream ended or moved to another process, which should see all of it soon. */
  flushSoon(serverId: string): void {
    if (this.#deps.bus.isShared) this.#urgent.add(serverId);
  }

  /**
   * Applies changes of other processes, and writes urgent servers; call it every second or so. Throws what the store
   * throws.
   */
  async catchUp(): Promise<void> {
    const { bus, clock } = this.#deps;
    if (!bus.isShared) return;
    await this.#flushUrgent();
    const everyMs = bus.isConnected ? REREAD_MS : REREAD_ALONE_MS;
    const ids = [...this.#stale];
    const isAll = this.#isAllStale || ids.length > BATCH || clock.monotonic() - this.#rereadMs >= everyMs;
    if (!isAll && ids.length === 0) return;
    this.#isAllStale = false;
    this.#stale.clear();
    try {
      await this.#read(isAll ? { days: CHANGING_DAYS } : { days: RING_DAYS, ids });
    } catch (error) {
      this.#isAllStale ||= isAll;
      for (const serverId of ids) this.#stale.add(serverId);
      throw error;
    }
    this.received += 1;
  }

  /** Stops receiving messages. */
  close(): void {
    for (const end of this.#ends) end();
  }

  #receive(written: readonly string[]): void {
    if (written.length === 0) this.#isAllStale = true;
    for (const serverId of written) this.#stale.add(serverId);
  }

  async #flushUrgent(): Promise<void> {
    if (this.#urgent.size === 0) return;
    const urgent = new Set(this.#urgent);
    this.#urgent.clear();
    await this.#flush((id) => urgent.has(id)).catch((error: unknown) => {
      for (const id of urgent) if (this.#servers.has(id)) this.#urgent.add(id);
      throw error;
    });
  }

  #flush(isMeant: (serverId: string) => boolean): Promise<void> {
    const done = this.#turn.then(() => this.#flushNow(isMeant));
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #flushNow(isMeant: (serverId: string) => boolean): Promise<void> {
    const { bus } = this.#deps;
    const waiting = [...this.#servers].filter(([id, server]) => server.isUnsaved && isMeant(id));
    try {
      for (let from = 0; from < waiting.length; from += BATCH) {
        // One that was deleted meanwhile may have been made again under its id.
        const batch = waiting
          .slice(from, from + BATCH)
          .filter(([id, server]) => this.#servers.get(id) === server);
        await this.#write(batch);
      }
    } finally {
      // Also of what failed: the store may have it all the same.
      const ids = waiting.map(([id]) => id);
      if (ids.length > 0) bus.publish(TOPIC, ids.length > BATCH ? [] : ids);
    }
  }

  async #write(batch: readonly (readonly [string, ServerDays])[]): Promise<void> {
    const { store, origin, findRecord } = this.#deps;
    const unsaved = batch.map(([serverId, server]) => {
      const createdAt = findRecord(serverId)?.createdAt;
      return { serverId, createdAt, ...server.beginSave() };
    });
    let written: readonly (StoredDays | undefined)[] = [];
    try {
      written = await store.transact(async (tx) => {
        const stored: (StoredDays | undefined)[] = [];
        for (const one of unsaved) stored.push(await writeDays(tx, one, origin));
        return stored;
      });
    } finally {
      for (const [index, [serverId, server]] of batch.entries()) {
        const stored = written[index];
        // Others wrote, and their message was lost.
        if (stored !== undefined && stored.version > Math.max(0, server.version) + 1)
          this.#stale.add(serverId);
        server.endSave(stored, origin);
      }
    }
  }
}

/** Creates the days of a fleet, still empty. */
export function createKeptDays(deps: KeptDaysDeps): KeptDays {
  return new KeptDays(deps);
}
