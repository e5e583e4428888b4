/** Webhooks to others as the administration's routes give them, and how one is edited. */
import type { DeliveryRecord, EventType } from "../../../shop/webhooks-out/schema.ts";
import type { WithTimes } from "../../ui/forms/with-times.ts";
import { adminRequest } from "../../ui/console/session.ts";
import type { Edited } from "../../ui/forms/parsed.ts";
import { type FieldSpec, type Fields, type Form, editFields } from "../../ui/settings/setting-specs.ts";

export const WEBHOOKS = "/api/admin/webhooks";

export interface WebhookView {
  readonly id: string;
  readonly version: number;
  readonly url: string;
  readonly description: string;
  readonly types: readonly EventType[];
  readonly enabled: boolean;
  /** Why the shop switched it off. */
  readonly offReason?: string;
  readonly failingSince?: string;
  /** While it fails. */
  readonly nextAttemptAt?: string;
  /** Until then the secret before signs as well. */
  readonly previousUntil?: string;
  readonly createdAt: string;
}

/** With its secret, which is shown once. */
export interface WebhookSecret extends WebhookView {
  readonly secret: string;
}

type DeliveryTime = "createdAt" | "lastAttemptAt" | "sentAt" | "nextAttemptAt";
type Outcome = "state" | "attempts" | "lastStatus" | "lastAnswer" | "lastError" | "durationMs";

export type DeliveryView = WithTimes<
  Pick<DeliveryRecord, "id" | "eventId" | "type" | Outcome | DeliveryTime>,
  DeliveryTime
>;

const events = [
  ...(["order.placed", "order.paid", "order.delivered", "order.completed", "order.canceled"] as const),
  ...(["order.expired", "order.refunded", "order.attention", "order.withdrawal"] as const),
  ...(["stock.changed", "stock.low", "stock.out"] as const),
] satisfies readonly EventType[];

/** The fields of a webhook. */
export const specs: readonly FieldSpec[] = [
  { key: "url", label: "shop.webhooks.url", kind: "line" },
  { key: "description", label: "shop.webhooks.description", kind: "line" },
  {
    key: "types",
    label: "shop.webhooks.events",
    kind: { anyOf: events, words: "shop.webhooks.event" },
  },
  { key: "enabled", label: "shop.webhooks.enabled", kind: "tick" },
];

/** Where a webhook is. */
export function toWebhookPath(id: string, action = ""): string {
  return `${WEBHOOKS}/${id}${action}`;
}

/** How a webhook is edited. */
export const edited: Edited<WebhookView, Form, Fields> = {
  ...editFields(specs),
  send: ({ id, version }, fields) =>
    adminRequest<WebhookView>(toWebhookPath(id), { method: "PATCH", body: { ...fields, version } }),
  reload: ({ id }) => adminRequest<WebhookView>(toWebhookPath(id)),
};
