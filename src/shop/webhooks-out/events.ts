/** Webhook events, written in the transaction of the change; nothing is written without a subscriber. */
import type { Clock } from "../../kit/time/clock.ts";
import { newId } from "../../kit/secrets/id.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { webhookDeliveries, webhookEndpoints } from "./records.ts";
import { type DeliveryRecord, type EndpointRecord, type EventType, TEST_EVENT } from "./schema.ts";

export const MAX_ENDPOINTS = 20;
/** How long a message is tried. */
export const TRIED_MS = 3 * 86_400_000;

interface Deps {
  readonly clock: Pick<Clock, "now">;
}

/** An event; `thread` names its subject, such as the ID of an order. */
export interface ShopEvent {
  readonly type: EventType;
  readonly thread: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Endpoints that events are written for. */
export async function listActive(tx: ReadTx): Promise<readonly EndpointRecord[]> {
  return (await tx.list(webhookEndpoints, "byOn", { prefix: ["yes"], limit: MAX_ENDPOINTS })).items;
}

/** The body of a delivery, in the format of Standard Webhooks 1.0. */
export function toBody(type: string, data: ShopEvent["data"], nowMs: number): string {
  return JSON.stringify({ type, timestamp: toIsoTime(nowMs), data });
}

/** A message to an endpoint as it begins to wait. */
export function toDelivery(
  { id: endpointId }: Pick<EndpointRecord, "id">,
  { eventId, type, thread, body }: Pick<DeliveryRecord, "eventId" | "type" | "thread" | "body">,
  nowMs: number,
): Omit<DeliveryRecord, "version"> {
  return {
    id: newId("whd", nowMs),
    endpointId,
    eventId,
    type,
    thread,
    body,
    waitingThread: `${endpointId} ${thread}`,
    waitingFor: endpointId,
    state: "waiting",
    attempts: 0,
    createdAt: nowMs,
    nextAttemptAt: nowMs,
    giveUpAt: nowMs + TRIED_MS,
  };
}

/** Writes an event for those of some endpoints that want its type. */
export async function writeEvent(
  tx: Tx,
  { clock }: Deps,
  { event, endpoints }: { event: ShopEvent; endpoints: readonly EndpointRecord[] },
): Promise<void> {
  const { type, thread, data } = event;
  const wanting = endpoints.filter(({ types }) => types.includes(type));
  if (wanting.length === 0) return;
  const nowMs = clock.now();
  const message = { eventId: newId("evt", nowMs), type, thread, body: toBody(type, data, nowMs) };
  for (const endpoint of wanting) await tx.insert(webhookDeliveries, toDelivery(endpoint, message, nowMs));
}

/**
 * Adds an event to the running transaction. Moves of orders and stock add theirs by themselves
 * (`record-events.ts`); this is for what no record of those shows.
 */
export async function addEvent(tx: Tx, deps: Deps, event: ShopEvent): Promise<void> {
  await writeEvent(tx, deps, { event, endpoints: await listActive(tx) });
}

/** The message that an administrator sends to try an endpoint. */
export function toTestDelivery(endpoint: EndpointRecord, nowMs: number): Omit<DeliveryRecord, "version"> {
  const eventId = newId("evt", nowMs);
  const body = toBody(TEST_EVENT, { endpointId: endpoint.id }, nowMs);
  return toDelivery(endpoint, { eventId, type: TEST_EVENT, thread: eventId, body }, nowMs);
}
