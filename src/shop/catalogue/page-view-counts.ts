/** How often products are looked at. */
import type { Clock } from "../../kit/time/clock.ts";
import { addressKey, createRateLimit } from "../../kit/limits/rate-limit.ts";
import type { Store, Tx } from "../../store/store.ts";
import type { Caller } from "../users/caller.ts";
import { hashText } from "./text-hash.ts";
import { toDay } from "../../kit/time/zone-days.ts";
import { dayViews } from "./records.ts";
import { views, products } from "../products/records.ts";
import { readSite } from "../site/settings.ts";

/** A visitor counts once a product in this time. */
const ONCE_MS = 1_800_000;
/** Visitors that are remembered; beyond it the one counted longest ago may count again. */
const MAX_VISITORS = 100_000;
/** Views of one address that count in a minute: a script that changes its name at each request counts no more. */
const PER_MINUTE = 60;
/** Products of one transaction. */
const FLUSH_AT_ONCE = 500;

async function addToDay(tx: Tx, { by, nowMs }: { by: number; nowMs: number }): Promise<void> {
  const id = toDay(nowMs, (await readSite(tx)).timeZone);
  if ((await tx.get(dayViews, id)) === undefined) await tx.insert(dayViews, { id, views: by });
  else await tx.adjust(dayViews, id, { field: "views", by });
}

async function addViews(
  tx: Tx,
  counts: readonly (readonly [string, number])[],
  nowMs: number,
): Promise<void> {
  let sum = 0;
  for (const [id, by] of counts) {
    // A product that was removed in the meantime leaves nothing behind.
    if ((await tx.get(products, id)) === undefined) continue;
    const record = await tx.get(views, id);
    if (record === undefined) await tx.insert(views, { id, views: by });
    else await tx.adjust(views, id, { field: "views", by });
    sum += by;
  }
  if (sum > 0) await addToDay(tx, { by: sum, nowMs });
}

export type Views = ReturnType<typeof createViews>;

export function createViews({ store, clock }: { store: Store; clock: Clock }) {
  /** When each visitor was counted, the one counted longest ago first. */
  const visitors = new Map<string, number>();
  const waiting = new Map<string, number>();
  const limit = createRateLimit({ limit: PER_MINUTE, windowMs: 60_000, clock });

  function forget(now: number): void {
    for (const [key, countedMs] of visitors) {
      if (now - countedMs < ONCE_MS && visitors.size <= MAX_VISITORS) return;
      visitors.delete(key);
    }
  }

  return {
    /** Counts a view of a published product; false when this visitor was counted lately. */
    count: (
      productId: string,
      { clientAddress, userAgent }: Pick<Caller, "clientAddress" | "userAgent">,
    ): boolean => {
      const now = clock.monotonic();
      forget(now);
      const address = addressKey(clientAddress);
      const key = hashText(`${productId}\n${address}\n${userAgent}`);
      if (visitors.has(key) || !limit.hit(address).allowed) return false;
      visitors.set(key, now);
      waiting.set(productId, (waiting.get(productId) ?? 0) + 1);
      return true;
    },
    /** Views that are counted and not stored yet. */
    pending: (productId: string): number => waiting.get(productId) ?? 0,
    /** Stores what was counted; on a failure it stays for the next time. */
    flush: async (): Promise<void> => {
      const counts = [...waiting];
      for (let i = 0; i < counts.length; i += FLUSH_AT_ONCE) {
        const some = counts.slice(i, i + FLUSH_AT_ONCE);
        await store.transact((tx) => addViews(tx, some, clock.now()));
        for (const [id, by] of some) {
          const left = (waiting.get(id) ?? 0) - by;
          if (left > 0) waiting.set(id, left);
          else waiting.delete(id);
        }
      }
    },
  };
}
