/** Notices what other processes on the same store change. */
import { auditCollection } from "../../records/audit-chain.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Store } from "../../store/store.ts";

/** Entries that are compared: clocks of two machines differ, so the newest entry need not sort last. */
const NEWEST = 20;
/** Facts from agents leave no audit entry; they are polled this often. */
const LOOK_ANYWAY_MS = 15_000;

export interface FollowDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** Applies the current records. */
  readonly refresh: () => Promise<void>;
}

/**
 * Watches for changes by other processes; call it every second. Resolves with true when it reloaded the records.
 * Rejects with errors of the store, and then tries again at the next call.
 */
export function createFollow(deps: FollowDeps): () => Promise<boolean> {
  const { store, clock, refresh } = deps;
  let known: ReadonlySet<string> | undefined;
  let lookedMs = -Infinity;
  return async () => {
    const { items } = await store.read((tx) =>
      tx.list(auditCollection, "id", { limit: NEWEST, reverse: true }),
    );
    const before = known;
    const hasNew = before === undefined || items.some(({ id }) => !before.has(id));
    if (!hasNew && clock.monotonic() - lookedMs < LOOK_ANYWAY_MS) return false;
    await refresh();
    known = new Set(items.map(({ id }) => id));
    lookedMs = clock.monotonic();
    return true;
  };
}
