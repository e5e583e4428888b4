/** Who follows a page: found by the links of their mails, changed and ended there; and as administrators keep them. */
import { AppError } from "../../../kit/errors.ts";
import { isMailAddress } from "../../../kit/mail/mail.ts";
import { findUrlFault } from "../../../kit/outbound/outbound.ts";
import { newId } from "../../../kit/secrets/id.ts";
import { newWebhookSecret } from "../../../kit/secrets/webhook-signature.ts";
import { toCsvLine } from "../../../kit/text/csv-line.ts";
import { toIsoTime, toIsoTimeIfAny } from "../../../kit/text/iso-time.ts";
import { type AuditActor, writeAudit } from "../../../records/audit.ts";
import { outboxCollection } from "../../../records/outbox-record.ts";
import type { Page, PageOptions, ReadTx, Tx } from "../../../store/store.ts";
import type { Language } from "../../labels.ts";
import { getPage } from "../pages.ts";
import { statusPages } from "../records.ts";
import type { StatusPageRecord } from "../schema.ts";
import type { FollowersDeps } from "./deps.ts";
import { isSubscriptionToken } from "./links.ts";
import { subscriberHooks, subscribers } from "./records.ts";
import {
  type AddedSubscriber,
  MAX_SUBSCRIBERS,
  MAX_WEBHOOKS,
  type SubscriberRecord,
  type SubscriberView,
  type SubscriptionWay,
} from "./schema.ts";
import { openSecret, sealSecret } from "./secrets.ts";

/** What waits for one subscriber, at most; further ones go by and by. */
const ENDED_AT_ONCE = 200;
const EXPORTED_AT_ONCE = 500;

/** An address as it is stored, so that it is the same however somebody writes it. */
export function toAddress(way: SubscriptionWay, address: string): string {
  return way === "mail" ? address.trim().toLowerCase() : new URL(address).href;
}

/** Refuses components that the page does not have. @throws AppError `invalid` */
export function findComponentFault(page: Pick<StatusPageRecord, "components">, ids: readonly string[]): void {
  const known = new Set(page.components.map(({ id }) => id));
  if (ids.every((id) => known.has(id))) return;
  const errors = [{ pointer: "/componentIds", code: "invalid", message: "must be components of this page" }];
  throw new AppError("invalid", "The page has no such component", { errors });
}

/** Removes a subscriber with all that waits for it. */
export async function endSubscriber(tx: Tx, { id }: Pick<SubscriberRecord, "id">): Promise<void> {
  await tx.remove(subscribers, id);
  const waiting = { prefix: [id, "waiting"], limit: ENDED_AT_ONCE };
  for (const mail of (await tx.list(outboxCollection, "byThread", waiting)).items)
    await tx.remove(outboxCollection, mail.id);
  const hooks = { prefix: [id], limit: ENDED_AT_ONCE };
  for (const hook of (await tx.list(subscriberHooks, "bySubscriber", hooks)).items)
    await tx.remove(subscriberHooks, hook.id);
}

/** What somebody sees who has the link. */
export interface Subscription {
  /** Undefined: it has ended, or was forgotten. */
  readonly subscriber: SubscriberRecord | undefined;
  readonly page: StatusPageRecord | undefined;
  /** Of a webhook: what its requests are signed with. */
  readonly secret: string | undefined;
}

/** Which subscriber, with what proves that somebody has its mail. */
export interface SubscriptionName {
  readonly id: string;
  readonly token: string;
}

