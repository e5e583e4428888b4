/** Notes of changed products that processes on one database write for each other. */
import type { Clock } from "../../kit/time/clock.ts";
import { newId } from "../../kit/secrets/id.ts";
import { listEvery } from "../../store/every-page.ts";
import type { Store, Tx } from "../../store/store.ts";
import { catalogueChanges } from "./records.ts";

/** Each poll reads so far back behind the one before. */
const OVERLAP_MS = 30_000;
/** Notes are kept so long; */
const KEEP_MS = 900_000;
/** A client that last polled this long ago may have missed changes. */
const MISSED_MS = 600_000;
const SWEEP_AT_ONCE = 500;

/** Creates the log over a store. */
export function createChangeLog({ store, clock }: { store: Store; clock: Clock }) {
  let seen = new Map<string, number>();
  let sinceMs = clock.now();
  let readMs = clock.monotonic();

  const readSince = (fromMs: number): Promise<{ id: string; productId: string; at: number }[]> =>
    store.read((tx) => listEvery(tx, catalogueChanges, { index: "byAt", range: { from: [fromMs] } }));

  return {
    /** Everything is about to be read; call the result when that is done: notes up to the call of `begin` count as seen. */
    begin: (): (() => void) => {
      const [nowMs, atMonotonicMs] = [clock.now(), clock.monotonic()];
      return () => {
        seen = new Map();
        sinceMs = nowMs;
        readMs = atMonotonicMs;
      };
    },
    /** Writes notes in the transaction that changes these products. */
    note: async (tx: Tx, productIds: readonly string[]): Promise<void> => {
      const at = clock.now();
      for (const productId of productIds)
        await tx.insert(catalogueChanges, { id: newId("chg", at), productId, at });
    },
    /**
     * Changes since the last completed poll, including those of this process; "missed" when that was too long ago.
     * Call `done` after applying them, so that no later poll returns them again.
     */
    read: async () => {
      if (clock.monotonic() - readMs > MISSED_MS) return "missed" as const;
      const [nowMs, atMonotonicMs] = [clock.now(), clock.monotonic()];
      const fromMs = Math.max(0, sinceMs - OVERLAP_MS);
      const found = await readSince(fromMs);
      const fresh = found.filter(({ id }) => !seen.has(id));
      return {
        productIds: [...new Set(fresh.map(({ productId }) => productId))],
        done: (): void => {
          sinceMs = nowMs;
          readMs = atMonotonicMs;
          seen = new Map(found.map(({ id, at }) => [id, at]));
        },
      };
    },
    /** Removes what every process must have seen. */
    sweep: async (): Promise<void> => {
      const to = [Math.max(0, clock.now() - KEEP_MS)];
      let count: number;
      do {
        count = await store.transact(async (tx) => {
          const { items } = await tx.list(catalogueChanges, "byAt", { to, limit: SWEEP_AT_ONCE });
          for (const { id } of items) await tx.remove(catalogueChanges, id);
          return items.length;
        });
      } while (count === SWEEP_AT_ONCE);
    },
  };
}
