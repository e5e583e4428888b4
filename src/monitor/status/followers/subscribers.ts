/** Followers of a page: found by the links of their emails, changed and ended there. */
import { AppError } from "../../../kit/errors.ts";
import { outboxCollection } from "../../../records/outbox-record.ts";
import type { ReadTx, Tx } from "../../../store/store.ts";
import type { Language } from "../../../kit/text/languages.ts";
import { statusPages } from "../records.ts";
import type { StatusPageRecord } from "../schema.ts";
import type { FollowersDeps } from "./deps.ts";
import { isSubscriptionToken } from "./links.ts";
import { subscriberHooks, subscribers } from "./records.ts";
import type { SubscriberRecord, SubscriptionWay } from "./schema.ts";
import { openSecret } from "./secrets.ts";

/** How many waiting messages of one subscriber are removed at once; further ones follow in steps. */
const ENDED_AT_ONCE = 200;

/** The normalized form in which an address is stored. */
export function toAddress(way: SubscriptionWay, address: string): string {
  return way === "mail" ? address.trim().toLowerCase() : new URL(address).href;
}

/** Refuses components that the page does not have. @throws AppError `invalid` */
export function findComponentFault(page: Pick<StatusPageRecord, "components">, ids: readonly string[]): void {
  const known = new Set(page.components.map(({ id }) => id));
  if (ids.every((id) => known.has(id))) return;
  const errors = [
    { pointer: "/componentIds", code: "invalid", message: "must be IDs of components of this page" },
  ];
  throw new AppError("invalid", "A component does not belong to this status page", { errors });
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

/** A subscription as its link shows it. */
export interface Subscription {
  /** Undefined: it has ended, or was forgotten. */
  readonly subscriber: SubscriberRecord | undefined;
  readonly page: StatusPageRecord | undefined;
  /** Of a webhook: what its requests are signed with. */
  readonly secret: string | undefined;
}

/** A subscriber, with proof that the caller received its email. */
export interface SubscriptionName {
  readonly id: string;
  readonly token: string;
}

/** Creates what the links of mails lead to. Each throws `not_found` for a token that is not that of the id. */
export function createSubscriptions({ store, clock, box }: Pick<FollowersDeps, "store" | "clock" | "box">) {
  function check(name: SubscriptionName): void {
    if (isSubscriptionToken(box, name)) return;
    throw new AppError("not_found", "The link is incomplete. Copy the whole link from the email");
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
    /** Confirms; a second time changes nothing. */
    confirm: (name: SubscriptionName): Promise<Subscription> =>
      change(name, async (tx, { subscriber }) => {
        if (subscriber?.state !== "pending") return;
        const { expiresAt: _over, ...rest } = subscriber;
        const active = { state: "active", consent: "address", activeSince: clock.now() } as const;
        await tx.put(subscribers, { ...rest, ...active });
      }),
    /** Changes its components; those that the page no longer has are omitted. */
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
