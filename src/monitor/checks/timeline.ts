/** The timelines of checks: when each went into which state, kept for 400 days and 1,000 events a check. */
import type { Clock } from "../../kit/time/clock.ts";
import type { Store, Tx } from "../../store/store.ts";
import { checkEvents } from "./records.ts";
import type { CheckEvent } from "./schema.ts";

const KEPT_MS = 400 * 86_400_000;
const KEPT_EACH = 1_000;
/** Removed in one transaction at most. */
const AT_ONCE = 500;

/** A state with its end. */
export interface TimelineEvent extends CheckEvent {
  /** When it went on to the next, epoch milliseconds; absent of the present state. */
  readonly until?: number;
}

export interface TimelinePage {
  /** The newest first. */
  readonly items: readonly TimelineEvent[];
  readonly nextCursor?: string;
}

export interface TimelineDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** Only the leader tidies up. */
  readonly isLeader: () => boolean;
}

function withEnds(items: readonly CheckEvent[], newerAt: number | undefined): TimelineEvent[] {
  return items.map((event, index) => {
    const until = items[index - 1]?.at ?? newerAt;
    return until === undefined ? event : { ...event, until };
  });
}

/** The timelines of all checks. */
export class Timeline {
  readonly #deps: TimelineDeps;
  /** Checks with new events since the last sweep. */
  readonly #written = new Set<string>();
  readonly #gone = new Set<string>();

  constructor(deps: TimelineDeps) {
    this.#deps = deps;
  }

  /** A page of a check's, the newest first. Throws `bad_cursor` of the store. */
  page(
    checkId: string,
    { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  ): Promise<TimelinePage> {
    return this.#deps.store.read(async (tx) => {
      const prefix = [checkId];
      const page = await tx.list(checkEvents, "byCheck", { prefix, reverse: true, limit, cursor });
      const [first] = page.items;
      // The event that ended the newest one of a later page is on the page before.
      const newer =
        first === undefined || cursor === undefined
          ? []
          : (await tx.list(checkEvents, "byCheck", { prefix, from: [first.at + 1], limit: 1 })).items;
      const items = withEnds(page.items, newer[0]?.at);
      return page.nextCursor === undefined ? { items } : { items, nextCursor: page.nextCursor };
    });
  }

  /** A check has a new event. */
  noteWritten(checkId: string): void {
    this.#written.add(checkId);
  }

  /** A check is deleted: its timeline goes with the next sweeps. */
  noteGone(checkId: string): void {
    this.#gone.add(checkId);
  }

  /** Removes what is too old or too much, in bounded steps; call it every minute. */
  async sweep(): Promise<void> {
    const { store, clock, isLeader } = this.#deps;
    if (!isLeader()) {
      this.#written.clear();
      this.#gone.clear();
      return;
    }
    await store.transact((tx) => removeAll(tx, "byAt", { to: [clock.now() - KEPT_MS] }));
    for (const id of this.#gone) {
      const removed = await store.transact((tx) => removeAll(tx, "byCheck", { prefix: [id] }));
      if (removed < AT_ONCE) this.#gone.delete(id);
    }
    for (const id of this.#written) {
      await store.transact((tx) => trim(tx, id));
      this.#written.delete(id);
    }
  }
}

async function removeAll(
  tx: Tx,
  index: "byAt" | "byCheck",
  range: { readonly prefix?: readonly [string]; readonly to?: readonly [number] },
  limit = AT_ONCE,
): Promise<number> {
  const { items } = await tx.list(checkEvents, index, { ...range, limit });
  for (const { id } of items) await tx.remove(checkEvents, id);
  return items.length;
}

async function trim(tx: Tx, id: string): Promise<void> {
  const count = await tx.count(checkEvents, "byCheck", { prefix: [id] });
  const surplus = Math.min(count - KEPT_EACH, AT_ONCE);
  if (surplus > 0) await removeAll(tx, "byCheck", { prefix: [id] }, surplus);
}
