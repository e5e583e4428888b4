/** Subscriptions for which something is due, one after the other. */
import type { ShopDeps } from "../base/deps.ts";
import { subscriptions } from "../subscriptions/records.ts";

/** Works on those that are due by an index, `limit` at most; resolves with how many those were. */
export async function runDue(
  { store, clock }: Pick<ShopDeps, "store" | "clock">,
  { index, limit }: { readonly index: "byDue" | "byRemoteDue"; readonly limit: number },
  work: (id: string) => Promise<void>,
): Promise<number> {
  const range = { to: [clock.now() + 1], limit };
  const { items } = await store.read((tx) => tx.list(subscriptions, index, range));
  for (const { id } of items) await work(id);
  return items.length;
}
