/** Public numbers of the shop. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import type { ShopStats } from "./stats.ts";
import { isoTimeSchema, toIsoTime } from "../../kit/text/iso-time.ts";
import { createRoute } from "../edge/create-route.ts";

const count = z.int().min(0).optional();

const statsRoute = createRoute({
  method: "get",
  path: "/api/stats",
  operationId: "getStats",
  tags: ["catalogue"],
  "x-access": "public",
  summary: "Get public statistics of the shop. Statistics hidden by the administrator are absent",
  responses: {
    200: jsonResponse(
      "The statistics",
      z
        .object({
          products: count,
          inStock: count,
          views: count,
          soldUnits: count,
          completedOrders: count,
          since: isoTimeSchema
            .nullable()
            .optional()
            .openapi({ description: "Creation time of the first product or order; null before that" }),
        })
        .openapi("ShopStats"),
      {
        products: 120,
        inStock: 98,
        views: 5_400,
        soldUnits: 310,
        completedOrders: 207,
        since: "2026-01-31T12:00:00.000+00:00",
      },
    ),
  },
  errors: ["store_unavailable"],
});

/** Adds the route of the public numbers. */
export function addStatsRoutes(
  app: ServiceApp,
  { stats }: { readonly stats: () => Promise<ShopStats> },
): void {
  app.openapi(statsRoute, async (c) => {
    const { since, ...counts } = await stats();
    const shown = typeof since === "number" ? toIsoTime(since) : since;
    return c.json({ ...counts, since: shown }, 200);
  });
}
