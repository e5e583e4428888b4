/** Responses about deliveries of webhooks. */
import { z } from "@hono/zod-openapi";
import { pageSchema } from "../../kit/http/paging.ts";
import { viewOf } from "../../kit/http/view.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { deliveryRecordSchema } from "./schema.ts";

export const deliveryView = viewOf(
  deliveryRecordSchema,
  [
    ...(["id", "eventId", "type", "state", "attempts", "lastStatus", "lastAnswer"] as const),
    ...(["lastError", "durationMs"] as const),
  ],
  ["createdAt", "lastAttemptAt", "sentAt"],
);
const deliveryShape = { ...deliveryView.shape, nextAttemptAt: isoTimeSchema.optional() };
export const deliverySchema = z.object(deliveryShape).openapi("WebhookDelivery");
export type DeliveryView = z.infer<typeof deliverySchema>;

export const deliveryListSchema = pageSchema(deliverySchema).openapi("WebhookDeliveryList");

export const wholeDeliverySchema = z
  .object({ ...deliveryShape, body: z.string().describe("Body as sent") })
  .openapi("WebhookDeliveryWithBody");
export type WholeDelivery = z.infer<typeof wholeDeliverySchema>;
