/** Reviews for administrators: /api/admin/reviews. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema, pageSchema } from "../../kit/http/paging.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { resourceRoutes } from "../edge/create-route.ts";
import { idParams } from "../edge/params.ts";
import { adminReview, adminReviewSchema, exampleReview } from "./answer-schema.ts";
import type { ReviewsAdmin } from "./reviews-admin.ts";
import { reviewChangeSchema, reviewStateSchema } from "./schema.ts";

const changeSchema = reviewChangeSchema
  .extend({
    state: reviewChangeSchema.shape.state.describe("published or rejected; buyers can edit rejected reviews"),
    answer: reviewChangeSchema.shape.answer.describe("The shop's public answer; empty: none"),
    version: z.int().min(1).optional(),
  })
  .openapi("ReviewChange");

const example = {
  ...exampleReview,
  version: 2,
  productId: "prd_01jd5v6m0c8f3k2n7q4x9y1z5a",
  orderId: "ord_01jd5v6m0c8f3k2n7q4x9y1z5a",
  state: "published" as const,
  reports: 0,
  publishedAt: exampleReview.createdAt,
};

export function addAdminReviewRoutes(
  app: ServiceApp,
  { reviewsAdmin, admin }: { readonly reviewsAdmin: ReviewsAdmin; readonly admin: AdminGuard },
): void {
  resourceRoutes(app, {
    route: adminRoute("admin reviews", admin),
    path: "/api/admin/reviews",
    name: "Review",
    noun: "review",
    params: idParams(example.id),
    view: adminReviewSchema,
    example,
    show: adminReview.show,
    list: {
      summary: "List reviews, newest first",
      query: pageQuerySchema.extend({ state: reviewStateSchema.optional() }),
      page: pageSchema(adminReviewSchema).openapi("ReviewPage"),
      run: reviewsAdmin.list,
    },
    get: { run: reviewsAdmin.get },
    change: {
      summary: "Publish, reject, or answer a review",
      description: "What the buyer wrote cannot be changed.",
      body: changeSchema,
      example: { state: "published", answer: "Thank you. A new lid is on its way." },
      run: reviewsAdmin.change,
    },
    remove: { summary: "Delete a review", run: reviewsAdmin.remove },
  });
}
