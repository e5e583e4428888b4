/** The administration's routes of webhooks. */
import type { EndpointView } from "../../../shop/webhooks-out/schema.ts";

export const WEBHOOKS = "/api/admin/webhooks";

/** With its secret, which is shown once. */
export type WebhookSecret = EndpointView & { readonly secret: string };

/** Where a webhook is. */
export function toWebhookPath(id: string, action = ""): `${typeof WEBHOOKS}/${string}` {
  return `${WEBHOOKS}/${id}${action}`;
}
