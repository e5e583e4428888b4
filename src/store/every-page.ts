/** Reading all of a range. */
import type { Collection, IndexRange, ReadTx, StoreRecord } from "./store.ts";

const PAGE = 1_000;

/** Every record of a range of an ordered index, in its order; for ranges that are known to be small enough for memory. */
export async function listEvery<T extends StoreRecord, O extends string>(
  tx: Pick<ReadTx, "list">,
  collection: Collection<T, string, O>,
  { index, range = {} }: { readonly index: O | "id"; readonly range?: IndexRange },
): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const more = cursor === undefined ? {} : { cursor };
    const page: { items: readonly T[]; nextCursor?: string } = await tx.list(collection, index, {
      ...range,
      limit: PAGE,
      ...more,
    });
    all.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}
