/** Sales over a span of days: GET /api/admin/sales, and the same as CSV. */
import { z } from "@hono/zod-openapi";
import { AppError } from "../../kit/errors.ts";
import type { ServiceApp } from "../../kit/http/app.ts";
import { csvSeparatorSchema, jsonResponse } from "../../kit/http/schemas.ts";
import { addDays } from "../../kit/time/zone-days.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { toDecimal } from "../base/money.ts";
import { csvStyles, toCsvLine } from "../../kit/files/csv-line.ts";
import { type SalesView, daySchema, salesSchema, salesUnitSchema } from "./answer-schema.ts";
import { type Sales, type SalesSpan, type SalesUnit, countDays } from "./sales.ts";

const PATH = "/api/admin/sales";
const TAG = "admin operation";
const DEFAULT_DAYS = 30;
const MAX_DAYS = 1_096;

const querySchema = z.object({
  from: daySchema.optional(),
  to: daySchema.optional().openapi({ description: "Last day. Default: today" }),
  unit: salesUnitSchema.default("day"),
});

const sums = { orders: 12, paidOrders: 10, revenue: 24_990, views: 480 };
const example: SalesView = {
  currency: "EUR",
  timeZone: "Europe/Berlin",
  from: "2026-11-22",
  to: "2026-11-23",
  unit: "day",
  total: sums,
  before: { from: "2026-11-20", to: "2026-11-21", orders: 9, paidOrders: 9, revenue: 18_000, views: 400 },
  periods: [
    { start: "2026-11-22", orders: 5, paidOrders: 4, revenue: 9_990, views: 210 },
    { start: "2026-11-23", orders: 7, paidOrders: 6, revenue: 15_000, views: 270 },
  ],
  products: [{ productId: "prd_1", title: "Mug", units: 8, revenue: 8_000 }],
  isComplete: true,
};

const columns = ["start", "orders", "paidOrders", "revenue", "currency", "views"] as const;

export function addAdminSalesRoutes(
  app: ServiceApp,
  { sales, admin }: { readonly sales: Sales; readonly admin: AdminGuard },
): void {
  async function read(query: z.infer<typeof querySchema>): ReturnType<Sales["read"]> {
    const to = query.to ?? (await sales.today());
    const span: SalesSpan = { from: query.from ?? addDays(to, 1 - DEFAULT_DAYS), to };
    const days = countDays(span);
    if (days < 1 || days > MAX_DAYS)
      throw new AppError(
        "invalid",
        `The range is invalid: from must not be after to, and the range can have up to ${MAX_DAYS} days`,
      );
    const unit: SalesUnit = query.unit;
    return sales.read(span, unit);
  }
  const show = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: PATH,
    operationId: "adminGetSales",
    summary: "Get orders, revenue and views by day, week or month, with top products and the previous period",
    request: { query: querySchema },
    responses: {
      200: jsonResponse("The sales report. Default range: the last 30 days", salesSchema, example),
    },
    errors: ["invalid", "store_unavailable"],
  });
  app.openapi(show, async (c) => c.json(await read(c.req.valid("query")), 200));
  const csv: Record<string, { schema: { type: "string" } }> = { "text/csv": { schema: { type: "string" } } };
  const exporting = createRoute({
    ...adminRoute(TAG, admin),
    method: "get",
    path: `${PATH}/export`,
    operationId: "adminExportSales",
    summary: "Export the sales report as CSV, one row per day, week or month",
    description: `Columns: ${columns.join(", ")}. Revenue is a decimal number in the currency unit.`,
    request: { query: querySchema.extend({ separator: csvSeparatorSchema }) },
    responses: { 200: { description: "Sales", content: csv } },
    errors: ["invalid", "store_unavailable"],
  });
  app.openapi(exporting, async (c) => {
    const { separator, ...query } = c.req.valid("query");
    const { periods, currency, from, to } = await read(query);
    const style = csvStyles[separator];
    const amount = (minor: number): string => toDecimal(minor, currency).replace(".", style.decimalMark);
    const lines = periods.map(({ start, orders, paidOrders, revenue, views }) =>
      toCsvLine([start, orders, paidOrders, amount(revenue), currency, views ?? ""], style),
    );
    return c.body(`${toCsvLine(columns, style)}${lines.join("")}`, 200, {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="sales-${from}-${to}.csv"`,
    });
  });
}