/** Makes what the links of mails lead to. Each throws `not_found` for a token that is not that of the id. */
export function createSubscriptions({ store, clock, box }: Pick<FollowersDeps, "store" | "clock" | "box">) {
  function check(name: SubscriptionName): void {
    if (isSubscriptionToken(box, name)) return;
    throw new AppError("not_found", "This address is not whole: copy all of it from the mail");
  }

  async function read(tx: ReadTx, { id }: SubscriptionName): Promise<Subscription> {
    const found = await tx.get(subscribers, id);
    const isOver = (found?.expiresAt ?? Number.POSITIVE_INFINITY) <= clock.now();
    const page = found && (await tx.get(statusPages, found.pageId));
    if (found === undefined || isOver || page === undefined)
      return { subscriber: undefined, page, secret: undefined };
    return { subscriber: found, page, secret: openSecret(box, found.secret) };
  }

  async function change(
    name: SubscriptionName,
    work: (tx: Tx, subscription: Subscription) => Promise<void>,
  ): Promise<Subscription> {
    check(name);
    return store.transact(async (tx) => {
      await work(tx, await read(tx, name));
      return read(tx, name);
    });
  }

  return {
    find: async (name: SubscriptionName): Promise<Subscription> => {
      check(name);
      return store.read((tx) => read(tx, name));
    },
    /** Says yes; a second time changes nothing. */
    confirm: (name: SubscriptionName): Promise<Subscription> =>
      change(name, async (tx, { subscriber }) => {
        if (subscriber?.state !== "pending") return;
        const { expiresAt: _over, ...rest } = subscriber;
        const active = { state: "active", consent: "address", activeSince: clock.now() } as const;
        await tx.put(subscribers, { ...rest, ...active });
      }),
    /** Changes what it is about; what the page does not have any more is left out. */
    change: (
      name: SubscriptionName,
      { componentIds, language }: { componentIds: readonly string[]; language: Language },
    ): Promise<Subscription> =>
      change(name, async (tx, { subscriber, page }) => {
        if (subscriber === undefined || page === undefined) return;
        const known = page.components.flatMap(({ id }) =>
          id !== undefined && componentIds.includes(id) ? [id] : [],
        );
        // All of them is the page as it will be, too.
        const chosen = known.length === page.components.length ? [] : known;
        await tx.put(subscribers, { ...subscriber, componentIds: chosen, language });
      }),
    /** Ends it, with all that waits; what has ended stays so. */
    end: (name: SubscriptionName): Promise<Subscription> =>
      change(name, async (tx, { subscriber }) => {
        if (subscriber !== undefined) await endSubscriber(tx, subscriber);
      }),
  };
}

export type Subscriptions = ReturnType<typeof createSubscriptions>;

function toView(record: SubscriberRecord): SubscriberView {
  const { id, way, address, componentIds, language, state, consent, createdAt, activeSince } = record;
  return {
    ...{ id, way, address, componentIds: [...componentIds], language, state, consent },
    createdAt: toIsoTime(createdAt),
    activeSince: toIsoTimeIfAny(activeSince),
    failingSince: toIsoTimeIfAny(record.failing?.since),
  };
}

function checkAddress(way: SubscriptionWay, address: string): void {
  const isRight =
    way === "mail"
      ? isMailAddress(address)
      : address.startsWith("https://") && findUrlFault(address) === undefined;
  if (isRight) return;
  const message = way === "mail" ? "must be one plain e-mail address" : "must begin with https://";
  const errors = [{ pointer: "/address", code: "invalid", message }];
  throw new AppError("invalid", "The address cannot be used", { errors });
}

/** How many follow a page. */
export interface SubscriberCounts {
  readonly active: number;
  readonly pending: number;
}

const csvHead = ["address", "way", "state", "language", "components", "consent", "since"];

