/**
 * Reviews by verified buyers: only who received a product may review it, once. What a buyer wrote is theirs: they edit
 * and delete it, and no one else changes it.
 */
import { AppError } from "../../kit/errors.ts";
import { type RateLimit, addressKey } from "../../kit/limits/rate-limit.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { listEvery } from "../../store/every-page.ts";
import type { Page, PageOptions, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { toMailbox } from "../base/mailbox.ts";
import type { OrderLine, OrderRecord } from "../orders/schema.ts";
import { readSite } from "../site/settings.ts";
import { countReview } from "./rating.ts";
import { reviews } from "./records.ts";
import type { ReviewInput, ReviewRecord } from "./schema.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Reviews that a buyer writes or edits in an hour. */
const WRITES_AN_HOUR = 20;
/** Reviews that an address reports in an hour, and each of them in a day. */
const REPORTS_AN_HOUR = 10;

/** A product of an order with its buyer's review of it. */
export interface Reviewable {
  readonly productId: string;
  readonly title: string;
  readonly review: ReviewRecord | undefined;
  /** Whether it can be written or edited now. */
  readonly isOpen: boolean;
}

type OrderPart = Pick<OrderRecord, "id" | "userId" | "emailLower" | "status" | "paymentStatus" | "lines">;

/** Who a review is by: the account, or the mailbox of a guest without showing it. */
export function toReviewer(
  box: Pick<SecretBox, "lookup">,
  { userId, emailLower }: { userId?: string | undefined; emailLower: string },
): string {
  return userId === undefined ? `guest:${box.lookup(toMailbox(emailLower), "review")}` : `user:${userId}`;
}

/** Delivered, and not refunded as a whole: a refund takes the right to write, not a review that is there. */
export function isReceived({ status, paymentStatus }: OrderPart, line: OrderLine): boolean {
  const isDelivered = line.deliveredAt !== undefined || status === "delivered" || status === "completed";
  const isEnded = status === "canceled" || status === "expired" || status === "pending_payment";
  return isDelivered && !isEnded && paymentStatus !== "refunded" && line.giftCard === undefined;
}

function take(limit: RateLimit, key: string): void {
  const { allowed, retryAfterSeconds } = limit.hit(key);
  if (!allowed) throw new AppError("rate_limited", "Too many reviews or reports", { retryAfterSeconds });
}

/** Reports of visitors; the same visitor counts once a day. */
function createReport({ store, limits }: Pick<ShopDeps, "store" | "limits">) {
  const reports = limits.create("review-reports", { limit: REPORTS_AN_HOUR, windowMs: HOUR_MS });
  const repeated = limits.create("review-repeats", { limit: 1, windowMs: DAY_MS });
  /** @throws AppError `not_found`, `rate_limited` */
  return async (id: string, address: string): Promise<void> => {
    take(reports, addressKey(address));
    const isFirst = repeated.hit(`${addressKey(address)} ${id}`).allowed;
    await store.transact(async (tx) => {
      const review = await tx.get(reviews, id);
      if (review?.state !== "published") throw new AppError("not_found", "This review does not exist");
      if (isFirst) await tx.put(reviews, { ...review, reports: review.reports + 1 });
    });
  };
}

export type Reviews = ReturnType<typeof createReviews>;

export function createReviews({
  store,
  clock,
  box,
  limits,
}: Pick<ShopDeps, "store" | "clock" | "box" | "limits">) {
  const writes = limits.create("review-writes", { limit: WRITES_AN_HOUR, windowMs: HOUR_MS });
  const find = (tx: Pick<Tx, "by">, order: OrderPart, productId: string) =>
    tx.by(reviews, "byBuyer", [toReviewer(box, order), productId]);

  return {
    /** The products of an order that its buyer may review, or has reviewed; none while reviews are off. */
    listOfOrder: (order: OrderPart): Promise<readonly Reviewable[]> =>
      store.read(async (tx) => {
        if (!(await readSite(tx)).reviews.isOn) return [];
        const found = new Map<string, Reviewable>();
        for (const line of order.lines) {
          const { productId, title } = line;
          const review = found.get(productId)?.review ?? (await find(tx, order, productId));
          const isOpen = found.get(productId)?.isOpen === true || isReceived(order, line);
          if (isOpen || review !== undefined) found.set(productId, { productId, title, review, isOpen });
        }
        return [...found.values()];
      }),

    /** Writes a review, or edits it. @throws AppError `conflict` for what cannot be reviewed, `rate_limited` */
    write: async (order: OrderPart, productId: string, input: ReviewInput): Promise<ReviewRecord> => {
      take(writes, toReviewer(box, order));
      return store.transact(async (tx) => {
        const { isOn, moderation } = (await readSite(tx)).reviews;
        if (!isOn) throw new AppError("conflict", "This shop has no reviews");
        if (!order.lines.some((line) => line.productId === productId && isReceived(order, line)))
          throw new AppError(
            "conflict",
            "Only products of this order that were delivered and not refunded can be reviewed",
          );
        const nowMs = clock.now();
        const before = await find(tx, order, productId);
        const state = moderation === "after" && before?.state !== "rejected" ? "published" : "pending";
        const publishedAt = state === "published" ? (before?.publishedAt ?? nowMs) : undefined;
        // The buyer of an imported review bought here by now.
        const verified = { orderId: order.id, isImported: undefined };
        const written = { ...input, ...verified, state, publishedAt, updatedAt: nowMs } as const;
        const after =
          before === undefined
            ? await tx.insert(reviews, {
                id: newId("rev", nowMs),
                productId,
                buyer: toReviewer(box, order),
                answer: "",
                reports: 0,
                createdAt: nowMs,
                ...written,
              })
            : await tx.put(reviews, { ...before, ...written });
        await countReview(tx, { before, after }, nowMs);
        return after;
      });
    },

    /** Deletes a buyer's review; once more changes nothing. */
    remove: (order: OrderPart, productId: string): Promise<void> =>
      store.transact(async (tx) => {
        const before = await find(tx, order, productId);
        if (before === undefined) return;
        await tx.remove(reviews, before.id);
        await countReview(tx, { before, after: undefined }, clock.now());
      }),

    /** Published reviews of a product, the newest first. @throws StoreError `bad_cursor` */
    listPublished: (productId: string, page: PageOptions): Promise<Page<ReviewRecord>> =>
      store.read(async (tx) => {
        if (!(await readSite(tx)).reviews.isOn) return { items: [] };
        return tx.list(reviews, "byProduct", { ...page, prefix: [productId, "published"], reverse: true });
      }),
    report: createReport({ store, limits }),
  };
}

/** All reviews of a buyer, for an export of their data. */
export function listReviewsOf(tx: Pick<Tx, "list">, buyer: string): Promise<ReviewRecord[]> {
  return listEvery(tx, reviews, { index: "byPurchaser", range: { prefix: [buyer] } });
}

/** Deletes all reviews of a buyer: what they wrote is theirs. */
export async function eraseReviews(tx: Tx, buyer: string, nowMs: number): Promise<void> {
  for (const before of await listReviewsOf(tx, buyer)) {
    await tx.remove(reviews, before.id);
    await countReview(tx, { before, after: undefined }, nowMs);
  }
}
