/** Requests to receivers of events as Standard Webhooks 1.0 has them, and what their answers mean for a queue. */
import type { OutboundOutcome, OutboundRequest } from "../kit/outbound/outbound.ts";
import { signWebhook } from "../kit/secrets/webhook-signature.ts";
import type { DeliveryOutcome } from "./delivery.ts";

/** One event on its way; during a change of the secret, receivers get a signature by each. */
export interface WebhookMessage {
  readonly url: string;
  readonly secrets: readonly string[];
  /** The same for each attempt. */
  readonly eventId: string;
  readonly body: string;
}

/** The signed request. @param nowMs wall time; @throws RangeError for a secret that is too short */
export function toWebhookRequest(
  { url, secrets, eventId: id, body }: WebhookMessage,
  nowMs: number,
): OutboundRequest {
  const timestamp = String(Math.floor(nowMs / 1_000));
  return {
    method: "POST",
    url,
    body,
    contentType: "application/json",
    followRedirects: false,
    headers: {
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": secrets.map((secret) => signWebhook(secret, { id, timestamp, body })).join(" "),
    },
  };
}

/** Sent with any 2xx; any other answer may be another one later: a proxy's, or that of a receiver that is being set up. */
export function toDeliveryOutcome(
  outcome: OutboundOutcome,
  receiver: "application" | "endpoint" | "receiver",
): DeliveryOutcome {
  if (outcome.kind !== "answered") return { status: "temporary", reason: outcome.reason };
  if (outcome.status >= 200 && outcome.status < 300) return { status: "sent" };
  return { status: "temporary", reason: `The ${receiver} responded with status ${outcome.status}` };
}
