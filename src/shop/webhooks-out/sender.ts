/**
 * Sends events to endpoints, signed by Standard Webhooks 1.0, each endpoint with its own queue so that a slow one
 * delays no other. Messages of one thread are sent one after the other. An endpoint that fails gets one attempt a
 * minute, and everything that waits once it responds again; messages are retried for three days, and an endpoint that
 * accepts nothing for five is switched off.
 */
import type { Outbound } from "../../kit/outbound/outbound.ts";
import { writeAudit } from "../../records/audit.ts";
import {
  type Claim,
  type Claimed,
  type Delivery,
  type DeliveryCounts,
  type DeliveryOutcome,
  type DeliveryQueue,
  createDelivery,
  toBackOffMs,
} from "../../records/delivery.ts";
import { type WebhookMessage, toDeliveryOutcome, toWebhookRequest } from "../../records/webhook-request.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { mailAdmin } from "../mails/mails.ts";
import { webhookDeliveries, webhookEndpoints, webhookFailing } from "./records.ts";
import { listActive } from "./events.ts";
import { type DeliveryRecord, type EndpointRecord, MAX_ANSWER } from "./schema.ts";
import { openSecrets } from "./secrets.ts";

/** Longer than a request can take; after it a message whose process died is free again. */
const CLAIM_MS = 60_000;
const LOOK = 50;
const AT_ONCE = 4;
const SWEPT_AT_ONCE = 200;
const DAY_MS = 86_400_000;
/** How long it can be seen, and sent again by hand, what was sent and what was not. */
const KEEP_SENT_MS = 3 * DAY_MS;
const KEEP_FAILED_MS = 7 * DAY_MS;
/** How long all that is tried fails before an endpoint is switched off: longer than one message is tried. */
const FAILING_MS = 5 * DAY_MS;
/** The receiver wants no more. */
const GONE = 410;
/** Answers of a proxy or a busy receiver: they say nothing about the message. */
const AWAY: ReadonlySet<number | undefined> = new Set([undefined, 429, 502, 503, 504]);
/** The longest wait between two attempts at an endpoint that does not answer. */
const PROBE_MS = 60_000;
const RELEASED_AT_ONCE = 200;

export type SenderDeps = Pick<ShopDeps, "store" | "clock" | "log" | "box" | "outbox"> & {
  /** Undefined: nothing is sent, and all waits. */
  readonly outbound?: Outbound | undefined;
};

/** The result of an attempt, for the log. */
interface Exchange {
  status?: number;
  answer?: string;
  durationMs?: number;
}

interface Message extends WebhookMessage {
  readonly exchange: Exchange;
}

/** An answer as the log keeps it: its beginning, without control characters. */
function toAnswer(text: string): string {
  // Also half of a character that was cut.
  return text.slice(0, MAX_ANSWER).replaceAll(/[\p{C}\u2028\u2029]+/gu, " ");
}

/** Sends one message; what came back is left in `message.exchange`. */
export async function sendMessage(
  { clock }: Pick<SenderDeps, "clock">,
  outbound: Outbound,
  message: Message,
): Promise<DeliveryOutcome> {
  const { exchange } = message;
  const startMs = clock.monotonic();
  const outcome = await outbound.send(toWebhookRequest(message, clock.now()));
  exchange.durationMs = Math.max(0, Math.round(clock.monotonic() - startMs));
  if (outcome.kind === "answered") {
    exchange.status = outcome.status;
    exchange.answer = toAnswer(outcome.text);
  }
  return toDeliveryOutcome(outcome, "endpoint");
}

/** A record with what a try came to; what is over waits no more. */
export function withOutcome(
  record: DeliveryRecord,
  { outcome, exchange, nowMs }: { outcome: DeliveryOutcome; exchange: Exchange; nowMs: number },
): DeliveryRecord {
  const { waitingThread: _thread, waitingFor: _for, ...ended } = record;
  const tried = {
    lastAttemptAt: nowMs,
    lastStatus: exchange.status,
    lastAnswer: exchange.answer,
    durationMs: exchange.durationMs,
  };
  if (outcome.status === "sent") {
    const sent = { state: "sent", sentAt: nowMs, lastError: undefined } as const;
    return { ...ended, ...tried, ...sent, keepUntil: nowMs + KEEP_SENT_MS };
  }
  const lastError = outcome.reason;
  if (outcome.status === "permanent" || nowMs >= record.giveUpAt)
    return { ...ended, ...tried, state: "failed", lastError, keepUntil: nowMs + KEEP_FAILED_MS };
  const backOffMs = toBackOffMs(record.attempts);
  const waitMs = AWAY.has(exchange.status) ? Math.min(backOffMs, PROBE_MS) : backOffMs;
  return { ...record, ...tried, lastError, nextAttemptAt: nowMs + waitMs };
}

/**
 * Marks up to 200 waiting messages of an endpoint as due now, and returns their number. Those that come within a minute anyway
 * are left alone: some of them are on their way.
 */
