/** Webhooks to others: where they go, and the queue that is also the log of what was sent. */
import { z } from "zod";
import { line, timeMs } from "../../kit/text/schemas.ts";

export const eventTypes = [
  "order.placed",
  "order.paid",
  "order.delivered",
  "order.completed",
  "order.canceled",
  "order.expired",
  "order.refunded",
  "order.attention",
  "order.withdrawal",
  "draft_order.created",
  "draft_order.sent",
  "draft_order.ordered",
  "license.created",
  "license.activated",
  "license.deactivated",
  "license.disabled",
  "license.enabled",
  "license.changed",
  "stock.changed",
  "stock.low",
  "stock.out",
] as const;
export type EventType = (typeof eventTypes)[number];

/** Sent by hand alone, to see whether a receiver works. */
export const TEST_EVENT = "webhook.test";

const eventTypeSchema = z.enum(eventTypes);

/** An endpoint's settings. */
export const endpointFieldsSchema = z.object({
  url: line(1_000).min(1),
  description: line(200).default(""),
  types: z
    .array(eventTypeSchema)
    .min(1)
    .max(eventTypes.length)
    .refine((all) => new Set(all).size === all.length, "must not repeat a type"),
});

/** A new endpoint; it is on unless the request says otherwise. */
export const newEndpointSchema = z.strictObject({
  ...endpointFieldsSchema.shape,
  enabled: z.boolean().default(true),
});

/** Changes of an endpoint; omitted members are unchanged. */
export const endpointChangeSchema = z.strictObject({
  url: endpointFieldsSchema.shape.url.optional(),
  description: endpointFieldsSchema.shape.description.unwrap().optional(),
  types: endpointFieldsSchema.shape.types.optional(),
  enabled: z.boolean().optional(),
});

export const endpointRecordSchema = endpointFieldsSchema.extend({
  id: z.string(),
  version: z.number().int(),
  /** "yes" while events are written for it, for the index that every change of an order reads. */
  on: z.literal("yes").optional(),
  /** Why the shop itself switched it off. */
  offReason: line(300).optional(),
  sealedSecret: z.string(),
  /** The secret before, which signs as well until then. */
  sealedPrevious: z.string().optional(),
  previousUntil: timeMs.optional(),
  createdAt: timeMs,
  updatedAt: timeMs,
});
export type EndpointRecord = z.infer<typeof endpointRecordSchema>;

/** An endpoint as answers have it. */
export type EndpointView = Pick<
  EndpointRecord,
  "id" | "version" | "url" | "description" | "types" | "offReason"
> & {
  readonly enabled: boolean;
  readonly createdAt: string;
  /** Until then the secret before signs as well. */
  readonly previousUntil?: string;
  readonly failingSince?: string;
  /** While it fails. */
  readonly nextAttemptAt?: string;
};

/** An endpoint (same ID) whose last messages failed; a separate record, as every order reads the other. */
export const failingRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  /** Tries in a row. */
  failures: z.number().int().min(1),
  since: timeMs,
  /** Nothing is tried before. */
  pausedUntil: timeMs,
});

export const deliveryStateSchema = z.enum(["waiting", "sent", "failed"]);
export type DeliveryState = z.infer<typeof deliveryStateSchema>;

/** The most characters of an answer that are kept. */
export const MAX_ANSWER = 500;

/** One event for one endpoint. */
export const deliveryRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  endpointId: z.string(),
  /** The header webhook-id: the same for every try, and for every endpoint. */
  eventId: z.string(),
  type: z.string(),
  /** Those of one thread (an order, a stock record) arrive in the order of their writing. */
  thread: z.string(),
  /** While it waits: endpoint and thread, and the endpoint alone; for the indexes. */
  waitingThread: z.string().optional(),
  waitingFor: z.string().optional(),
  body: z.string().max(200_000),
  state: deliveryStateSchema,
  attempts: z.number().int().min(0),
  createdAt: timeMs,
  nextAttemptAt: timeMs,
  /** When trying ends. */
  giveUpAt: timeMs,
  /** Once it waits no more: when it goes. */
  keepUntil: timeMs.optional(),
  lastAttemptAt: timeMs.optional(),
  lastStatus: z.number().int().optional(),
  lastAnswer: z.string().max(MAX_ANSWER).optional(),
  lastError: line(300).optional(),
  durationMs: z.number().int().min(0).optional(),
  sentAt: timeMs.optional(),
});
export type DeliveryRecord = z.infer<typeof deliveryRecordSchema>;
