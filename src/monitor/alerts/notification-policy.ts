/**
 * When something is told. In this order: of a muted server nothing is told until its mute ends, but what was told
 * to be down is told to be up. What falls into quiet hours waits for their end and is told as one digest per channel
 * (critical alerts pass when the settings say so). The rest is told at once, unless it is part of a mass: for each of
 * its channels, those that come now, those of the last 30 s and those that are expected (for downs: pending and due
 * within 30 s; for ups: told to be down in the same message, and still so) are counted; when they are more than 10
 * for any channel, it is gathered: until 30 s after the first that was gathered, then told as one message per
 * channel. Nothing is told before what still waits of the same rule and server: it is told in the same message. What
 * waits is written down with why and until when, so a restart forgets none of it and tells none twice.
 */
import type { Clock } from "../../kit/time/clock.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { Held, IncidentRecord } from "./schema.ts";
import { toOpenKey } from "./incident-log.ts";

/** More than this many within {@link WINDOW_MS} are a mass. */
export const MASS = 10;
export const WINDOW_MS = 30_000;

export type Direction = "down" | "up";

/** What of an incident decides when it is told. */
export type Tellable = Pick<
  IncidentRecord,
  "id" | "ruleId" | "serverId" | "openedAt" | "severity" | "channelIds" | "group"
>;

/** Undefined: at once. */
export type Disposal = Held | undefined;

/** What the decision depends on beside the incident; asked anew at each tick. */
export interface Surroundings {
  /** Epoch milliseconds of the end of the quiet hours of this moment; undefined outside. */
  readonly quietEnd: number | undefined;
  readonly exceptCritical: boolean;
  isMuted(serverId: string): boolean;
  /** Pending alerts of a channel that are due within {@link WINDOW_MS}. */
  countDue(channelId: string): number;
  /** Incidents of a channel that were told to be down in this message and are still open. */
  countOpen(group: string, channelId: string): number;
  /** The last incident of the same rule and server before this one, while something of it is still to be told. */
  findUntold(item: Tellable): IncidentRecord | undefined;
}

export interface Telling {
  /** Decides for each of `items`, in their order. */
  plan(direction: Direction, items: readonly Tellable[], around: Surroundings): readonly Disposal[];
  /** Remembers what was decided and is written down by now. */
  note(direction: Direction, items: readonly Tellable[], disposals: readonly Disposal[]): void;
  /** Takes up a batch that was begun before a restart. */
  resume(incident: IncidentRecord): void;
  /** Whether a gathered batch is due. */
  isDue(batch: string): boolean;
  /** Forgets the batch of quiet hours that are over. */
  endQuiet(): void;
}

interface Gathering {
  readonly batch: string;
  /** Monotonic milliseconds. */
  readonly untilMs: number;
  /** Epoch milliseconds. */
  readonly until: number;
}

interface Recent {
  readonly atMs: number;
  readonly channelIds: readonly string[];
}

/** Whether quiet hours hold back something of this severity. */
export function isQuietFor({ severity }: Pick<Tellable, "severity">, around: Surroundings): boolean {
  return around.quietEnd !== undefined && !(around.exceptCritical && severity === "critical");
}

/** Waits for nothing: it is decided at the next look at what is owed, after all that is due then was told. */
const ANEW: Held = { by: "mute", batch: "" };

function addCounts(counts: Map<string, number>, channelIds: readonly string[]): void {
  for (const id of channelIds) counts.set(id, (counts.get(id) ?? 0) + 1);
}

