/** Reviews for administrators: what waits, publishing and rejecting, and the shop's answer. */
import { AppError } from "../../kit/errors.ts";
import { changedFields } from "../../kit/text/changes.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { type ChangedBy, assertVersion } from "../../records/versions.ts";
import type { Page, PageOptions, ReadTx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { countReview } from "./rating.ts";
import { reviews } from "./records.ts";
import type { ReviewChange, ReviewRecord, ReviewState } from "./schema.ts";

interface ListQuery extends PageOptions {
  readonly state?: ReviewState | undefined;
}

async function getReview(tx: ReadTx, id: string): Promise<ReviewRecord> {
  const review = await tx.get(reviews, id);
  if (review === undefined) throw new AppError("not_found", "This review does not exist");
  return review;
}

export type ReviewsAdmin = ReturnType<typeof createReviewsAdmin>;

export function createReviewsAdmin({ store, clock }: Pick<ShopDeps, "store" | "clock">) {
  return {
    /** The newest first. @throws StoreError `bad_cursor` */
    list: ({ state, ...page }: ListQuery): Promise<Page<ReviewRecord>> =>
      store.read((tx) =>
        state === undefined
          ? tx.list(reviews, "byCreated", { ...page, reverse: true })
          : tx.list(reviews, "byState", { ...page, prefix: [state], reverse: true }),
      ),
    get: (id: string): Promise<ReviewRecord> => store.read((tx) => getReview(tx, id)),
    /** Publishes, rejects or answers. @throws AppError `not_found`, `version_conflict`, `stale_version` */
    change: (id: string, fields: ReviewChange, by: ChangedBy): Promise<ReviewRecord> =>
      store.transact(async (tx) => {
        const before = await getReview(tx, id);
        assertVersion(before.version, by, "review");
        const nowMs = clock.now();
        const { state = before.state, answer = before.answer } = fields;
        const answeredAt = answer === before.answer ? before.answeredAt : nowMs;
        const publishedAt = state === "published" ? (before.publishedAt ?? nowMs) : before.publishedAt;
        // Who looked at it has dealt with what was reported.
        const reports = fields.state === undefined ? before.reports : 0;
        const next = {
          ...before,
          state,
          answer,
          reports,
          publishedAt,
          answeredAt: answer === "" ? undefined : answeredAt,
        };
        const changes = changedFields(before, next);
        if (changes.length === 0) return before;
        const after = await tx.put(reviews, next);
        await countReview(tx, { before, after }, nowMs);
        await writeAudit(tx, { actor: by.actor, action: "review.change", target: id, changes }, clock);
        return after;
      }),
    /** @throws AppError `not_found` */
    remove: (id: string, { actor }: { readonly actor: AuditActor }): Promise<void> =>
      store.transact(async (tx) => {
        const before = await getReview(tx, id);
        await tx.remove(reviews, id);
        await countReview(tx, { before, after: undefined }, clock.now());
        await writeAudit(tx, { actor, action: "review.delete", target: id }, clock);
      }),
  };
}
