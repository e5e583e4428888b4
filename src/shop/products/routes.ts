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
  .openapi({ description: "Version that the change is based on. If it is outdated, the response is 409" });

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
    .openapi({ type: "string", description: "Values separated by commas" }),
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
      summary: "List products of any status with search, filters and sorting",
      query: pageQuerySchema.extend(querySchema.shape),
      page: productPageSchema,
      run: products.list,
    },
    get: { summary: "Get a product with all fields except secrets", run: products.get },
    create: {
      summary: "Create a product. If no slug is given, it is derived from the title",
      body: newSchema,
      example: exampleNew,
      errors: ["already_exists"],
      run: (fields, { actor }) => products.create(fields, actor),
    },
    change: {
      summary: "Change some fields of a product. The status archived removes it from the shop",
      description:
        "variants replaces all variants: omitted ones are deleted, unless they have reserved units or available license keys (409). " +
        "A variant is identified by its ID, otherwise by its SKU.",
      body: changeSchema,
      example: { status: "archived", version: 4 },
      errors: ["conflict", "already_exists"],
      run: (id, fields, by) => products.change(id, { fields, ...by }),
    },
    replace: {
      summary:
        "Replace all fields of a product. Omitted fields are reset to their defaults, except the slug, images and secrets",
      body: replacementSchema,
      example: { title: "Red mug", price: 1_290, version: 4 },
      errors: ["conflict", "already_exists"],
      run: (id, fields, by) => products.replace(id, { fields, ...by }),
    },
    remove: {
      summary:
        "Delete a product that was never sold, is not reserved and has no license keys. Archive other products instead",
      ifMatch: true,
      errors: ["conflict"],
      run: products.remove,
    },
  });
}
