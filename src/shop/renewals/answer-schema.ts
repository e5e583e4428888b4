/** Subscriptions in responses for administrators. */
import { z } from "@hono/zod-openapi";
import { pageSchema } from "../../kit/http/paging.ts";
import { viewOf } from "../../kit/http/view.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import {
  renewalRecordSchema,
  subscriptionEventSchema,
  subscriptionRecordSchema,
  subscriptionWays,
} from "../subscriptions/schema.ts";

export const subscriptionView = viewOf(
  subscriptionRecordSchema,
  [
    ...(["id", "version", "number", "orderId", "lineId", "productId", "variantId"] as const),
    ...(["title", "options", "currency", "state", "way", "endReason"] as const),
  ],
  ["paidUntil", "canceledAt", "endedAt", "createdAt", "updatedAt"],
);

export const renewalView = viewOf(
  renewalRecordSchema,
  ["number", "orderId", "orderNumber", "total", "state"],
  ["from", "until", "failedAt"],
);

export const subscriptionSchema = z
  .object({
    ...subscriptionView.shape,
    number: z.string().openapi({ description: "For people", example: "S-7KQ4MP2X" }),
    orderId: z.string().openapi({ description: "The order that it began with" }),
    way: z.enum(subscriptionWays).optional().openapi({
      description: "automatic: the payment provider charges each period; invoice: the buyer pays an invoice",
    }),
    every: z.enum(["month", "year"]),
    count: z.int().openapi({ description: "Months or years of a period" }),
    graceDays: z.int(),
    price: z.int().openapi({ description: "Of one license for the next period, in minor units" }),
    quantity: z.int().openapi({ description: "Licenses that are paid for each period" }),
    renewsAt: isoTimeSchema.optional().openapi({ description: "Absent: it does not renew" }),
    provider: z.string().optional().openapi({ description: "The payment provider that charges it" }),
    reference: z.string().optional().openapi({ description: "The provider's ID of the subscription" }),
    problem: z
      .string()
      .optional()
      .openapi({ description: "Last error of the provider; the shop tries again" }),
    email: z.string().optional(),
    orderNumber: z.string().optional(),
    renewals: z.array(z.object(renewalView.shape)).openapi({ description: "Oldest first" }),
    events: z.array(subscriptionEventSchema.extend({ at: isoTimeSchema })),
  })
  .openapi("Subscription");
export type SubscriptionView = z.infer<typeof subscriptionSchema>;
export const subscriptionPageSchema = pageSchema(subscriptionSchema).openapi("SubscriptionPage");