export async function releaseWaiting(tx: Tx, endpointId: string, nowMs: number): Promise<number> {
  const range = { prefix: [endpointId], from: [nowMs + CLAIM_MS + 1], limit: RELEASED_AT_ONCE };
  const { items } = await tx.list(webhookDeliveries, "byDue", range);
  for (const item of items) await tx.put(webhookDeliveries, { ...item, nextAttemptAt: nowMs });
  return items.length;
}

/** Marks all waiting events of an endpoint as due now. */
export async function releaseAll({ store, clock }: Pick<SenderDeps, "store" | "clock">, endpointId: string) {
  let released: number;
  do {
    released = await store.transact((tx) => releaseWaiting(tx, endpointId, clock.now()));
  } while (released === RELEASED_AT_ONCE);
}

/** The message of a thread that goes before all others. */
export async function findFirst(tx: ReadTx, waitingThread: string): Promise<DeliveryRecord | undefined> {
  const { items } = await tx.list(webhookDeliveries, "byThread", { prefix: [waitingThread], limit: 1 });
  return items[0];
}

/**
 * The one try of an endpoint that fails: what has waited longest since its own last try, so that a message that is
 * refused each time does not keep the others.
 */
async function findTry(tx: ReadTx, due: readonly DeliveryRecord[]): Promise<readonly DeliveryRecord[]> {
  for (const record of due) {
    const first = await findFirst(tx, record.waitingThread ?? "");
    if (first?.id === record.id) return [record];
  }
  return due.slice(0, 1);
}

/** The next of the thread need not wait any longer for the one before it. */
async function callNext(tx: Tx, { endpointId, thread }: DeliveryRecord, nowMs: number): Promise<void> {
  const next = await findFirst(tx, `${endpointId} ${thread}`);
  if (next !== undefined && next.attempts === 0 && next.nextAttemptAt > nowMs)
    await tx.put(webhookDeliveries, { ...next, nextAttemptAt: nowMs });
}

/** Switches off an endpoint that takes nothing, and tells the owner. What waits for it goes on when it is switched on again. */
async function switchOff(
  tx: Tx,
  { outbox, clock }: Pick<SenderDeps, "outbox" | "clock">,
  { endpoint, reason }: { endpoint: EndpointRecord; reason: string },
): Promise<void> {
  const { on: _on, ...rest } = endpoint;
  await tx.put(webhookEndpoints, { ...rest, offReason: reason, updatedAt: clock.now() });
  const actor = { name: "shop", requestId: "" };
  const changes = [`reason: ${reason}`];
  await writeAudit(
    tx,
    { actor, action: "webhook.off", target: endpoint.id, result: "refused", changes },
    clock,
  );
  const { host } = new URL(endpoint.url);
  await mailAdmin(
    tx,
    { outbox, clock },
    {
      subject: `the webhook to ${host} was disabled`,
      lines: [
        `Deliveries to the webhook ${endpoint.id} at ${host} have failed. ${reason}`,
        "New events are no longer recorded for it. Fix the endpoint and enable the webhook again; waiting events up to three days old are then sent.",
      ],
    },
  );
}

/** The effect of a failed attempt on the endpoint as a whole. */
async function noteFailure(
  tx: Tx,
  deps: Pick<SenderDeps, "outbox" | "clock">,
  { endpointId, reason, status }: { endpointId: string; reason: string; status: number | undefined },
): Promise<void> {
  const nowMs = deps.clock.now();
  const endpoint = await tx.get(webhookEndpoints, endpointId);
  if (endpoint?.on === undefined) return;
  const before = await tx.get(webhookFailing, endpointId);
  const toPause = (failures: number): number => nowMs + Math.min(toBackOffMs(failures), PROBE_MS);
  const first = { id: endpointId, failures: 1, since: nowMs, pausedUntil: toPause(1) };
  if (status !== GONE && before !== undefined && nowMs - before.pausedUntil > DAY_MS) {
    // Nothing was tried in between: what failed long ago says nothing of today.
    await tx.put(webhookFailing, { ...before, ...first });
    return;
  }
  if (status === GONE || (before !== undefined && nowMs - before.since >= FAILING_MS))
    return switchOff(tx, deps, { endpoint, reason });
  if (before === undefined) {
    await tx.insert(webhookFailing, first);
  } else if (before.pausedUntil <= nowMs) {
    // Several that were on their way at once count as one.
    const failures = before.failures + 1;
    await tx.put(webhookFailing, { ...before, failures, pausedUntil: toPause(failures) });
  }
}

