/** Public statistics of the shop. */
import type { Clock } from "../../kit/time/clock.ts";
import { coalesce } from "../../kit/limits/coalesce.ts";
import type { ReadTx, Store } from "../../store/store.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { orders } from "../orders/records.ts";
import { products } from "../products/records.ts";

/** Counts of orders may be so old. */
const FRESH_MS = 5_000;

async function readOrderCounts(tx: ReadTx) {
  const completedOrders = await tx.count(orders, "byStatus", { prefix: ["completed"] });
  const first = await tx.list(orders, "byCreated", { limit: 1 });
  const times = first.items.map(({ createdAt }) => createdAt);
  for (const status of ["draft", "published", "archived"]) {
    const { items } = await tx.list(products, "byStatus", { prefix: [status], limit: 1 });
    times.push(...items.map(({ createdAt }) => createdAt));
  }
  // When the first product or order was made; null before there is one.
  return { completedOrders, since: times.length === 0 ? null : Math.min(...times) };
}

type OrderCounts = Awaited<ReturnType<typeof readOrderCounts>>;

/** Numbers of the whole shop; hidden ones are absent. */
export type ShopStats = Partial<ReturnType<Catalogue["counts"]> & OrderCounts>;

/** Creates the function that reads the numbers which are not hidden. */
export function createStats(deps: {
  store: Store;
  clock: Clock;
  catalogue: Catalogue;
}): () => Promise<ShopStats> {
  const { store, clock, catalogue } = deps;
  let known: { readonly counts: OrderCounts; readonly readMs: number } | undefined;
  const count = coalesce(async () => {
    if (known !== undefined && clock.monotonic() - known.readMs < FRESH_MS) return known.counts;
    const counts = await store.read(readOrderCounts);
    known = { counts, readMs: clock.monotonic() };
    return counts;
  });
  return async () => {
    const all = { ...catalogue.counts(), ...(await count()) };
    const hidden = new Set<string>(catalogue.site().hiddenStats);
    return Object.fromEntries(Object.entries(all).filter(([name]) => !hidden.has(name)));
  };
}
