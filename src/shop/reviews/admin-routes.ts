/** Reviews for administrators: /api/admin/reviews. */
import { z } from "@hono/zod-openapi";
import { csvStyles } from "../../kit/files/csv-line.ts";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema, pageSchema } from "../../kit/http/paging.ts";
import { csvSeparatorSchema } from "../../kit/http/schemas.ts";
import { toByteStream } from "../../kit/text/byte-lines.ts";
import type { ShopDeps } from "../base/deps.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute, resourceRoutes } from "../edge/create-route.ts";
import { idParams } from "../edge/params.ts";
import { adminReview, adminReviewSchema, exampleReview } from "./answer-schema.ts";
import { exportReviews } from "./export.ts";
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

interface Parts {
  readonly reviewsAdmin: ReviewsAdmin;
  readonly admin: AdminGuard;
  readonly deps: Pick<ShopDeps, "store">;
}

function addExportRoute(app: ServiceApp, { admin, deps: { store } }: Parts): void {
  const exporting = createRoute({
    ...adminRoute("admin reviews", admin),
    method: "get",
    path: "/api/admin/reviews/export",
    operationId: "adminExportReviews",
    summary: "Export reviews as CSV, oldest first",
    request: { query: z.object({ state: reviewStateSchema.optional(), separator: csvSeparatorSchema }) },
    responses: {
      200: { description: "The reviews", content: { "text/csv": { schema: { type: "string" } } } },
    },
    errors: ["bad_request", "invalid", "store_unavailable"],
  });
  app.openapi(exporting, async (c) => {
    const { state, separator } = c.req.valid("query");
    const lines = exportReviews(store, state, csvStyles[separator]);
    return c.body(await toByteStream(lines), 200, {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="reviews.csv"',
    });
  });
}

/** Adds the routes; the literal path before those of one review. */
export function addAdminReviewRoutes(app: ServiceApp, parts: Parts): void {
  const { reviewsAdmin, admin } = parts;
  addExportRoute(app, parts);
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