/** The messages of one endpoint as the delivery sees them. */
function createQueue(deps: SenderDeps, endpointId: string): DeliveryQueue<Message> {
  const { store, clock, box } = deps;

  async function claim(tx: Tx, id: string): Promise<Claim<Message>> {
    const nowMs = clock.now();
    const found = await tx.get(webhookDeliveries, id);
    if (found?.waitingThread === undefined || found.nextAttemptAt > nowMs) return "taken";
    const endpoint = await tx.get(webhookEndpoints, endpointId);
    if (endpoint?.on === undefined) return "taken";
    const first = await findFirst(tx, found.waitingThread);
    if (first !== undefined && first.id !== id) {
      // Out of the way until then: what is behind hides nothing else that is due.
      const nextAttemptAt = Math.max(first.nextAttemptAt, nowMs) + 1;
      await tx.put(webhookDeliveries, { ...found, nextAttemptAt });
      return "behind";
    }
    const attempts = found.attempts + 1;
    await tx.put(webhookDeliveries, { ...found, attempts, nextAttemptAt: nowMs + CLAIM_MS });
    const secrets = openSecrets(box, endpoint, nowMs);
    const { url } = endpoint;
    const message = { url, secrets, eventId: found.eventId, body: found.body, exchange: {} };
    return { id, kind: found.type, attempts, message };
  }

  /** Returns whether the endpoint answers again after several failures in a row; one bad message is no such outage. */
  async function settle(tx: Tx, { id, attempts, message }: Claimed<Message>, outcome: DeliveryOutcome) {
    const found = await tx.get(webhookDeliveries, id);
    if (found === undefined || found.attempts !== attempts || found.state !== "waiting") return false;
    const nowMs = clock.now();
    const exchange = message?.exchange ?? {};
    const settled = await tx.put(webhookDeliveries, withOutcome(found, { outcome, exchange, nowMs }));
    if (settled.state !== "waiting") await callNext(tx, settled, nowMs);
    if (outcome.status !== "sent") {
      await noteFailure(tx, deps, { endpointId, reason: outcome.reason, status: exchange.status });
      return false;
    }
    const failing = await tx.get(webhookFailing, endpointId);
    if (failing === undefined) return false;
    await tx.remove(webhookFailing, endpointId);
    return failing.failures > 1;
  }

  return {
    listDue: ({ limit }) =>
      store.read(async (tx) => {
        const nowMs = clock.now();
        const failing = await tx.get(webhookFailing, endpointId);
        if (failing !== undefined && failing.pausedUntil > nowMs) return [];
        const range = { prefix: [endpointId], to: [nowMs + 1], limit: LOOK };
        const { items } = await tx.list(webhookDeliveries, "byDue", range);
        // Ids sort by the time of writing.
        const due =
          failing === undefined
            ? items.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit)
            : await findTry(tx, items);
        return due.map(({ id, type, thread }) => ({ id, kind: type, to: thread }));
      }),
    claim: (id) => store.transact((tx) => claim(tx, id)),
    settle: async (claimed, outcome) => {
      const hasRecovered = await store.transact((tx) => settle(tx, claimed, outcome));
      if (hasRecovered) await releaseAll(deps, endpointId);
    },
  };
}

/** Removes up to 200 messages that were kept long enough, and says how many. */
function sweep({ store, clock }: SenderDeps): Promise<number> {
  return store.transact(async (tx) => {
    const range = { to: [clock.now() + 1], limit: SWEPT_AT_ONCE };
    const { items } = await tx.list(webhookDeliveries, "byKeepUntil", range);
    for (const { id } of items) await tx.remove(webhookDeliveries, id);
    return items.length;
  });
}

/** Creates the sender; it has nothing under way. */
export function createWebhookSender(deps: SenderDeps) {
  const { store, log, outbound } = deps;
  const sender = outbound && { send: (message: Message) => sendMessage(deps, outbound, message) };
  const words = { noun: "event", waits: "sending is disabled here", unreadable: "" } as const;
  const queues = new Map<string, Delivery>();
  let isClosed = false;

  function getQueue(endpointId: string): Delivery {
    const known = queues.get(endpointId);
    if (known !== undefined) return known;
    const queue = createQueue(deps, endpointId);
    const made = createDelivery({ queue, log, words, atOnce: AT_ONCE, sender: () => sender });
    queues.set(endpointId, made);
    return made;
  }

  async function listQueues(): Promise<Delivery[]> {
    const ids = new Set((await store.read(listActive)).map(({ id }) => id));
    for (const id of queues.keys()) if (!ids.has(id)) queues.delete(id);
    return isClosed ? [] : [...ids].map(getQueue);
  }

  return {
    /** Starts sending to these endpoints in the background; to be called after the commit. Never throws. */
    wake: (endpointIds: Iterable<string>): void => {
      if (!isClosed) for (const id of endpointIds) getQueue(id).wake();
    },
    /** Starts sending whatever is due, also of other processes that died; to be called each second. */
    wakeAll: async (): Promise<void> => {
      for (const queue of await listQueues()) queue.wake();
    },
    /** Sends up to 20 messages that are due to each endpoint, and resolves when they have gone. */
    deliver: async (): Promise<DeliveryCounts> => {
      const all = { sent: 0, failed: 0, waiting: 0 };
      for (const counts of await Promise.all((await listQueues()).map((queue) => queue.deliver())))
        for (const name of ["sent", "failed", "waiting"] as const) all[name] += counts[name];
      return all;
    },
    sweep: (): Promise<number> => sweep(deps),
    /** Begins no further sending, and resolves when none is on its way. */
    close: async (): Promise<void> => {
      isClosed = true;
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}
