/** The balance of a gift card: POST /api/gift-cards/balance. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import type { ShopDeps } from "../base/deps.ts";
import { createRoute } from "../edge/create-route.ts";
import { balanceSchema } from "./answer-schema.ts";
import type { FindBalance } from "./balance.ts";
import { MAX_CODE } from "./schema.ts";

const codeSchema = z.strictObject({ code: z.string().min(1).max(MAX_CODE) }).openapi("GiftCardLookUp");

/** Adds the route. */
export function addGiftCardRoutes(
  app: ServiceApp,
  {
    findBalance,
    deps: { clock },
  }: { readonly findBalance: FindBalance; readonly deps: Pick<ShopDeps, "clock"> },
): void {
  const route = createRoute({
    method: "post",
    path: "/api/gift-cards/balance",
    operationId: "getGiftCardBalance",
    tags: ["checkout"],
    "x-access": "public",
    summary: "Get the balance of a gift card by its code",
    request: { body: jsonBody(codeSchema, { code: "7KQ4-MPXA-2C8F-3K2N" }) },
    responses: {
      200: jsonResponse("The balance", balanceSchema, {
        lastFour: "3K2N",
        currency: "EUR",
        balance: 3_000,
        isExpired: false,
      }),
    },
    errors: [...writeErrors, "gift_card_invalid", "rate_limited"],
  });
  app.openapi(route, async (c) => {
    const card = await findBalance(c.req.valid("json").code, c.var.clientAddress);
    const { lastFour, currency, balance, expiresAt } = card;
    const isExpired = clock.now() >= (expiresAt ?? Infinity);
    c.header("cache-control", "no-store");
    return c.json({ lastFour, currency, balance, isExpired, expiresAt: toIsoTimeIfAny(expiresAt) }, 200);
  });
}
