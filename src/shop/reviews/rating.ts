/** The average of a product: sums of its published reviews, changed with each of them. */
import type { Tx } from "../../store/store.ts";
import { ratings } from "./records.ts";
import type { RatingRecord, ReviewRecord } from "./schema.ts";

/** What pages and answers show of a product's reviews. */
export interface Rating {
  /** 1 to 5, with one decimal. */
  readonly average: number;
  readonly count: number;
}

/** Undefined without published reviews. */
export function toRating(record: Pick<RatingRecord, "count" | "stars"> | undefined): Rating | undefined {
  if (record === undefined || record.count === 0) return undefined;
  return { average: Math.round((record.stars / record.count) * 10) / 10, count: record.count };
}

/** Counts what became of a review; undefined: it was not there, or is there no longer. */
export async function countReview(
  tx: Tx,
  { before, after }: { before: ReviewRecord | undefined; after: ReviewRecord | undefined },
  nowMs: number,
): Promise<void> {
  const [was, is] = [before, after].map((each) => (each?.state === "published" ? each : undefined));
  const productId = was?.productId ?? is?.productId;
  if (productId === undefined) return;
  const present = await tx.get(ratings, productId);
  const sums = {
    count: (present?.count ?? 0) - (was === undefined ? 0 : 1) + (is === undefined ? 0 : 1),
    stars: (present?.stars ?? 0) - (was?.stars ?? 0) + (is?.stars ?? 0),
    changedAt: nowMs,
  };
  if (present === undefined) await tx.insert(ratings, { id: productId, ...sums });
  else await tx.put(ratings, { ...present, ...sums });
}
