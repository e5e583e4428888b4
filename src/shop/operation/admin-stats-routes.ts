/** Sales for administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { readAdminStats } from "./admin-stats.ts";
import type { Sales } from "./sales.ts";
import { orderStatusSchema } from "../orders/schema.ts";
import type { ShopDeps } from "../base/deps.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { createRoute } from "../edge/create-route.ts";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

const count = z.int().min(0);

const statsSchema = z
  .object({
    currency: z.string(),
    timeZone: z.string(),
    byStatus: z.record(orderStatusSchema, count),
    needAttention: count,
    openNotices: count,
    revenue: z.int(),
    days: z.array(z.object({ day: z.string(), orders: count, paidOrders: count, revenue: z.int() })),
    isComplete: z.boolean(),
  })
  .openapi("AdminStats");

/** Adds GET /api/admin/stats. */
export function addAdminStatsRoutes(
  app: ServiceApp,
  parts: Pick<ShopDeps, "store" | "clock"> & { readonly sales: Sales; readonly admin: AdminGuard },
): void {
  const { clock, admin } = parts;
  const route = createRoute({
    ...adminRoute("admin operation", admin),
    method: "get",
    path: "/api/admin/stats",
    operationId: "adminGetStats",
    summary: "Get orders by status and daily sales in the shop's time zone. Default: the last 30 days",
    request: { query: z.object({ from: isoTimeSchema.optional(), to: isoTimeSchema.optional() }) },
    responses: { 200: jsonResponse("Sales", statsSchema) },
    errors: ["invalid"],
  });
  app.openapi(route, async (c) => {
    const query = c.req.valid("query");
    const to = query.to === undefined ? clock.now() + 1 : Date.parse(query.to);
    const from = query.from === undefined ? to - DEFAULT_DAYS * DAY_MS : Date.parse(query.from);
    if (from >= to || to - from > MAX_DAYS * DAY_MS)
      throw new AppError(
        "invalid",
        `The range is invalid: from must be before to, and the range can have up to ${MAX_DAYS} days`,
      );
    return c.json(await readAdminStats(parts, { from, to }), 200);
  });
}
