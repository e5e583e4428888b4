/**
 * The days of all servers in memory, and how they live through crashes and beside other processes on the same store.
 * The store has days and where counting stands; a process adds what it saw past there. So a flush that is repeated,
 * or comes after others counted on, adds nothing twice and loses nothing.
 */
import type { Bus } from "../../bus/bus.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { coalesce } from "../../kit/limits/coalesce.ts";
import type { Store } from "../../store/store.ts";
import type { ServerRecord } from "../schema.ts";
import { type StoredDays, readAllDays, readStoredDays, writeDays } from "./bookmarks.ts";
import type { UsageCheckpoint } from "./schema.ts";
import { RING_DAYS } from "./day-ring.ts";
import { type FlushedDays, subscribeDays, publishDays } from "./day-sharing.ts";
import { toMonth } from "./months.ts";
import { ServerDays } from "./server-days.ts";

/** Servers that are read or written in one transaction. */
const BATCH = 50;
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
  /** Servers of which a message was missed. */
  readonly #stale = new Set<string>();
  readonly #urgent = new Set<string>();
  /** Flushes, one after the other; never rejects. */
  #turn: Promise<unknown> = Promise.resolve();
  readonly #unsubscribe: () => void;
  #rereadMs: number;
  #wasConnected: boolean;
  /** Writes to the store what it lacks, some servers at a time. Throws what the store throws; nothing is lost then. */
  readonly flush: () => Promise<void>;
  /** Grows with what other processes publish. */
  received = 0;

  constructor(deps: KeptDaysDeps) {
    this.#deps = deps;
    this.flush = coalesce(() => this.#flush(() => true));
    this.#rereadMs = deps.clock.monotonic();
    this.#wasConnected = deps.bus.isConnected;
    this.#unsubscribe = subscribeDays(deps.bus, (flushed) => this.#receive(flushed));
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

  /** Brings back what the store has; call it once, before `restore` and the first report. */
  load(): Promise<void> {
    return this.#readFrom(this.#span().first);
  }

  async #readFrom(first: number): Promise<void> {
    const { store, origin, findRecord } = this.#deps;
    const { end } = this.#span();
    const all = await store.read((tx) => readAllDays(tx, { month: toMonth(first), origin }));
    for (const [serverId, stored] of all) {
      if (findRecord(serverId) === undefined) continue;
      const days = stored.days.filter(([day]) => day >= first && day < end);
      this.get(serverId).adopt({ ...stored, days }, origin);
    }
    this.#rereadMs = this.#deps.clock.monotonic();
  }

  /** What the checkpoint of the sample log keeps of a server; undefined when it needs nothing. */
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
   * Takes over what other processes wrote and this one missed, and writes urgent servers; call it every second or
   * so. Throws what the store throws.
   */
  async catchUp(): Promise<void> {
    const { bus, clock } = this.#deps;
    if (!bus.isShared) return;
    if (this.#urgent.size > 0) {
      const urgent = new Set(this.#urgent);
      this.#urgent.clear();
      await this.#flush((id) => urgent.has(id)).catch((error: unknown) => {
        for (const id of urgent) if (this.#servers.has(id)) this.#urgent.add(id);
        throw error;
      });
    }
    const isBack = bus.isConnected && !this.#wasConnected;
    this.#wasConnected = bus.isConnected;
    const everyMs = bus.isConnected ? REREAD_MS : REREAD_ALONE_MS;
    if (isBack || clock.monotonic() - this.#rereadMs >= everyMs) {
      await this.#refresh([...this.#stale], () => this.#readFrom(this.#span().end - CHANGING_DAYS));
      this.received += 1;
    } else if (this.#stale.size > 0) {
      const some = [...this.#stale].slice(0, BATCH);
      await this.#refresh(some, () => this.#rereadSome(some));
    }
  }

  /** Reads stale servers; those of which a message is missed meanwhile stay stale, as all do when it fails. */
  async #refresh(stale: readonly string[], read: () => Promise<void>): Promise<void> {
    for (const serverId of stale) this.#stale.delete(serverId);
    try {
      await read();
    } catch (error) {
      for (const serverId of stale) if (this.#servers.has(serverId)) this.#stale.add(serverId);
      throw error;
    }
  }

  /** Stops receiving messages. */
  close(): void {
    this.#unsubscribe();
  }

  /** As many days as the ring holds; tomorrow, too, for zones ahead of UTC. */
  #span(): { first: number; end: number } {
    const end = Math.floor(this.#deps.clock.now() / DAY_MS) + 2;
    return { first: end - RING_DAYS, end };
  }

  #receive(flushed: readonly FlushedDays[]): void {
    for (const { serverId, createdAt, stored } of flushed) {
      if (this.#deps.findRecord(serverId)?.createdAt !== createdAt) continue;
      const server = this.get(serverId);
      if (stored.version > Math.max(0, server.version) + 1) this.#stale.add(serverId);
      server.adopt(stored, this.#deps.origin);
    }
    this.received += 1;
  }

  async #rereadSome(ids: readonly string[]): Promise<void> {
    const { store, origin } = this.#deps;
    const span = this.#span();
    const read = await store.read(async (tx) => {
      const found: [string, StoredDays][] = [];
      for (const serverId of ids)
        found.push([serverId, await readStoredDays(tx, { serverId, origin, ...span })]);
      return found;
    });
    for (const [serverId, stored] of read) this.#servers.get(serverId)?.adopt(stored, origin);
    this.received += 1;
  }

  #flush(isMeant: (serverId: string) => boolean): Promise<void> {
    const done = this.#turn.then(() => this.#flushNow(isMeant));
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #flushNow(isMeant: (serverId: string) => boolean): Promise<void> {
    const waiting = [...this.#servers].filter(([id, server]) => server.isUnsaved && isMeant(id));
    for (let from = 0; from < waiting.length; from += BATCH) {
      // One that was deleted meanwhile may have been made again under its id.
      const batch = waiting
        .slice(from, from + BATCH)
        .filter(([id, server]) => this.#servers.get(id) === server);
      await this.#write(batch);
    }
  }

  async #write(batch: readonly (readonly [string, ServerDays])[]): Promise<void> {
    const { store, origin, findRecord, bus } = this.#deps;
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
      const flushed = batch.flatMap(([serverId, server], index): FlushedDays[] => {
        const stored = written[index];
        const { createdAt } = unsaved[index] ?? {};
        if (stored !== undefined && stored.version > Math.max(0, server.version) + 1)
          this.#stale.add(serverId);
        server.endSave(stored, origin);
        return stored === undefined || createdAt === undefined ? [] : [{ serverId, createdAt, stored }];
      });
      publishDays(bus, flushed);
    }
  }
}

/** Creates the days of a fleet, still empty. */
export function createKeptDays(deps: KeptDaysDeps): KeptDays {
  return new KeptDays(deps);
}
