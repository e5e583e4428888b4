/** The wishlist of the person who is signed in: /api/wishlist. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema, pageSchema, toPageView } from "../../kit/http/paging.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { line, languageTag } from "../../kit/text/schemas.ts";
import { emailSchema } from "../orders/schema.ts";
import type { UserCheck } from "../users/user-check.ts";
import { needsAddresses, type WishEntry, type WishInput, type Wishlist } from "./wishlist.ts";
import { wishRecordSchema } from "./schema.ts";
import { viewOf } from "../../kit/http/view.ts";
import { type UserGuard, getAddresses, userRoute } from "../edge/user-guard.ts";
import { createRoute } from "../edge/create-route.ts";

const idSchema = z.string().min(1).max(100);

const inputShape = {
  variantId: idSchema.nullable().optional(),
  note: line(500).optional(),
  notifyRestock: z.boolean().optional(),
  notifyPriceDrop: z.boolean().optional(),
  email: emailSchema.nullable().optional().openapi({
    description:
      "Email address for notifications: a verified address of the account. Default: the primary address",
  }),
  language: languageTag
    .optional()
    .openapi({ description: "Language of the notifications. Default: the first language of the shop" }),
};

const wishView = viewOf(
  wishRecordSchema,
  [
    ...(["productId", "variantId", "note", "notifyRestock", "notifyPriceDrop"] as const),
    ...(["email", "language", "priceAtAdd", "currency"] as const),
  ],
  ["addedAt"],
);
const entrySchema = z
  .object({
    ...wishView.shape,
    emailVerified: z.boolean().optional().openapi({
      description:
        "Whether the email address is verified as yours. If not, no emails are sent; set the notification again",
    }),
    currency: z.string().openapi({ description: "Currency of priceAtAdd" }),
    isAvailable: z.boolean().openapi({ description: "Whether the product is available" }),
    product: z
      .object({
        slug: z.string(),
        title: z.string(),
        price: z.int().openapi({
          description: "Price of the variant, or the lowest price of all variants, in minor units",
        }),
        currency: z.string(),
      })
      .optional()
      .openapi({ description: "The product; absent if it is no longer sold" }),
  })
  .openapi("WishlistEntry");

const example = {
  productId: "prd_01jd5v6m0c8f3k2n7q4x9y1z5a",
  notifyRestock: true,
  email: "ada@example.org",
  language: "en",
};

function toView({ wish, product, offer }: WishEntry): z.infer<typeof entrySchema> {
  return {
    ...wishView.show(wish),
    emailVerified: wish.email === undefined ? undefined : wish.isEmailVerified === true,
    isAvailable: offer?.isAvailable ?? false,
    product: product &&
      offer && { slug: product.slug, title: product.title, price: offer.price, currency: offer.currency },
  };
}

interface WishlistParts {
  readonly wishlist: Wishlist;
  readonly userCheck: UserCheck;
  readonly user: UserGuard;
}

/** Asked only when a wish says that mail goes. */
function readOwn(
  check: UserCheck,
  { input, request }: { input: WishInput; request: Request },
): Promise<readonly string[] | undefined> {
  return needsAddresses(input) ? getAddresses(check, request) : Promise.resolve(undefined);
}

function addListRoutes(app: ServiceApp, { wishlist, user, userCheck }: WishlistParts): void {
  const listWishlist = createRoute({
    ...userRoute("wishlist", user, "wishlist"),
    method: "get",
    path: "/api/wishlist",
    operationId: "listWishlist",
    summary: "List the wishlist, newest first",
    request: { query: pageQuerySchema },
    responses: { 200: jsonResponse("A page of entries", pageSchema(entrySchema)) },
    errors: ["bad_request", "invalid", "store_unavailable"],
  });
  app.openapi(listWishlist, async (c) =>
    c.json(toPageView(await wishlist.list(c.var.user, c.req.valid("query")), toView), 200),
  );
  const addToWishlist = createRoute({
    ...userRoute("wishlist", user, "wishlist"),
    method: "post",
    path: "/api/wishlist",
    operationId: "addToWishlist",
    summary: "Add a product to the wishlist, or change the existing entry",
    request: { body: jsonBody(z.strictObject({ productId: idSchema, ...inputShape }), example) },
    responses: {
      200: jsonResponse("The existing entry was updated", entrySchema),
      201: jsonResponse("The product was added", entrySchema),
    },
    errors: [...writeErrors, "not_found", "conflict"],
  });
  app.openapi(addToWishlist, async (c) => {
    const { productId, ...input } = c.req.valid("json");
    const addresses = await readOwn(userCheck, { input, request: c.req.raw });
    const { entry, isNew } = await wishlist.add(c.var.user, productId, { ...input, addresses });
    return isNew ? c.json(toView(entry), 201) : c.json(toView(entry), 200);
  });
}

function addEntryRoutes(app: ServiceApp, { wishlist, user, userCheck }: WishlistParts): void {
  const request = { params: z.object({ productId: idSchema }) };
  const changeWish = createRoute({
    ...userRoute("wishlist", user, "wishlist"),
    method: "patch",
    path: "/api/wishlist/{productId}",
    operationId: "changeWish",
    summary: "Change the note and notifications of an entry",
    request: { ...request, body: jsonBody(z.strictObject(inputShape), { notifyRestock: false }) },
    responses: { 200: jsonResponse("The updated entry", entrySchema) },
    errors: [...writeErrors, "not_found"],
  });
  app.openapi(changeWish, async (c) => {
    const { productId } = c.req.valid("param");
    const input = c.req.valid("json");
    const addresses = await readOwn(userCheck, { input, request: c.req.raw });
    const entry = await wishlist.change(c.var.user, productId, { ...input, addresses });
    return c.json(toView(entry), 200);
  });
  const removeFromWishlist = createRoute({
    ...userRoute("wishlist", user, "wishlist"),
    method: "delete",
    path: "/api/wishlist/{productId}",
    operationId: "removeFromWishlist",
    summary: "Remove a product from the wishlist",
    request,
    responses: { 204: { description: "The product was removed" } },
    errors: ["invalid", "not_found", "store_unavailable"],
  });
  app.openapi(removeFromWishlist, async (c) => {
    await wishlist.remove(c.var.user, c.req.valid("param").productId);
    return c.body(null, 204);
  });
}

/** Adds the routes below /api/wishlist. */
export function addWishlistRoutes(app: ServiceApp, parts: WishlistParts): void {
  addListRoutes(app, parts);
  addEntryRoutes(app, parts);
}
