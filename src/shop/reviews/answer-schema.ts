/** Reviews as answers have them. */
import { z } from "@hono/zod-openapi";
import { viewOf } from "../../kit/http/view.ts";
import { reviewRecordSchema } from "./schema.ts";

const shown = viewOf(
  reviewRecordSchema,
  ["id", "stars", "title", "text", "author", "answer", "isImported"],
  ["createdAt", "updatedAt", "answeredAt"],
);
/** A review as everyone sees it. */
export const publicReview = shown;
const importedSchema = z
  .boolean()
  .optional()
  .openapi({ description: "From another shop: the purchase is not verified here" });
export const publicReviewSchema = z
  .object({ ...shown.shape, isImported: importedSchema })
  .openapi("ProductReview");

const own = viewOf(
  reviewRecordSchema,
  ["id", "productId", "orderId", "stars", "title", "text", "author", "answer", "state"],
  ["createdAt", "updatedAt", "answeredAt", "publishedAt"],
);
/** A review as its buyer sees it. */
export const ownReview = own;
export const ownReviewSchema = z.object(own.shape).openapi("OwnReview");

const admin = viewOf(
  reviewRecordSchema,
  [
    ...(["id", "version", "productId", "orderId", "stars", "title", "text", "author"] as const),
    ...(["answer", "state", "reports", "isImported"] as const),
  ],
  ["createdAt", "updatedAt", "answeredAt", "publishedAt"],
);
export const adminReview = admin;
export const adminReviewSchema = z
  .object({
    ...admin.shape,
    orderId: z.string().openapi({ description: "Empty for an imported review" }),
    isImported: importedSchema,
    reports: z
      .int()
      .openapi({ description: "Number of visitors who reported the review since it was last decided" }),
  })
  .openapi("Review");

export const ratingSchema = z
  .object({
    average: z.number().openapi({ description: "Average of 1 to 5 stars, with one decimal" }),
    count: z.int().min(1).openapi({ description: "Number of published reviews" }),
  })
  .openapi("ProductRating");

const at = "2026-11-21T09:00:00.000+00:00";
export const exampleReview = {
  id: "rev_01jd5v6m0c8f3k2n7q4x9y1z5a",
  stars: 4,
  title: "Keeps its warmth",
  text: "Pours well, but the lid is loose.",
  author: "Ada",
  answer: "Thank you. A new lid is on its way.",
  answeredAt: at,
  createdAt: at,
  updatedAt: at,
};
