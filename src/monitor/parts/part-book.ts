/**
 * The parts of one server and the series that they have: 64 of a kind at most. A series is a place with a number; a
 * part that is reported no more gives its place to a new one, so that names that change without end take no more room.
 */
import {
  MAX_PART_NAME,
  MOST_PARTS,
  type PartKindName,
  type PartReading,
  partKindNames,
} from "../base/part-metrics.ts";
import type { PartFields, leftOutReasons } from "./schema.ts";

/** A part that was reported within this time keeps its place. */
const PRESENT_MS = 10 * 60_000;
/** Places that change hands in an hour, of each kind. */
const MOST_CHANGES = 64;
const HOUR_MS = 3_600_000;
/** How much older the stored time of a part may be than the real one. */
const STALE_MS = 6 * HOUR_MS;
const SHOWN_NAME = 80;

export interface Part extends PartFields {
  lastAt: number;
  /** Names its series in memory. */
  readonly seriesId: string;
}

export interface LeftOut {
  readonly kind: PartKindName;
  readonly reason: (typeof leftOutReasons)[number];
  name: string;
  count: number;
  /** Epoch milliseconds. */
  readonly since: number;
}

/** The name of a series among those of its server; kinds keep their first letters forever. */
export function toSeriesName({ kind, slot }: Pick<PartFields, "kind" | "slot">): string {
  return `${kind}${slot}`;
}

class Kind {
  readonly parts = new Map<string, Part>();
  readonly #slots = new Set<number>();
  #changes = { count: 0, since: -Infinity };

  add(part: Part): void {
    this.parts.set(part.name, part);
    this.#slots.add(part.slot);
  }

  /** A free place, or that of the part that was reported least recently; undefined when all are needed. */
  takeSlot(at: number, now: number): { readonly slot: number; readonly since: number } | undefined {
    if (this.parts.size < MOST_PARTS) {
      let slot = 0;
      while (this.#slots.has(slot)) slot += 1;
      return { slot, since: 0 };
    }
    if (now - this.#changes.since >= HOUR_MS) this.#changes = { count: 0, since: now };
    if (this.#changes.count >= MOST_CHANGES) return undefined;
    let oldest: Part | undefined;
    for (const part of this.parts.values()) if (part.lastAt < (oldest?.lastAt ?? Infinity)) oldest = part;
    if (oldest === undefined || oldest.lastAt > at - PRESENT_MS) return undefined;
    this.#changes.count += 1;
    this.parts.delete(oldest.name);
    return { slot: oldest.slot, since: now };
  }
}

export class PartBook {
  readonly serverId: string;
  /** Of the server. */
  readonly createdAt: number;
  /** Of the record that it was read from or written to. */
  version: number;
  /** Whether the store lacks something. */
  isChanged = false;
  /** When parts were last taken from a report, by the agent's clock. */
  takenAt = -Infinity;
  readonly #kinds = new Map<PartKindName, Kind>(partKindNames.map((kind) => [kind, new Kind()]));
  readonly #leftOut = new Map<string, LeftOut>();
  #savedAt = -Infinity;

  constructor(
    server: { readonly id: string; readonly createdAt: number },
    stored: { readonly version: number; readonly parts: readonly PartFields[] },
  ) {
    this.serverId = server.id;
    this.createdAt = server.createdAt;
    this.version = stored.version;
    for (const part of stored.parts) {
      this.#savedAt = Math.max(this.#savedAt, part.lastAt);
      this.#kindOf(part.kind).add(this.#toPart(part));
    }
  }

  /** The part of a reading, taken up when it is new; undefined when there is no room for it. */
  take({ kind, name }: PartReading, at: number, now: number): Part | undefined {
    const known = this.find(kind, name);
    if (known !== undefined) {
      known.lastAt = Math.max(known.lastAt, at);
      if (known.lastAt - this.#savedAt > STALE_MS) this.isChanged = true;
      return known;
    }
    if (name.length > MAX_PART_NAME) return this.#leaveOut(kind, name, { reason: "name_too_long", now });
    const place = this.#kindOf(kind).takeSlot(at, now);
    if (place === undefined) return this.#leaveOut(kind, name, { reason: "too_many", now });
    const part = this.#toPart({ kind, name, ...place, lastAt: at });
    this.#kindOf(kind).add(part);
    this.isChanged = true;
    return part;
  }

  find(kind: PartKindName, name: string): Part | undefined {
    return this.#kinds.get(kind)?.parts.get(name);
  }

  list(): readonly Part[] {
    return [...this.#kinds.values()].flatMap(({ parts }) => [...parts.values()]);
  }

  /** Of the last hours. */
  leftOut(now: number): readonly LeftOut[] {
    return [...this.#leftOut.values()].filter(({ since }) => now - since < STALE_MS);
  }

  /** Fields to store; they count as stored from now on. */
  toStored(): PartFields[] {
    this.isChanged = false;
    const parts = this.list();
    this.#savedAt = parts.reduce((latest, { lastAt }) => Math.max(latest, lastAt), -Infinity);
    return parts.map(({ kind, name, slot, since, lastAt }) => ({ kind, name, slot, since, lastAt }));
  }

  #leaveOut(
    kind: PartKindName,
    name: string,
    { reason, now }: { reason: LeftOut["reason"]; now: number },
  ): undefined {
    const key = `${kind} ${reason}`;
    const known = this.#leftOut.get(key);
    const shown = name.slice(0, SHOWN_NAME);
    if (known === undefined || now - known.since >= STALE_MS)
      this.#leftOut.set(key, { kind, reason, name: shown, count: 1, since: now });
    else {
      known.count += 1;
      known.name = shown;
    }
    return undefined;
  }

  #kindOf(name: PartKindName): Kind {
    const found = this.#kinds.get(name);
    if (found === undefined) throw new TypeError(`No kind of parts "${name}"`);
    return found;
  }

  #toPart(fields: PartFields): Part {
    return { ...fields, seriesId: `${this.serverId}/${toSeriesName(fields)}` };
  }
}
