/** Products for administrators: list, make, read, change, archive, delete. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema } from "../../kit/http/paging.ts";
import { productFieldsSchema, wholeProductSchema } from "./change-schema.ts";
import { productQuerySchema } from "./list-schema.ts";
import type { Products } from "./products.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { idParams } from "../edge/params.ts";
import { adminProductSchema, productPageSchema } from "./answer-schema.ts";
import { exampleAdminProduct, toAdminProductView } from "./views.ts";
import { resourceRoutes } from "../edge/create-route.ts";

export const productParams = idParams(exampleAdminProduct.id);

const version = z
  .int()
  .min(1)
  .optional()
  .openapi({ description: "The version that the change was made from; stale: 409" });

const changeSchema = productFieldsSchema.extend({ version }).openapi("ProductChange");
const replacementSchema = wholeProductSchema.extend({ version }).openapi("ProductReplacement");
const newSchema = wholeProductSchema.clone().openapi("NewProduct");
const exampleNew = {
  title: "Red mug",
  variants: [{ sku: "MUG-L", options: { size: "L" }, price: 1_290, onHand: 12 }],
  deliveryType: "shipping",
} as const;

const querySchema = productQuerySchema.extend({
  ids: z
    .string()
    .max(10_000)
    .transform((ids) => ids.split(","))
    .optional()
    .openapi({ type: "string", description: "Only these, divided by commas" }),
});

/** Adds the routes of products themselves; after those with literal paths below /api/admin/products. */
export function addAdminProductRoutes(
  app: ServiceApp,
  { products, admin }: { readonly products: Products; readonly admin: AdminGuard },
): void {
  resourceRoutes(app, {
    route: adminRoute("admin products", admin),
    path: "/api/admin/products",
    name: "Product",
    noun: "product",
    params: productParams,
    view: adminProductSchema,
    example: exampleAdminProduct,
    show: toAdminProductView,
    list: {
      summary: "Products of any status: searched, filtered, in an order",
      query: pageQuerySchema.extend(querySchema.shape),
      page: productPageSchema,
      run: products.list,
    },
    get: { summary: "A product with everything but its secrets", run: products.get },
    create: {
      summary: "Make a product; its address comes from the title when none is given",
      body: newSchema,
      example: exampleNew,
      errors: ["already_exists"],
      run: (fields, { actor }) => products.create(fields, actor),
    },
    change: {
      summary: "Change some fields; the status archived takes it out of the shop",
      description:
        "variants are all variants: those that are left out go, unless they have reserved units or free keys (409). " +
        "A variant is known by its id, else by its SKU.",
      body: changeSchema,
      example: { status: "archived", version: 4 },
      errors: ["conflict", "already_exists"],
      run: (id, fields, by) => products.change(id, { fields, ...by }),
    },
    replace: {
      summary: "Replace all fields; what is left out gets its default, but for address, pictures and secrets",
      body: replacementSchema,
      example: { title: "Red mug", price: 1_290, version: 4 },
      errors: ["conflict", "already_exists"],
      run: (id, fields, by) => products.replace(id, { fields, ...by }),
    },
    remove: {
      summary: "Delete a product that was never sold, is not reserved and has no keys; archive others",
      ifMatch: true,
      errors: ["conflict"],
      run: products.remove,
    },
  });
}
