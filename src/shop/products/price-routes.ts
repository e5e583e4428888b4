/** The price history of a product, for administrators. */
import { AppError } from "../../kit/errors.ts";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import type { ShopDeps } from "../base/deps.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { idParams } from "../edge/params.ts";
import { priceHistorySchema } from "./answer-schema.ts";
import { products } from "./records.ts";
import { listPrices } from "../prices/history.ts";
import { findPriorPrice } from "../prices/prior-price.ts";
import type { PriceRecord } from "../prices/schema.ts";

function toView({ id, productId, currency, points }: PriceRecord) {
  return {
    variantId: id === productId ? undefined : id,
    currency,
    lowestPrice30Days: findPriorPrice(points),
    points: points.map((point) => ({ ...point, at: toIsoTime(point.at) })),
  };
}

/** Adds GET /api/admin/products/{id}/prices. */
export function addAdminPriceRoutes(
  app: ServiceApp,
  { store, admin }: Pick<ShopDeps, "store"> & { readonly admin: AdminGuard },
): void {
  const route = createRoute({
    ...adminRoute("admin products", admin),
    method: "get",
    path: "/api/admin/products/{id}/prices",
    operationId: "adminListPrices",
    summary: "Get the price history of a product and its variants",
    request: { params: idParams("prd_01jd5v6m0c8f3k2n7q4x9y1z5a") },
    responses: { 200: jsonResponse("The prices", priceHistorySchema) },
  });
  app.openapi(route, async (c) => {
    const { id } = c.req.valid("param");
    const records = await store.read(async (tx) => {
      if ((await tx.get(products, id)) === undefined)
        throw new AppError("not_found", "This product does not exist");
      return listPrices(tx, id);
    });
    return c.json({ items: records.map(toView) }, 200);
  });
}
