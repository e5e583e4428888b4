/**
 * Asks addresses whether they want to follow a page, on request of anonymous visitors: it does not reveal who follows
 * already.
 */
import { AppError } from "../../../kit/errors.ts";
import { newId } from "../../../kit/secrets/id.ts";
import { newWebhookSecret } from "../../../kit/secrets/webhook-signature.ts";
import { outboxCollection } from "../../../records/outbox-record.ts";
import type { ReadTx, Tx } from "../../../store/store.ts";
import type { StatusPageRecord } from "../schema.ts";
import { statusPages } from "../records.ts";
import type { MailingDeps } from "./deps.ts";
import { writeHook } from "./hooks.ts";
import { findPageUrl, toSubscriptionUrl } from "./links.ts";
import { askingMail } from "./mails.ts";
import { ASK_AGAIN_MS, type SubscriptionQuota } from "./quota.ts";
import { subscribers } from "./records.ts";
import {
  MAX_PENDING,
  MAX_SUBSCRIBERS,
  MAX_WEBHOOKS,
  type SubscriberRecord,
  type SubscriptionRequest,
  type SubscriptionWay,
} from "./schema.ts";
import { findComponentFault, toAddress } from "./subscribers.ts";
import { sealSecret } from "./secrets.ts";
import type { SiteLook } from "./site-look.ts";

const DAY_MS = 86_400_000;
/** A pending one is forgotten then. */
const PENDING_MS = 3 * DAY_MS;
const ASK_TTL_SECONDS = 24 * 3_600;
/** Mails that ask and wait: beyond that the mail server does not keep up, and what the owner sends goes first. */
const MAX_WAITING_ASKS = 200;

/** Why a page cannot be followed this way now; undefined if it can. */
export type FollowFault = "switched_off" | "no_mail_server" | "no_address";

/** Data for a page's form. */
export async function findFollowFault(
  { address, findMailServer }: Pick<MailingDeps, "address" | "findMailServer">,
  page: StatusPageRecord,
  way: SubscriptionWay,
): Promise<FollowFault | undefined> {
  if (!page.subscribers[way]) return "switched_off";
  if (findPageUrl(address, page) === undefined) return "no_address";
  return way === "mail" && !(await findMailServer()) ? "no_mail_server" : undefined;
}

const faultWords: Readonly<Record<FollowFault, string>> = {
  switched_off: "This type of subscription is disabled for this page",
  no_mail_server:
    "Emails cannot be sent, because no mail server is configured in the settings of the monitor",
  no_address: "The public URL of the monitor is not set, which links in emails require",
};

/** Throws when the page has no room for another subscriber. */
async function checkRoom(tx: ReadTx, pageId: string, way: SubscriptionWay): Promise<void> {
  const isFull =
    (await tx.count(subscribers, "byPage", { prefix: [pageId] })) >= MAX_SUBSCRIBERS ||
    (await tx.count(subscribers, "byState", { prefix: [pageId, "pending"] })) >= MAX_PENDING ||
    (way === "webhook" && (await tx.count(subscribers, "byWay", { prefix: [pageId, way] })) >= MAX_WEBHOOKS);
  if (isFull)
    throw new AppError(
      "conflict",
      "This page has the maximum number of subscribers. Use its feed, or contact the owner of the page",
    );
  const waiting = { prefix: ["status-confirm", "waiting"] };
  if (way === "mail" && (await tx.count(outboxCollection, "byKindState", waiting)) >= MAX_WAITING_ASKS)
    throw new AppError("unavailable", "Too many emails are waiting to be sent. Try again later", {
      retryAfterSeconds: 600,
    });
}

export interface Asking {
  /**
   * Sends a confirmation request; behaves the same for a known address. Throws `invalid`, `conflict`, `rate_limited`,
   * `unavailable`, `not_found`.
   */
  ask(pageId: string, given: { request: SubscriptionRequest; clientAddress: string }): Promise<void>;
}

export function createAsking(
  deps: MailingDeps & {
    readonly quota: SubscriptionQuota;
    readonly look: SiteLook;
    readonly wake: () => void;
  },
): Asking {
  const { store, clock, box, outbox, address, quota, look } = deps;

  /** Writes the question, or what is said to who follows already. */
  async function write(tx: Tx, page: StatusPageRecord, subscriber: SubscriberRecord): Promise<void> {
    const pageUrl = findPageUrl(address, page);
    if (pageUrl === undefined) return;
    if (subscriber.way === "webhook") {
      if (subscriber.state === "pending") await writeHook(tx, deps, { subscriberId: subscriber.id });
      return;
    }
    const url = toSubscriptionUrl(box, { pageUrl, id: subscriber.id });
    const { address: to, language } = subscriber;
    const mail = askingMail(
      { to, language, isKnown: subscriber.state === "active" },
      { look: look.of(page), url },
    );
    await outbox.enqueue(tx, { ...mail, thread: subscriber.id, ttlSeconds: ASK_TTL_SECONDS });
  }

  async function take(tx: Tx, page: StatusPageRecord, request: SubscriptionRequest): Promise<void> {
    const now = clock.now();
    const { way, componentIds, language } = request;
    const to = toAddress(way, request.address);
    const found = await tx.by(subscribers, "address", [page.id, way, to]);
    if (found === undefined) {
      const made = await tx.insert(subscribers, {
        id: newId("sub", now),
        pageId: page.id,
        way,
        address: to,
        componentIds,
        language,
        state: "pending",
        createdAt: now,
        askedAt: now,
        expiresAt: now + PENDING_MS,
        ...(way === "webhook" ? { secret: sealSecret(box, newWebhookSecret()) } : {}),
      });
      return write(tx, page, made);
    }
    if (now - (found.askedAt ?? 0) < ASK_AGAIN_MS) return;
    // Only an unconfirmed subscription can be changed by the form: confirmed ones cannot be touched by others.
    const changed = found.state === "pending" ? { componentIds, language, expiresAt: now + PENDING_MS } : {};
    await write(tx, page, await tx.put(subscribers, { ...found, ...changed, askedAt: now }));
  }

  return {
    ask: async (pageId, { request, clientAddress }) => {
      const { way } = request;
      const found = await store.read((tx) => tx.get(statusPages, pageId));
      if (found?.published !== true) throw new AppError("not_found", "This status page does not exist");
      const fault = await findFollowFault(deps, found, way);
      if (fault !== undefined)
        throw new AppError(fault === "switched_off" ? "not_found" : "unavailable", faultWords[fault]);
      findComponentFault(found, request.componentIds);
      const isWanted = quota.take({ clientAddress, way, address: toAddress(way, request.address), pageId });
      await store.transact(async (tx) => {
        const page = await tx.get(statusPages, pageId);
        if (page === undefined) return;
        await checkRoom(tx, pageId, way);
        if (isWanted) await take(tx, page, request);
      });
      deps.wake();
    },
  };
}
