/** The plans of connections that order, and that tell of payments, as the load's process runs them. */
import { randomInt, randomUUID } from "node:crypto";
import { z } from "zod";
import { signWebhook } from "../../../src/kit/secrets/webhook-signature.ts";
import type { LoadPlan } from "./load.ts";
import { address, PROVIDER, PROVIDER_SECRET, toNoticeBody } from "./shop-seed.ts";

const dataSchema = z.discriminatedUnion("work", [
  z.object({ work: z.literal("checkout"), products: z.number() }),
  z.object({
    work: z.literal("webhook"),
    connections: z.number(),
    orders: z.array(z.object({ id: z.string(), total: z.number() })),
  }),
]);

/** What the two plans need to know. */
export type ShopPlanData = z.infer<typeof dataSchema>;

const json = { "content-type": "application/json" };

/** Each order is another buyer's, from another address, of another product. */
function createCheckoutPlan(connection: number, products: number): LoadPlan {
  let n = 0;
  // Another network each round: an address may only have so many orders that wait for payment.
  const network = 11 + randomInt(180);
  return {
    next: () => {
      n += 1;
      const name = randomUUID();
      const productId = `prd_${String((connection * 104_729 + n * 7_919) % products).padStart(8, "0")}`;
      return {
        method: "POST",
        path: "/api/checkout",
        headers: {
          ...json,
          "idempotency-key": name,
          "x-forwarded-for": `${network}.${connection}.${(n >> 8) & 255}.${n & 255}`,
        },
        body: JSON.stringify({
          items: [{ productId, variantId: `${productId}-${"SML"[n % 3] ?? "S"}`, quantity: 1 }],
          contact: { email: `${name}@example.org` },
          shippingAddress: address,
        }),
      };
    },
  };
}

/** Each notice pays another order, in full, with a signature of its own. */
function createWebhookPlan(
  connection: number,
  { connections, orders }: Extract<ShopPlanData, { work: "webhook" }>,
): LoadPlan {
  let index = connection;
  return {
    next: (answer) => {
      if (answer !== undefined && !answer.body.includes('"applied"'))
        throw new Error(`A notice was not applied: ${answer.body}`);
      const order = orders[index];
      if (order === undefined)
        throw new Error("There are not enough orders for this load; take fewer seconds");
      index += connections;
      const id = randomUUID();
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const body = toNoticeBody(id, order);
      const signature = signWebhook(PROVIDER_SECRET, { id, timestamp, body });
      return {
        method: "POST",
        path: `/api/webhooks/${PROVIDER}-pay`,
        headers: {
          ...json,
          "webhook-id": id,
          "webhook-timestamp": timestamp,
          "webhook-signature": signature,
        },
        body,
      };
    },
  };
}

/** The plan of a connection. */
export function createPlan(connection: number, given: unknown): LoadPlan {
  const data = dataSchema.parse(given);
  return data.work === "checkout"
    ? createCheckoutPlan(connection, data.products)
    : createWebhookPlan(connection, data);
}
