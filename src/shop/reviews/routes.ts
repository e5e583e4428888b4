/** Reviews for visitors and buyers. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { pageQuerySchema, toPageView } from "../../kit/http/paging.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { createRoute } from "../edge/create-route.ts";
import { idParams } from "../edge/params.ts";
import { toCaller } from "../edge/user-guard.ts";
import type { SiteSettings } from "../site/schema.ts";
import type { OrderAccess, Orders } from "../orders/orders.ts";
import {
  type OrderAccessDeps,
  accessErrors,
  orderIdParams,
  orderRoute,
  readAccess,
} from "../orders/routes.ts";
import {
  exampleReview,
  ownReview,
  ownReviewSchema,
  publicReview,
  publicReviewSchema,
  ratingSchema,
} from "./answer-schema.ts";
import type { Rating } from "./rating.ts";
import type { Reviews } from "./reviews.ts";
import { reviewInputSchema } from "./schema.ts";

interface Parts extends OrderAccessDeps {
  readonly reviews: Reviews;
  readonly orders: Pick<Orders, "get">;
  readonly catalogue: {
    find(idOrSlug: string): { product: { id: string }; rating: Rating | undefined } | undefined;
    site(): Pick<SiteSettings, "reviews">;
  };
}

const exampleProductId = "prd_01jd5v6m0c8f3k2n7q4x9y1z5a";
const exampleOwn = {
  ...exampleReview,
  productId: exampleProductId,
  orderId: "ord_01jd5v6m0c8f3k2n7q4x9y1z5a",
  state: "published" as const,
  publishedAt: exampleReview.createdAt,
};

/** @throws AppError `forbidden` for everyone but the buyer: a review is the buyer's own word */
function assertBuyer({ isAdmin = false, isOwner = true }: OrderAccess): void {
  if (isAdmin || !isOwner) throw new AppError("forbidden", "Only the buyer can review a product of an order");
}

const listSchema = z
  .object({
    items: z.array(publicReviewSchema),
    nextCursor: z.string().optional(),
    rating: ratingSchema.optional(),
  })
  .openapi("ProductReviews");

function addPublicRoutes(app: ServiceApp, { reviews, catalogue }: Parts): void {
  const list = createRoute({
    tags: ["catalogue"],
    "x-access": "public" as const,
    method: "get",
    path: "/api/products/{idOrSlug}/reviews",
    operationId: "listProductReviews",
    summary: "List the published reviews of a product, newest first: by verified buyers, or imported",
    request: {
      params: z.object({
        idOrSlug: z.string().openapi({ param: { name: "idOrSlug", in: "path" }, example: "red-mug" }),
      }),
      query: pageQuerySchema,
    },
    responses: {
      200: jsonResponse("A page of reviews", listSchema, {
        items: [exampleReview],
        rating: { average: 4.5, count: 12 },
      }),
    },
    errors: ["invalid", "not_found", "bad_request", "store_unavailable"],
  });
  app.openapi(list, async (c) => {
    const item = catalogue.find(c.req.valid("param").idOrSlug);
    if (item === undefined) throw new AppError("not_found", "This product does not exist");
    const page = await reviews.listPublished(item.product.id, c.req.valid("query"));
    const rating = catalogue.site().reviews.isOn ? item.rating : undefined;
    return c.json({ ...toPageView(page, publicReview.show), rating }, 200);
  });
  const report = createRoute({
    tags: ["catalogue"],
    "x-access": "public" as const,
    method: "post",
    path: "/api/reviews/{id}/report",
    operationId: "reportReview",
    summary: "Report a published review to the seller; each visitor counts once a day",
    request: { params: idParams(exampleReview.id) },
    responses: { 204: { description: "Reported" } },
    errors: ["not_found", "rate_limited", "bad_request", "too_large", "store_unavailable"],
  });
  app.openapi(report, async (c) => {
    await reviews.report(c.req.valid("param").id, toCaller(c).clientAddress);
    return c.body(null, 204);
  });
}

function addBuyerRoutes(app: ServiceApp, parts: Parts): void {
  const { reviews, orders } = parts;
  const write = createRoute({
    ...orderRoute("post"),
    path: "/api/orders/{id}/reviews",
    operationId: "writeReview",
    summary: "Review a product of the order, or edit the review",
    description:
      "Only for products that were delivered and not refunded as a whole. A buyer has one review of each product; depending on the shop it waits for an administrator first.",
    request: {
      params: orderIdParams,
      body: jsonBody(
        reviewInputSchema.extend({ productId: z.string().min(1).max(100) }).openapi("ReviewInput"),
        { productId: exampleProductId, stars: 4, title: "Keeps its warmth", text: "", author: "Ada" },
      ),
    },
    responses: { 200: jsonResponse("The review", ownReviewSchema, exampleOwn) },
    errors: [...accessErrors, ...writeErrors, "conflict"],
  });
  app.openapi(write, async (c) => {
    const access = await readAccess(c, parts);
    const { productId, ...input } = c.req.valid("json");
    const { order } = await orders.get(c.req.valid("param").id, access);
    assertBuyer(access);
    return c.json(ownReview.show(await reviews.write(order, productId, input)), 200);
  });
  const remove = createRoute({
    ...orderRoute("post"),
    path: "/api/orders/{id}/reviews/{productId}/delete",
    operationId: "deleteReview",
    summary: "Delete the buyer's review of a product (idempotent)",
    request: {
      params: orderIdParams.extend({
        productId: z
          .string()
          .min(1)
          .max(100)
          .openapi({ param: { name: "productId", in: "path" }, example: exampleProductId }),
      }),
    },
    responses: { 204: { description: "The review is deleted" } },
    errors: [...accessErrors, "store_unavailable"],
  });
  app.openapi(remove, async (c) => {
    const access = await readAccess(c, parts);
    const { id, productId } = c.req.valid("param");
    const { order } = await orders.get(id, access);
    assertBuyer(access);
    await reviews.remove(order, productId);
    return c.body(null, 204);
  });
}

function addOrderList(app: ServiceApp, parts: Parts): void {
  const { reviews, orders } = parts;
  const list = createRoute({
    ...orderRoute("get"),
    path: "/api/orders/{id}/reviews",
    operationId: "listOrderReviews",
    summary: "List the products of the order that can be reviewed, with the buyer's reviews",
    request: { params: orderIdParams },
    responses: {
      200: jsonResponse(
        "Products",
        z
          .object({
            items: z.array(
              z.object({
                productId: z.string(),
                title: z.string(),
                isOpen: z.boolean().openapi({ description: "Whether a review can be written or edited now" }),
                review: ownReviewSchema.optional(),
              }),
            ),
          })
          .openapi("OrderReviews"),
        { items: [{ productId: exampleProductId, title: "Red mug", isOpen: true, review: exampleOwn }] },
      ),
    },
    errors: accessErrors,
  });
  app.openapi(list, async (c) => {
    const { order } = await orders.get(c.req.valid("param").id, await readAccess(c, parts));
    const items = (await reviews.listOfOrder(order)).map(({ review, ...rest }) => ({
      ...rest,
      review: review && ownReview.show(review),
    }));
    c.header("cache-control", "no-store");
    return c.json({ items }, 200);
  });
}

/** Adds the routes of reviews for visitors and buyers. */
export function addReviewRoutes(app: ServiceApp, parts: Parts): void {
  addPublicRoutes(app, parts);
  addBuyerRoutes(app, parts);
  addOrderList(app, parts);
}