/** Makes the administration of subscribers. */
export function createSubscriberAdmin({ store, clock, box }: Pick<FollowersDeps, "store" | "clock" | "box">) {
  async function readCsv(tx: ReadTx, pageId: string): Promise<string> {
    const page = await getPage(tx, pageId);
    const names = new Map(page.components.map(({ id, name }) => [id, name]));
    const lines = [toCsvLine(csvHead)];
    let cursor: string | undefined;
    do {
      const range = { prefix: [pageId], limit: EXPORTED_AT_ONCE, cursor };
      const found: Page<SubscriberRecord> = await tx.list(subscribers, "byPage", range);
      for (const record of found.items) {
        const { address, way, state, language, componentIds, consent = "", activeSince } = toView(record);
        const components = componentIds.map((id) => names.get(id) ?? id).join("; ");
        lines.push(toCsvLine([address, way, state, language, components, consent, activeSince ?? ""]));
      }
      cursor = found.nextCursor;
    } while (cursor !== undefined);
    return lines.join("");
  }

  return {
    /** The newest first, with how many there are. @throws AppError `not_found`, StoreError `bad_cursor` */
    list: (pageId: string, { state, ...page }: PageOptions & { state?: "pending" | "active" | undefined }) =>
      store.read(async (tx): Promise<Page<SubscriberView> & { counts: SubscriberCounts }> => {
        await getPage(tx, pageId);
        const [index, prefix] =
          state === undefined ? (["byPage", [pageId]] as const) : (["byState", [pageId, state]] as const);
        const { items, nextCursor } = await tx.list(subscribers, index, { ...page, prefix, reverse: true });
        const count = (of: string): Promise<number> =>
          tx.count(subscribers, "byState", { prefix: [pageId, of] });
        const counts = { active: await count("active"), pending: await count("pending") };
        return { items: items.map(toView), nextCursor, counts };
      }),
    /**
     * Adds one that has said yes elsewhere; a pending one says it by this. Gives the secret of a webhook, which is
     * shown to who has its link too.
     * @throws AppError `not_found`, `invalid`, `already_exists`, `conflict`
     */
    add: (pageId: string, given: AddedSubscriber, actor: AuditActor) => {
      const { way, componentIds, language } = given;
      checkAddress(way, given.address);
      const address = toAddress(way, given.address);
      return store.transact(async (tx): Promise<SubscriberView & { secret?: string }> => {
        const page = await getPage(tx, pageId);
        findComponentFault(page, componentIds);
        const found = await tx.by(subscribers, "address", [pageId, way, address]);
        if (found?.state === "active")
          throw new AppError("already_exists", "This address follows the page already");
        if (found !== undefined) await endSubscriber(tx, found);
        const isFull =
          (await tx.count(subscribers, "byPage", { prefix: [pageId] })) >= MAX_SUBSCRIBERS ||
          (way === "webhook" &&
            (await tx.count(subscribers, "byWay", { prefix: [pageId, way] })) >= MAX_WEBHOOKS);
        if (isFull) throw new AppError("conflict", "The page has as many followers as it can have");
        const now = clock.now();
        const secret = way === "webhook" ? newWebhookSecret() : undefined;
        const record = await tx.insert(subscribers, {
          ...{ id: newId("sub", now), pageId, way, address, componentIds },
          ...{ state: "active", consent: "administrator", createdAt: now, activeSince: now },
          language: language ?? page.language,
          ...(secret === undefined ? {} : { secret: sealSecret(box, secret) }),
        });
        const changes = [`way: ${way}`, `page: ${page.slug}`];
        await writeAudit(tx, { actor, action: "subscriber.add", target: record.id, changes }, clock);
        return { ...toView(record), ...(secret === undefined ? {} : { secret }) };
      });
    },
    /** Ends one. @throws AppError `not_found` */
    remove: (pageId: string, id: string, actor: AuditActor): Promise<void> =>
      store.transact(async (tx) => {
        const found = await tx.get(subscribers, id);
        if (found?.pageId !== pageId)
          throw new AppError("not_found", `Nobody of id "${id}" follows this page`);
        await endSubscriber(tx, found);
        const changes = [`way: ${found.way}`];
        await writeAudit(tx, { actor, action: "subscriber.remove", target: id, changes }, clock);
      }),
    /** All, the oldest first, as CSV. @throws AppError `not_found` */
    export: (pageId: string, actor: AuditActor): Promise<string> =>
      store.transact(async (tx) => {
        await writeAudit(tx, { actor, action: "subscriber.export", target: pageId }, clock);
        return readCsv(tx, pageId);
      }),
  };
}

export type SubscriberAdmin = ReturnType<typeof createSubscriberAdmin>;
