/** Walking over a range of an index, page by page, in one transaction. */
import type { Collection, IndexRange, ReadTx, StoreRecord } from "./store.ts";

const PAGE = 1_000;

export interface Walk<O extends string> {
  readonly index: O | "id";
  readonly range?: IndexRange;
  /** Walks from the end to the start. */
  readonly reverse?: boolean;
  /** Records at a time, 1 to 1,000; default 1,000. */
  readonly pageSize?: number;
}

/** The pages of a range, in its order, each read on demand. */
export async function* pagesOf<T extends StoreRecord, O extends string>(
  tx: Pick<ReadTx, "list">,
  collection: Collection<T, string, O>,
  { index, range = {}, reverse = false, pageSize = PAGE }: Walk<O>,
): AsyncGenerator<readonly T[], void> {
  let cursor: string | undefined;
  do {
    const more = cursor === undefined ? {} : { cursor };
    // Not a spread: docs/decisions/078-members-before-the-copy.md.
    const options = Object.assign({}, range, { reverse, limit: pageSize }, more);
    const page: { items: readonly T[]; nextCursor?: string } = await tx.list(collection, index, options);
    yield page.items;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** Every record of a range of an ordered index, in its order; for ranges that are known to be small enough for memory. */
export async function listEvery<T extends StoreRecord, O extends string>(
  tx: Pick<ReadTx, "list">,
  collection: Collection<T, string, O>,
  walk: Walk<O>,
): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pagesOf(tx, collection, walk)) all.push(...page);
  return all;
}
