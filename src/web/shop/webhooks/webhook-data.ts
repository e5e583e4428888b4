/** Webhooks to others as the administration's routes give them, and how one is edited. */
import type { EventType } from "../../../shop/webhooks-out/schema.ts";
import type { TextName } from "../../app/texts.ts";
import { adminRequest } from "../../ui/console/session.ts";
import type { Edited } from "../../ui/forms/parsed.ts";
import {
  type FieldSpec,
  type Fields,
  type Form,
  parseForm,
  pickFields,
  toForm,
} from "../../ui/settings/setting-fields.tsx";

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
  /** Until then the secret before signs as well. */
  readonly previousUntil?: string;
  readonly createdAt: string;
}

/** With its secret, which is shown once. */
export interface WebhookSecret extends WebhookView {
  readonly secret: string;
}

export interface DeliveryView {
  readonly id: string;
  readonly eventId: string;
  readonly type: string;
  readonly state: "waiting" | "sent" | "failed";
  readonly attempts: number;
  readonly lastStatus?: number;
  readonly lastAnswer?: string;
  readonly lastError?: string;
  readonly durationMs?: number;
  readonly createdAt: string;
  readonly lastAttemptAt?: string;
  readonly sentAt?: string;
  readonly nextAttemptAt?: string;
}

const events: Readonly<Record<EventType, TextName>> = {
  "order.placed": "shop.webhooks.event.order_placed",
  "order.paid": "shop.webhooks.event.order_paid",
  "order.delivered": "shop.webhooks.event.order_delivered",
  "order.completed": "shop.webhooks.event.order_completed",
  "order.canceled": "shop.webhooks.event.order_canceled",
  "order.expired": "shop.webhooks.event.order_expired",
  "order.refunded": "shop.webhooks.event.order_refunded",
  "order.attention": "shop.webhooks.event.order_attention",
  "order.withdrawal": "shop.webhooks.event.order_withdrawal",
  "stock.changed": "shop.webhooks.event.stock_changed",
  "stock.low": "shop.webhooks.event.stock_low",
  "stock.out": "shop.webhooks.event.stock_out",
};

/** The fields of a webhook. */
export const specs: readonly FieldSpec[] = [
  { key: "url", label: "shop.webhooks.url", hint: "shop.webhooks.url.hint", kind: "line" },
  { key: "description", label: "shop.webhooks.description", kind: "line" },
  {
    key: "types",
    label: "shop.webhooks.events",
    hint: "shop.webhooks.events.hint",
    kind: { anyOf: Object.entries(events).map(([value, label]) => ({ value, label })) },
  },
  { key: "enabled", label: "shop.webhooks.enabled", kind: "tick" },
];

/** Where a webhook is. */
export function toWebhookPath(id: string, action = ""): string {
  return `${WEBHOOKS}/${id}${action}`;
}

/** How a webhook is edited. */
export const edited: Edited<WebhookView, Form, Fields> = {
  pick: (view) => pickFields(specs, view),
  toForm: (fields) => toForm(specs, fields),
  parse: (form) => parseForm(specs, form),
  send: ({ id, version }, fields) =>
    adminRequest<WebhookView>(toWebhookPath(id), { method: "PATCH", body: { ...fields, version } }),
  reload: ({ id }) => adminRequest<WebhookView>(toWebhookPath(id)),
};
