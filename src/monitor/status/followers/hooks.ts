/**
 * Requests to webhooks of subscribers, signed by Standard Webhooks 1.0. Those of one receiver leave one after the other;
 * a receiver that takes nothing is left alone for a while, and ended after days.
 */
import { newId } from "../../../kit/secrets/id.ts";
import { writeAudit } from "../../../records/audit.ts";
import {
  type Claim,
  type Delivery,
  type DeliveryOutcome,
  type DeliveryQueue,
  createDelivery,
  toBackOffMs,
} from "../../../records/delivery.ts";
import {
  type WebhookMessage,
  toDeliveryOutcome,
  toWebhookRequest,
} from "../../../records/webhook-request.ts";
import type { ReadTx, Tx } from "../../../store/store.ts";
import { statusPages } from "../records.ts";
import type { FollowersDeps } from "./deps.ts";
import { toAnnouncementBody, toQuestionBody } from "./hook-body.ts";
import { findPageUrl, toSubscriptionUrl } from "./links.ts";
import { announcements, subscriberHooks, subscribers } from "./records.ts";
import type { HookRecord, SubscriberRecord } from "./schema.ts";
import { openSecret } from "./secrets.ts";
import { endSubscriber } from "./subscribers.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** Longer than a request can take; after it a request whose process died is free again. */
const CLAIM_MS = MINUTE_MS;
/** A notification that is a day late is useless. */
const TRIED_MS = DAY_MS;
const QUESTION_TRIED_MS = 60 * MINUTE_MS;
const AT_ONCE = 8;
/** Requests that wait for one receiver; beyond that, it gets no further ones. */
const MAX_WAITING = 50;
/** A receiver is ended when so many tries in a row failed over so long a time. */
const FAILED_TRIES = 25;
const FAILING_MS = 3 * DAY_MS;
/** The receiver wants no more. */
const GONE = 410;

interface Message extends WebhookMessage {
  /** Of the answer, once there is one. */
  readonly exchange: { status?: number };
}

type Deps = Pick<FollowersDeps, "store" | "clock" | "log" | "box" | "address" | "outbound">;

/** Writes a request within `tx`; without an announcement it asks whether the receiver wants to follow. */
export async function writeHook(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  { subscriberId, announcementId }: { subscriberId: string; announcementId?: string },
): Promise<void> {
  const now = clock.now();
  if ((await tx.count(subscriberHooks, "bySubscriber", { prefix: [subscriberId] })) >= MAX_WAITING) return;
  const isQuestion = announcementId === undefined;
  await tx.insert(subscriberHooks, {
    id: newId("shk", now),
    subscriberId,
    attempts: 0,
    createdAt: now,
    nextAttemptAt: now,
    giveUpAt: now + (isQuestion ? QUESTION_TRIED_MS : TRIED_MS),
    ...(isQuestion ? {} : { announcementId }),
  });
}

async function findFirst(tx: ReadTx, subscriberId: string): Promise<HookRecord | undefined> {
  return (await tx.list(subscriberHooks, "bySubscriber", { prefix: [subscriberId], limit: 1 })).items[0];
}

/** The request as it is sent; undefined when what it tells is gone. */
async function toMessage(
  tx: ReadTx,
  { box, address }: Deps,
  { hook, subscriber }: { hook: HookRecord; subscriber: SubscriberRecord },
): Promise<Message | undefined> {
  const page = await tx.get(statusPages, subscriber.pageId);
  const pageUrl = page && findPageUrl(address, page);
  const secret = openSecret(box, subscriber.secret);
  if (page === undefined || pageUrl === undefined || secret === undefined) return undefined;
  const to = { pageUrl, page, subscriptionUrl: toSubscriptionUrl(box, { pageUrl, id: subscriber.id }) };
  const common = { url: subscriber.address, secrets: [secret], exchange: {} };
  const { announcementId } = hook;
  if (announcementId === undefined)
    return { ...common, eventId: hook.id, body: toQuestionBody(to, hook.createdAt) };
  const announcement = await tx.get(announcements, announcementId);
  if (announcement === undefined) return undefined;
  return { ...common, eventId: announcement.id, body: toAnnouncementBody(announcement, to) };
}

