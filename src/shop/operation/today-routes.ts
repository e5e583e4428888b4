/** The owner's first page: GET /api/admin/today. */
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { type Today, todaySchema } from "./answer-schema.ts";
import { type TodayDeps, readToday } from "./today.ts";

const example: Today = {
  currency: "EUR",
  timeZone: "Europe/Berlin",
  today: { orders: 2, paidOrders: 1, revenue: 1_999 },
  days7: { orders: 12, paidOrders: 10, revenue: 24_990 },
  days30: { orders: 40, paidOrders: 37, revenue: 90_250 },
  waiting: {
    toDeliver: 1,
    needAttention: 0,
    openNotices: 0,
    withdrawals: 0,
    unreadChats: 0,
    lowStock: 3,
    mailsFailed: 0,
    webhooksFailing: 0,
  },
  lastOrders: [
    {
      id: "ord_1",
      number: "261123-7KQ4MP",
      email: "ann@example.org",
      attention: [],
      status: "paid",
      paymentStatus: "paid",
      total: 1_999,
      currency: "EUR",
      createdAt: "2026-11-23T09:00:00.000+00:00",
    },
  ],
  setup: { steps: { site: true, product: true, provider: true, order: true }, missing: ["backups"] },
};

export function addAdminTodayRoutes(
  app: ServiceApp,
  { admin, ...deps }: TodayDeps & { readonly admin: AdminGuard },
): void {
  const route = createRoute({
    ...adminRoute("admin operation", admin),
    method: "get",
    path: "/api/admin/today",
    operationId: "adminGetToday",
    summary: "Get recent sales and orders, open tasks and the setup progress",
    responses: { 200: jsonResponse("The overview", todaySchema, example) },
    errors: ["store_unavailable"],
  });
  app.openapi(route, async (c) => {
    c.header("cache-control", "no-store");
    const { lastOrders, steps, gaps, ...told } = await readToday(deps);
    return c.json(
      {
        ...told,
        lastOrders: lastOrders.map(
          ({ id, number, email, status, paymentStatus, attention, total, currency, createdAt }) => ({
            id,
            number,
            email,
            status,
            paymentStatus,
            attention,
            total,
            currency,
            createdAt: toIsoTime(createdAt),
          }),
        ),
        setup: { steps, missing: gaps },
      },
      200,
    );
  });
}
