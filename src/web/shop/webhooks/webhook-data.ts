/** Webhooks to others as the administration's routes give them. */
import type { DeliveryRecord, EndpointView } from "../../../shop/webhooks-out/schema.ts";
import type { WithTimes } from "../../ui/forms/with-times.ts";

export const WEBHOOKS = "/api/admin/webhooks";

/** With its secret, which is shown once. */
export type WebhookSecret = EndpointView & { readonly secret: string };

type DeliveryTime = "createdAt" | "lastAttemptAt" | "sentAt" | "nextAttemptAt";
type Outcome = "state" | "attempts" | "lastStatus" | "lastAnswer" | "lastError" | "durationMs";

export type DeliveryView = WithTimes<
  Pick<DeliveryRecord, "id" | "eventId" | "type" | Outcome | DeliveryTime>,
  DeliveryTime
>;

/** Where a webhook is. */
export function toWebhookPath(id: string, action = ""): string {
  return `${WEBHOOKS}/${id}${action}`;
}