class Teller implements Telling {
  readonly #clock: Clock;
  readonly #recent: Record<Direction, Recent[]> = { down: [], up: [] };
  readonly #gathering: Partial<Record<Direction, Gathering>> = {};
  readonly #due = new Map<string, number>();
  #quietBatch: string | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  plan(direction: Direction, items: readonly Tellable[], around: Surroundings): readonly Disposal[] {
    if (items.length === 0) return [];
    const waiting = items.map((item) => this.#findWait(direction, item, around));
    const counts = this.#countRecent(direction);
    items.forEach((item, index) => {
      if (waiting[index] === undefined) addCounts(counts, item.channelIds);
    });
    const isMass = (item: Tellable): boolean =>
      item.channelIds.some((id) => {
        const expected =
          direction === "down"
            ? around.countDue(id)
            : item.group === undefined
              ? 0
              : around.countOpen(item.group, id);
        return (counts.get(id) ?? 0) + expected > MASS;
      });
    // Of what was held back until now, several may be of one rule and server; the first of them decides.
    const decided = new Map<string, Disposal>();
    return items.map((item, index) => {
      const key = toOpenKey(item);
      const disposal = decided.has(key)
        ? decided.get(key)
        : (waiting[index] ?? (isMass(item) ? this.#gather(direction) : undefined));
      decided.set(key, disposal);
      return disposal;
    });
  }

  note(direction: Direction, items: readonly Tellable[], disposals: readonly Disposal[]): void {
    const atMs = this.#clock.monotonic();
    items.forEach(({ channelIds }, index) => {
      const held = disposals[index];
      if (held === undefined || held.by === "gather") this.#recent[direction].push({ atMs, channelIds });
    });
  }

  resume({ held, owed, channelIds }: IncidentRecord): void {
    if (held === undefined || owed === undefined) return;
    if (held.by === "quiet") this.#quietBatch ??= held.batch;
    if (held.by !== "gather") return;
    const nowMs = this.#clock.monotonic();
    const now = this.#clock.now();
    // The wall clock may have jumped while nobody looked.
    const leftMs = Math.min(Math.max((held.until ?? now) - now, 0), WINDOW_MS);
    this.#recent[owed].push({ atMs: nowMs - WINDOW_MS + leftMs, channelIds });
    if (!this.#due.has(held.batch)) this.#due.set(held.batch, nowMs + leftMs);
    // In both directions: a batch of ends may have beginnings that wait for one of them.
    if (leftMs > 0)
      this.#gathering[owed] = { batch: held.batch, untilMs: nowMs + leftMs, until: now + leftMs };
  }

  isDue(batch: string): boolean {
    return (this.#due.get(batch) ?? -Infinity) <= this.#clock.monotonic();
  }

  endQuiet(): void {
    this.#quietBatch = undefined;
  }

  #findWait(direction: Direction, item: Tellable, around: Surroundings): Disposal {
    if (direction === "down" && around.isMuted(item.serverId)) return { by: "mute", batch: "" };
    if (!isQuietFor(item, around)) return direction === "down" ? this.#findTurn(item, around) : undefined;
    this.#quietBatch ??= newId("grp", this.#clock.now());
    return { by: "quiet", batch: this.#quietBatch };
  }

  /** Who was told "down" must be told "up" before the next "down", so that waits for what the one before waits for. */
  #findTurn(item: Tellable, around: Surroundings): Disposal {
    const before = around.findUntold(item);
    if (before === undefined) return undefined;
    const { held } = before;
    if (held?.by === "gather" && !this.isDue(held.batch)) return held;
    // What may be told in quiet hours does not wait for what may not.
    if (held?.by === "quiet" && around.quietEnd !== undefined) return undefined;
    return ANEW;
  }

  #countRecent(direction: Direction): Map<string, number> {
    const sinceMs = this.#clock.monotonic() - WINDOW_MS;
    const recent = this.#recent[direction].filter(({ atMs }) => atMs > sinceMs);
    this.#recent[direction] = recent;
    const counts = new Map<string, number>();
    for (const { channelIds } of recent) addCounts(counts, channelIds);
    return counts;
  }

  #gather(direction: Direction): Held {
    const nowMs = this.#clock.monotonic();
    let gathering = this.#gathering[direction];
    if (gathering === undefined || gathering.untilMs <= nowMs) {
      const now = this.#clock.now();
      gathering = { batch: newId("grp", now), untilMs: nowMs + WINDOW_MS, until: now + WINDOW_MS };
      this.#gathering[direction] = gathering;
      for (const [batch, dueMs] of this.#due) if (dueMs < nowMs - WINDOW_MS) this.#due.delete(batch);
      this.#due.set(gathering.batch, gathering.untilMs);
    }
    return { by: "gather", batch: gathering.batch, until: gathering.until };
  }
}

/** Makes a teller that has told nothing yet. */
export function createTelling(deps: { clock: Clock }): Telling {
  return new Teller(deps.clock);
}
