/** Units on hand for administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { pageQuerySchema, pageSchema, toPageView } from "../../kit/http/paging.ts";
import type { StockRow } from "./low-stock.ts";
import type { StockAdmin, StockList } from "./stock-admin.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { adminStockSchema } from "../products/answer-schema.ts";
import { type StockRowView, stockChangeSchema, stockQuerySchema, stockRowSchema } from "./answer-schema.ts";
import { toStockView } from "../products/views.ts";
import { productParams } from "../products/routes.ts";
import { createRoute } from "../edge/create-route.ts";

const PATH = "/api/admin/products/{id}/stock";

const listSchema = z
  .object({
    items: z.array(adminStockSchema.extend({ variantId: z.string().optional(), sku: z.string() })),
  })
  .openapi("AdminStockList");

const example = {
  items: [
    {
      variantId: "var_01jd5v6m0c8f3k2n7q4x9y1z5b",
      sku: "MUG-L",
      mode: "tracked",
      onHand: 12,
      reserved: 2,
      available: 10,
      sold: 30,
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

const rowsSchema = pageSchema(stockRowSchema).openapi("AdminStockPage");

function toRowView({ product, record, available, threshold }: StockRow): StockRowView {
  const variant = product.variants.find(({ id }) => id === record.id);
  return {
    productId: product.id,
    variantId: variant?.id,
    slug: product.slug,
    title: product.title,
    options: variant?.options ?? {},
    sku: (variant ?? product).sku,
    status: product.status,
    deliveryType: product.deliveryType,
    threshold,
    isLow: available <= threshold,
    ...toStockView(product.stockMode, record),
  };
}

function addListRoute(app: ServiceApp, { stock, admin }: StockParts): void {
  const adminListStock = createRoute({
    ...adminRoute("admin products", admin),
    method: "get",
    path: "/api/admin/stock",
    operationId: "adminListStock",
    summary: "List the stock of all products that are not archived, lowest first",
    request: {
      query: pageQuerySchema.extend(stockQuerySchema.shape),
    },
    responses: {
      200: jsonResponse("A page", rowsSchema, {
        items: [
          {
            productId: "prd_01jd5v6m0c8f3k2n7q4x9y1z5a",
            slug: "red-mug",
            title: "Red mug",
            options: {},
            sku: "MUG",
            status: "published",
            deliveryType: "shipping",
            threshold: 5,
            isLow: true,
            mode: "tracked",
            onHand: 4,
            reserved: 2,
            available: 2,
            sold: 30,
          },
        ],
      }),
    },
  });
  app.openapi(adminListStock, (c) => {
    const { low, ...page } = c.req.valid("query");
    return c.json(toPageView(stock.listAll({ ...page, low: low === "true" }), toRowView), 200);
  });
}

interface StockParts {
  readonly stock: StockAdmin;
  readonly admin: AdminGuard;
}

export function addAdminStockRoutes(
  app: ServiceApp,
  { stock, admin }: { readonly stock: StockAdmin; readonly admin: AdminGuard },
): void {
  addListRoute(app, { stock, admin });
  const adminGetStock = createRoute({
    ...adminRoute("admin products", admin),
    method: "get",
    path: PATH,
    operationId: "adminGetStock",
    summary: "Get the stock of a product and its variants",
    request: { params: productParams },
    responses: { 200: jsonResponse("The stock", listSchema, example) },
  });
  app.openapi(adminGetStock, async (c) => c.json(toView(await stock.list(c.req.valid("param").id)), 200));

  const adminChangeStock = createRoute({
    ...adminRoute("admin products", admin),
    method: "post",
    path: PATH,
    operationId: "adminChangeStock",
    summary: "Set or adjust the units on hand. The stock cannot fall below the reserved units",
    request: {
      params: productParams,
      body: jsonBody(stockChangeSchema, { change: 10, reason: "Delivery of the week" }),
    },
    responses: { 200: jsonResponse("The updated stock", listSchema, example) },
    errors: [...writeErrors, "not_found", "conflict"],
  });
  app.openapi(adminChangeStock, async (c) => {
    const options = { change: c.req.valid("json"), actor: c.var.actor };
    return c.json(toView(await stock.change(c.req.valid("param").id, options)), 200);
  });
}
