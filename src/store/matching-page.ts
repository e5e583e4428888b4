/** Pages of the records that a filter wants, where no index knows the filter. */
import type { Page } from "./store.ts";

export interface MatchingPage<R> {
  /** Reads the next page of `limit` records, wanted or not. */
  readonly read: (cursor: { cursor?: string }) => Promise<Page<R>>;
  readonly isWanted: (record: R) => boolean;
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Pages that are looked through at most; one that found less than `limit` still has its cursor. */
  readonly maxPages: number;
}

/** Reads page after page until `limit` records were found. */
export async function readMatchingPage<R>(query: MatchingPage<R>): Promise<Page<R>> {
  const { read, isWanted, limit, maxPages } = query;
  const items: R[] = [];
  let { cursor } = query;
  for (let step = 0; step < maxPages; step += 1) {
    const page = await read({ cursor });
    const found = page.items.filter(isWanted);
    // Records that do not fit are read again with the next page.
    if (cursor !== undefined && items.length + found.length > limit) return { items, nextCursor: cursor };
    items.push(...found);
    if (page.nextCursor === undefined) return { items };
    cursor = page.nextCursor;
    if (items.length === limit) break;
  }
  return cursor === undefined ? { items } : { items, nextCursor: cursor };
}

export interface Scan<R> extends Pick<MatchingPage<R>, "isWanted" | "limit" | "cursor"> {
  readonly read: (page: { limit: number; cursor?: string }) => Promise<Page<R>>;
  /** Records that are looked at; what found too few goes on at its cursor. Default: 2,000. */
  readonly maxScanned?: number;
}

/** Records that are read at once after the first page, which is all that is needed where every record is wanted. */
const STEP = 200;

/** Reads until `limit` records were found, and goes on right after the last of them. */
export async function scanMatches<R>(query: Scan<R>): Promise<Page<R>> {
  const { read, isWanted, limit, maxScanned = 2_000 } = query;
  const items: R[] = [];
  let { cursor } = query;
  let step = limit;
  for (let scanned = 0; scanned < maxScanned; scanned += step) {
    if (scanned > 0) step = Math.min(STEP, maxScanned - scanned);
    const page = await read({ limit: step, cursor });
    for (const [place, record] of page.items.entries()) {
      if (!isWanted(record)) continue;
      items.push(record);
      if (items.length < limit) continue;
      // Full before the page ended: reading up to here gives the cursor of this place.
      const isEnd = place + 1 === page.items.length;
      const { nextCursor } = isEnd ? page : await read({ limit: place + 1, cursor });
      return { items, nextCursor };
    }
    cursor = page.nextCursor;
    if (cursor === undefined) return { items };
  }
  return { items, nextCursor: cursor };
}
