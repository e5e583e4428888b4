/** Word of changed products that processes on one database leave for each other. */
import type { Clock } from "../../kit/time/clock.ts";
import { newId } from "../../kit/secrets/id.ts";
import { listEvery } from "../../store/every-page.ts";
import type { Store, Tx } from "../../store/store.ts";
import { catalogueChanges } from "../records.ts";

/** A look goes back so far behind the one before. */
const OVERLAP_MS = 30_000;
/** Word of changes is kept so long; */
const KEEP_MS = 900_000;
/** who looked this long ago may have missed some. */
const MISSED_MS = 600_000;
const SWEEP_AT_ONCE = 500;

/** What a look found; `done` says that it was taken over, so that no later look finds it again. */
export interface Look {
  readonly productIds: readonly string[];
  done(): void;
}

export interface ChangeLog {
  /** Everything is about to be read; call what it returns when that is done: word up to the call of `begin` counts as seen. */
  begin(): () => void;
  /** Leaves word in the transaction that changes these products. */
  note(tx: Tx, productIds: readonly string[]): Promise<void>;
  /** What changed since the last look that was done, also by this process; "missed" when that was too long ago. */
  look(): Promise<Look | "missed">;
  /** Removes what every process must have seen. */
  sweep(): Promise<void>;
}

/** Makes the log over a store. */
export function createChangeLog({ store, clock }: { store: Store; clock: Clock }): ChangeLog {
  let seen = new Map<string, number>();
  let sinceMs = clock.now();
  let lookedMs = clock.monotonic();

  const readSince = (fromMs: number): Promise<{ id: string; productId: string; at: number }[]> =>
    store.read((tx) => listEvery(tx, catalogueChanges, { index: "byAt", range: { from: [fromMs] } }));

  return {
    begin: () => {
      const [nowMs, atMonotonicMs] = [clock.now(), clock.monotonic()];
      return () => {
        seen = new Map();
        sinceMs = nowMs;
        lookedMs = atMonotonicMs;
      };
    },
    note: async (tx, productIds) => {
      const at = clock.now();
      for (const productId of productIds)
        await tx.insert(catalogueChanges, { id: newId("chg", at), productId, at });
    },
    look: async () => {
      if (clock.monotonic() - lookedMs > MISSED_MS) return "missed";
      const [nowMs, atMonotonicMs] = [clock.now(), clock.monotonic()];
      const fromMs = Math.max(0, sinceMs - OVERLAP_MS);
      const found = await readSince(fromMs);
      const fresh = found.filter(({ id }) => !seen.has(id));
      return {
        productIds: [...new Set(fresh.map(({ productId }) => productId))],
        done: () => {
          sinceMs = nowMs;
          lookedMs = atMonotonicMs;
          seen = new Map(found.map(({ id, at }) => [id, at]));
        },
      };
    },
    sweep: async () => {
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
