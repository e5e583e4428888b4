/** Records for which something is due, one after the other. */
import type { Collection, StoreRecord } from "../../store/store.ts";
import type { ShopDeps } from "./deps.ts";

/** Works on those that are due by an index of times, `limit` at most; resolves with how many those were. */
export async function runDue<T extends StoreRecord, O extends string>(
  { store, clock }: Pick<ShopDeps, "store" | "clock">,
  { of, index, limit }: { readonly of: Collection<T, string, O>; readonly index: O; readonly limit: number },
  work: (id: string) => Promise<unknown>,
): Promise<number> {
  const range = { to: [clock.now() + 1], limit };
  const { items } = await store.read((tx) => tx.list(of, index, range));
  for (const { id } of items) await work(id);
  return items.length;
}
