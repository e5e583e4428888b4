/** Units on hand for administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { trimmedLine } from "../../kit/text/schemas.ts";
import { onHandSchema } from "../products/input.ts";
import { MAX_STOCK } from "../products/schema.ts";
import type { StockAdmin, StockList } from "./stock-admin.ts";
import { type AdminGuard, adminRoute } from "../http/admin-guard.ts";
import { adminStockSchema, toStockView } from "../products/views.ts";
import { productParams } from "../products/routes.ts";
import { createRoute } from "../http/create-route.ts";

const PATH = "/api/admin/products/{id}/stock";

const changeSchema = z
  .strictObject({
    variantId: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .openapi({ description: "Needed when there are several variants" }),
    onHand: onHandSchema.optional().openapi({ description: "How many there are now" }),
    change: z
      .int()
      .min(-MAX_STOCK)
      .max(MAX_STOCK)
      .optional()
      .openapi({ description: "By how many they changed; in place of onHand" }),
    reason: trimmedLine(300).openapi({ description: "Kept in the audit" }),
  })
  .refine(({ onHand, change }) => (onHand === undefined) !== (change === undefined), {
    path: ["onHand"],
    error: "must be there, or else change",
  })
  .openapi("StockChange");

const listSchema = z
  .object({
    items: z.array(adminStockSchema.extend({ variantId: z.string().optional(), sku: z.string() })),
  })
  .openapi("AdminStockList");

const example = {
  items: [
    {
      ...{ variantId: "var_01jd5v6m0c8f3k2n7q4x9y1z5b", sku: "MUG-L" },
      ...{ mode: "tracked", onHand: 12, reserved: 2, available: 10, sold: 30 },
    },
  ],
};

function toView({ product, items }: StockList): z.infer<typeof listSchema> {
  return {
    items: items.map((record) => {
      const variant = product.variants.find(({ id }) => id === record.id);
      const { sku } = variant ?? product;
      return { variantId: variant?.id, sku, ...toStockView(product.stockMode, record) };
    }),
  };
}

/** Adds the routes of stock. */
export function addAdminStockRoutes(
  app: ServiceApp,
  { stock, admin }: { readonly stock: StockAdmin; readonly admin: AdminGuard },
): void {
  const adminGetStock = createRoute({
    ...adminRoute("admin products", admin),
    method: "get",
    path: PATH,
    operationId: "adminGetStock",
    summary: "Units of the product, or of each of its variants",
    request: { params: productParams },
    responses: { 200: jsonResponse("The units", listSchema, example) },
    errors: ["invalid", "not_found"],
  });
  app.openapi(adminGetStock, async (c) => c.json(toView(await stock.list(c.req.valid("param").id)), 200));

  const adminChangeStock = createRoute({
    ...adminRoute("admin products", admin),
    method: "post",
    path: PATH,
    operationId: "adminChangeStock",
    summary: "Set or move the units on hand; never below what is reserved",
    request: {
      params: productParams,
      body: jsonBody(changeSchema, { change: 10, reason: "Delivery of the week" }),
    },
    responses: { 200: jsonResponse("The units as they are now", listSchema, example) },
    errors: [...writeErrors, "not_found", "conflict"],
  });
  app.openapi(adminChangeStock, async (c) => {
    const options = { change: c.req.valid("json"), actor: c.var.actor };
    return c.json(toView(await stock.change(c.req.valid("param").id, options)), 200);
  });
}
