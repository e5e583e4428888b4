/**
 * When a notification is sent: the first row that applies decides.
 *
 * | Case | Decision |
 * |---|---|
 * | down, server or check muted | waits for the end of the mute; when the incident closes first, nothing is sent |
 * | up, down was sent, server or check muted | as without a mute |
 * | quiet hours (not for critical alerts, if set so) | waits for their end, then one digest per channel |
 * | down, while an earlier notification of the same rule and server or check waits | sent with it, or after it |
 * | more than 10 for one of its channels | gathered for 30 s from the first, then one message per channel |
 * | otherwise | sent at once |
 *
 * The count per channel has those of this pass, those of the last 30 s, and the expected ones: pending alerts due within
 * 30 s (down), or incidents announced in the same message that are still open (up). What waits is stored with its reason
 * and due time, so a restart neither loses nor repeats a notification.
 */
import type { Clock } from "../../kit/time/clock.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { Held, IncidentRecord } from "./schema.ts";
import { toOpenKey } from "./incident-log.ts";
import type { WatchedRef } from "./kinds/watched.ts";

/** More than this many within {@link WINDOW_MS} are a mass. */
export const MASS = 10;
export const WINDOW_MS = 30_000;

export type Direction = "down" | "up";

/** The fields of an incident that decide when its notification is sent. */
export type Notifiable = Pick<
  IncidentRecord,
  "id" | "ruleId" | "serverId" | "checkId" | "openedAt" | "severity" | "channelIds" | "group"
>;

/** Why and until when a notification waits; undefined: send it now. */
export type Decision = Held | undefined;

/** The context of a decision other than the incident; read again at each tick. */
export interface PolicyContext {
  /** When the current quiet hours end, epoch milliseconds; undefined outside them. */
  readonly quietEnd: number | undefined;
  readonly exceptCritical: boolean;
  isMuted(ref: WatchedRef): boolean;
  /** Pending alerts of a channel that are due within {@link WINDOW_MS}. */
  countDue(channelId: string): number;
  /** Incidents of a channel that were announced in this message and are still open. */
  countOpen(group: string, channelId: string): number;
  /** The last earlier incident of the same rule and server or check with a pending notification. */
  findPending(item: Notifiable): IncidentRecord | undefined;
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
export function isQuietFor({ severity }: Pick<Notifiable, "severity">, context: PolicyContext): boolean {
  return context.quietEnd !== undefined && !(context.exceptCritical && severity === "critical");
}

/** Waits for nothing: decided again in the next pass, after everything due now was sent. */
const RETRY: Held = { by: "mute", batch: "" };

function addCounts(counts: Map<string, number>, channelIds: readonly string[]): void {
  for (const id of channelIds) counts.set(id, (counts.get(id) ?? 0) + 1);
}

export class NotificationPolicy {
  readonly #clock: Clock;
  readonly #recent: Record<Direction, Recent[]> = { down: [], up: [] };
  readonly #gathering: Partial<Record<Direction, Gathering>> = {};
  readonly #due = new Map<string, number>();
  #quietBatch: string | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Decides for each of `items`, in their order. */
  decide(direction: Direction, items: readonly Notifiable[], context: PolicyContext): readonly Decision[] {
    if (items.length === 0) return [];
    const waiting = items.map((item) => this.#findWait(direction, item, context));
    const counts = this.#countRecent(direction);
    items.forEach((item, index) => {
      if (waiting[index] === undefined) addCounts(counts, item.channelIds);
    });
    const isMass = (item: Notifiable): boolean =>
      item.channelIds.some((id) => {
        const expected =
          direction === "down"
            ? context.countDue(id)
            : item.group === undefined
              ? 0
              : context.countOpen(item.group, id);
        return (counts.get(id) ?? 0) + expected > MASS;
      });
    // Several may be of one rule and server or check; the first of them decides.
    const decided = new Map<string, Decision>();
    return items.map((item, index) => {
      const key = toOpenKey(item);
      const decision = decided.has(key)
        ? decided.get(key)
        : (waiting[index] ?? (isMass(item) ? this.#gather(direction) : undefined));
      decided.set(key, decision);
      return decision;
    });
  }

  /** Remembers decisions that have been stored. */
  remember(direction: Direction, items: readonly Notifiable[], decisions: readonly Decision[]): void {
    const atMs = this.#clock.monotonic();
    items.forEach(({ channelIds }, index) => {
      const held = decisions[index];
      if (held === undefined || held.by === "gather") this.#recent[direction].push({ atMs, channelIds });
    });
  }

  /** Resumes a batch that began before a restart. */
  resume({ held, owed, channelIds }: IncidentRecord): void {
    if (held === undefined || owed === undefined) return;
    if (held.by === "quiet") this.#quietBatch ??= held.batch;
    if (held.by !== "gather") return;
    const nowMs = this.#clock.monotonic();
    const now = this.#clock.now();
    // The wall clock may have jumped during the restart.
    const leftMs = Math.min(Math.max((held.until ?? now) - now, 0), WINDOW_MS);
    this.#recent[owed].push({ atMs: nowMs - WINDOW_MS + leftMs, channelIds });
    if (!this.#due.has(held.batch)) this.#due.set(held.batch, nowMs + leftMs);
    // Also for ups: a batch of recoveries may have downs waiting for one of them.
    if (leftMs > 0)
      this.#gathering[owed] = { batch: held.batch, untilMs: nowMs + leftMs, until: now + leftMs };
  }

  /** Whether a gathered batch is due. */
  isDue(batch: string): boolean {
    return (this.#due.get(batch) ?? -Infinity) <= this.#clock.monotonic();
  }

  /** Forgets the batch of past quiet hours. */
  endQuiet(): void {
    this.#quietBatch = undefined;
  }

  #findWait(direction: Direction, item: Notifiable, context: PolicyContext): Decision {
    if (direction === "down" && context.isMuted(item)) return { by: "mute", batch: "" };
    if (!isQuietFor(item, context))
      return direction === "down" ? this.#findPredecessorWait(item, context) : undefined;
    this.#quietBatch ??= newId("grp", this.#clock.now());
    return { by: "quiet", batch: this.#quietBatch };
  }

  /** A recovery goes out before the next down, so the down waits for whatever the recovery waits for. */
  #findPredecessorWait(item: Notifiable, context: PolicyContext): Decision {
    const before = context.findPending(item);
    if (before === undefined) return undefined;
    const { held } = before;
    if (held?.by === "gather" && !this.isDue(held.batch)) return held;
    // Notifications allowed in quiet hours do not wait for others.
    if (held?.by === "quiet" && context.quietEnd !== undefined) return undefined;
    return RETRY;
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

/** Creates a policy that has sent nothing yet. */
export function createNotificationPolicy(deps: { clock: Clock }): NotificationPolicy {
  return new NotificationPolicy(deps.clock);
}