async function claim(tx: Tx, deps: Deps, id: string): Promise<Claim<Message>> {
  const now = deps.clock.now();
  const hook = await tx.get(subscriberHooks, id);
  if (hook === undefined || hook.nextAttemptAt > now) return "taken";
  const subscriber = await tx.get(subscribers, hook.subscriberId);
  const message = subscriber && (await toMessage(tx, deps, { hook, subscriber }));
  if (subscriber === undefined || message === undefined || hook.giveUpAt <= now) {
    await tx.remove(subscriberHooks, id);
    return "dropped";
  }
  const first = await findFirst(tx, hook.subscriberId);
  const pausedUntil = subscriber.failing?.pausedUntil ?? 0;
  const isBehind = first !== undefined && first.id !== id;
  if (isBehind || pausedUntil > now) {
    const nextAttemptAt = Math.max(isBehind ? first.nextAttemptAt : 0, pausedUntil, now) + 1;
    await tx.put(subscriberHooks, { ...hook, nextAttemptAt });
    return "behind";
  }
  const attempts = hook.attempts + 1;
  await tx.put(subscriberHooks, { ...hook, attempts, nextAttemptAt: now + CLAIM_MS });
  return { id, kind: hook.announcementId === undefined ? "question" : "announcement", attempts, message };
}

/** Removes a receiver that accepts nothing from the page. */
async function giveUp(tx: Tx, { clock }: Deps, subscriber: SubscriberRecord, reason: string): Promise<void> {
  await endSubscriber(tx, subscriber);
  const { host } = new URL(subscriber.address);
  const changes = [`host: ${host}`, `reason: ${reason}`];
  const entry = { actor: { name: "monitor", requestId: "" }, action: "subscriber.end", changes };
  await writeAudit(tx, { ...entry, target: subscriber.id }, clock);
}

async function settle(
  tx: Tx,
  deps: Deps,
  {
    id,
    attempts,
    outcome,
    status,
  }: { id: string; attempts: number; outcome: DeliveryOutcome; status: number | undefined },
): Promise<void> {
  const hook = await tx.get(subscriberHooks, id);
  if (hook === undefined || (outcome.status !== "sent" && hook.attempts !== attempts)) return;
  const now = deps.clock.now();
  const subscriber = await tx.get(subscribers, hook.subscriberId);
  if (outcome.status === "sent") {
    await tx.remove(subscriberHooks, id);
    if (subscriber?.failing !== undefined) {
      const { failing: _mended, ...rest } = subscriber;
      await tx.put(subscribers, rest);
    }
    const next = await findFirst(tx, hook.subscriberId);
    if (next !== undefined && next.nextAttemptAt > now && next.attempts === 0)
      await tx.put(subscriberHooks, { ...next, nextAttemptAt: now });
    return;
  }
  if (subscriber === undefined) return;
  const { tries, since } = subscriber.failing ?? { tries: 0, since: now };
  const isOver = tries + 1 >= FAILED_TRIES && now - since >= FAILING_MS;
  if (status === GONE || isOver) return giveUp(tx, deps, subscriber, outcome.reason);
  const failing = { tries: tries + 1, since, pausedUntil: now + toBackOffMs(tries + 1) };
  await tx.put(subscribers, { ...subscriber, failing });
  if (hook.giveUpAt <= failing.pausedUntil) await tx.remove(subscriberHooks, id);
  else await tx.put(subscriberHooks, { ...hook, nextAttemptAt: failing.pausedUntil });
}

/** Sends one, and leaves the answer's status in its exchange. */
async function send({ outbound, clock }: Deps, message: Message): Promise<DeliveryOutcome> {
  const outcome = await outbound.send(toWebhookRequest(message, clock.now()));
  if (outcome.kind === "answered") message.exchange.status = outcome.status;
  return toDeliveryOutcome(outcome, "receiver");
}

/** Creates what sends them; it has nothing under way. */
export function createHookDelivery(deps: Deps): Delivery {
  const { store, clock, log } = deps;
  const queue: DeliveryQueue<Message> = {
    listDue: ({ limit }) =>
      store.read(async (tx) => {
        const { items } = await tx.list(subscriberHooks, "byDue", { to: [clock.now() + 1], limit });
        return items.map(({ id, subscriberId }) => ({ id, kind: "webhook", to: subscriberId }));
      }),
    claim: (id) => store.transact((tx) => claim(tx, deps, id)),
    settle: ({ id, attempts, message }, outcome) =>
      store.transact((tx) => settle(tx, deps, { id, attempts, outcome, status: message?.exchange.status })),
  };
  const words = { noun: "event", waits: "sending is disabled here", unreadable: "" } as const;
  const sender = { send: (message: Message) => send(deps, message) };
  return createDelivery({ queue, log, words, atOnce: AT_ONCE, sender: () => sender });
}
