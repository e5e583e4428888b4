/** Products for administrators: list, make, read, change, archive, delete. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema, pageSchema, toPageView } from "../../kit/http/paging.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import { slug } from "../../kit/text/schemas.ts";
import { productFieldsSchema, wholeProductSchema } from "./input.ts";
import { NO_CATEGORY, productSorts } from "./list.ts";
import { deliveryTypeSchema, productStatusSchema } from "./schema.ts";
import type { Products } from "./products.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { idParams } from "../edge/params.ts";
import { adminProductSchema, exampleAdminProduct, toAdminProductView, toProductTag } from "./views.ts";
import { createRoute } from "../edge/create-route.ts";

const PATH = "/api/admin/products";
const ITEM = `${PATH}/{id}` as const;
const TAG = "admin products";

export const productParams = idParams(exampleAdminProduct.id);

const version = z
  .int()
  .min(1)
  .optional()
  .openapi({ description: "The version that the change was made from; stale: 409" });

const changeSchema = productFieldsSchema.extend({ version }).openapi("ProductChange");
const replacementSchema = wholeProductSchema.extend({ version }).openapi("ProductReplacement");
const newSchema = wholeProductSchema.openapi("NewProduct");
const exampleNew = {
  title: "Red mug",
  variants: [{ sku: "MUG-L", options: { size: "L" }, price: 1_290, onHand: 12 }],
  deliveryType: "shipping",
};

const answer = jsonResponse(
  "The product; ETag is its version, for If-Match",
  adminProductSchema,
  exampleAdminProduct,
);
const productPageSchema = pageSchema(adminProductSchema).openapi("AdminProductPage");
const queryShape = {
  status: productStatusSchema.optional(),
  q: z.string().max(200).optional().openapi({ description: "Part of a title, an address or a SKU" }),
  ids: z
    .string()
    .max(10_000)
    .transform((ids) => ids.split(","))
    .optional()
    .openapi({ type: "string", description: "Only these, divided by commas" }),
  categoryId: slug
    .or(z.literal(NO_CATEGORY))
    .optional()
    .openapi({ description: `With those below it; ${NO_CATEGORY}: products that are in none` }),
  deliveryType: deliveryTypeSchema.optional(),
  stock: z
    .enum(["low", "out"])
    .optional()
    .openapi({ description: "low: few units of something that is sold are left; out: none at all" }),
  sort: z.enum(productSorts).default("newest"),
};

interface ProductParts {
  readonly products: Products;
  readonly admin: AdminGuard;
}

function addListRoute(app: ServiceApp, { products, admin }: ProductParts): void {
  const route = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: PATH,
    operationId: "adminListProducts",
    summary: "Products of any status: searched, filtered, in an order",
    request: { query: pageQuerySchema.extend(queryShape) },
    responses: {
      200: jsonResponse("A page of products", productPageSchema, {
        items: [exampleAdminProduct],
      }),
    },
  });
  app.openapi(route, async (c) => {
    const page = await products.list(c.req.valid("query"));
    return c.json(toPageView(page, toAdminProductView), 200);
  });
}

function addReadRoutes(app: ServiceApp, { products, admin }: ProductParts): void {
  const adminCreateProduct = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: PATH,
    operationId: "adminCreateProduct",
    summary: "Make a product; its address comes from the title when none is given",
    request: { body: jsonBody(newSchema, exampleNew) },
    responses: { 201: answer },
    errors: [...writeErrors, "already_exists"],
  });
  app.openapi(adminCreateProduct, async (c) => {
    const made = await products.create(c.req.valid("json"), c.var.actor);
    c.header("etag", toProductTag(made.product));
    c.header("location", `${PATH}/${made.product.id}`);
    return c.json(toAdminProductView(made), 201);
  });

  const adminGetProduct = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: ITEM,
    operationId: "adminGetProduct",
    summary: "A product with everything but its secrets",
    request: { params: productParams },
    responses: { 200: answer },
  });
  app.openapi(adminGetProduct, async (c) => {
    const found = await products.get(c.req.valid("param").id);
    c.header("etag", toProductTag(found.product));
    return c.json(toAdminProductView(found), 200);
  });
}

const changeErrors = [
  ...writeErrors,
  "not_found",
  "conflict",
  "already_exists",
  "version_conflict",
  "stale_version",
] as const;

function addChangeRoutes(app: ServiceApp, { products, admin }: ProductParts): void {
  const adminChangeProduct = createRoute({
    ...adminRoute(TAG, admin),
    method: "patch",
    path: ITEM,
    operationId: "adminChangeProduct",
    summary: "Change some fields; the status archived takes it out of the shop",
    description:
      "variants are all variants: those that are left out go, unless they have reserved units or free keys (409). " +
      "A variant is known by its id, else by its SKU.",
    request: {
      params: productParams,
      headers: ifMatchHeader,
      body: jsonBody(changeSchema, { status: "archived", version: 4 }),
    },
    responses: { 200: answer },
    errors: changeErrors,
  });
  app.openapi(adminChangeProduct, async (c) => {
    const { version: fromBody, ...fields } = c.req.valid("json");
    const ifMatch = readIfMatch(c.req.header("if-match"));
    const options = { fields, version: fromBody, ifMatch, actor: c.var.actor };
    const changed = await products.change(c.req.valid("param").id, options);
    c.header("etag", toProductTag(changed.product));
    return c.json(toAdminProductView(changed), 200);
  });

  const adminReplaceProduct = createRoute({
    ...adminRoute(TAG, admin),
    method: "put",
    path: ITEM,
    operationId: "adminReplaceProduct",
    summary: "Replace all fields; what is left out gets its default, but for address, pictures and secrets",
    request: {
      params: productParams,
      headers: ifMatchHeader,
      body: jsonBody(replacementSchema, { title: "Red mug", price: 1_290, version: 4 }),
    },
    responses: { 200: answer },
    errors: changeErrors,
  });
  app.openapi(adminReplaceProduct, async (c) => {
    const { version: fromBody, ...fields } = c.req.valid("json");
    const ifMatch = readIfMatch(c.req.header("if-match"));
    const options = { fields, version: fromBody, ifMatch, actor: c.var.actor };
    const changed = await products.replace(c.req.valid("param").id, options);
    c.header("etag", toProductTag(changed.product));
    return c.json(toAdminProductView(changed), 200);
  });
}

const deleteErrors = [
  "bad_request",
  "invalid",
  "not_found",
  "conflict",
  "stale_version",
  "store_unavailable",
] as const;

function addDeleteRoute(app: ServiceApp, { products, admin }: ProductParts): void {
  const route = createRoute({
    ...adminRoute(TAG, admin),
    method: "delete",
    path: ITEM,
    operationId: "adminDeleteProduct",
    summary: "Delete a product that was never sold, is not reserved and has no keys; archive others",
    request: { params: productParams, headers: ifMatchHeader },
    responses: { 204: { description: "It is gone" } },
    errors: [...deleteErrors],
  });
  app.openapi(route, async (c) => {
    const ifMatch = readIfMatch(c.req.header("if-match"));
    await products.remove(c.req.valid("param").id, { ifMatch, actor: c.var.actor });
    return c.body(null, 204);
  });
}

/** Adds the routes of products themselves; after those with literal paths below /api/admin/products. */
export function addAdminProductRoutes(app: ServiceApp, parts: ProductParts): void {
  addListRoute(app, parts);
  addReadRoutes(app, parts);
  addChangeRoutes(app, parts);
  addDeleteRoute(app, parts);
}
