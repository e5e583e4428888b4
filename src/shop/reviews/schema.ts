/** Reviews of products by people who bought them, as the store keeps them. */
import { z } from "zod";
import { line, text, timeMs } from "../../kit/text/schemas.ts";

export const MAX_STARS = 5;
const starsSchema = z.number().int().min(1).max(MAX_STARS);

/** "pending": waits for an administrator. "rejected": only its buyer and administrators see it. */
export const reviewStateSchema = z.enum(["pending", "published", "rejected"]);
export type ReviewState = z.infer<typeof reviewStateSchema>;

/** What a buyer writes. */
export const reviewInputSchema = z.strictObject({
  stars: starsSchema,
  title: line(120).default(""),
  text: text(4_000).default(""),
  /** The name that others see; "" for none. */
  author: line(60).default(""),
});
export type ReviewInput = z.infer<typeof reviewInputSchema>;

export const reviewRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  productId: z.string(),
  /** The purchase that verifies it; "" of an imported review. */
  orderId: z.string(),
  /** Another shop collected it: nothing here verifies the purchase. */
  isImported: z.boolean().optional(),
  /** An account, or a keyed hash of a guest's mailbox: one review of each product. */
  buyer: z.string(),
  stars: starsSchema,
  title: line(120),
  text: text(4_000),
  author: line(60),
  state: reviewStateSchema,
  /** The seller's public answer; "" for none. */
  answer: text(2_000),
  answeredAt: timeMs.optional(),
  /** How many visitors reported it. */
  reports: z.number().int().min(0),
  createdAt: timeMs,
  updatedAt: timeMs,
  publishedAt: timeMs.optional(),
});
export type ReviewRecord = z.infer<typeof reviewRecordSchema>;

/** The published stars of a product, by its ID. */
export const ratingRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  count: z.number().int().min(0),
  stars: z.number().int().min(0),
  /** Of any published review: pages that show them follow. */
  changedAt: timeMs,
});
export type RatingRecord = z.infer<typeof ratingRecordSchema>;

/** A consent to one email that asks for a review; removed once it was handled. */
export const reviewInvitationSchema = z.object({
  /** The order's. */
  id: z.string(),
  version: z.number().int(),
  dueAt: timeMs,
  createdAt: timeMs,
});

/** What an administrator may change of a review: never what the buyer wrote. */
export const reviewChangeSchema = z.strictObject({
  state: reviewStateSchema.optional(),
  answer: text(2_000).optional(),
});
export type ReviewChange = z.infer<typeof reviewChangeSchema>;

/** A review as answers for administrators have it. */
export type ReviewView = Omit<
  ReviewRecord,
  "buyer" | "createdAt" | "updatedAt" | "publishedAt" | "answeredAt"
> & {
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly publishedAt?: string | undefined;
  readonly answeredAt?: string | undefined;
};
