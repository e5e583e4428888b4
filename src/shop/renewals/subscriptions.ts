/** What buyers and administrators do with subscriptions: look, cancel, undo that, extend. */
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { type ExpectedVersion, assertVersion } from "../../records/versions.ts";
import { AppError } from "../../kit/errors.ts";
import { listEvery } from "../../store/every-page.ts";
import { scanMatches } from "../../store/matching-page.ts";
import type { Page, PageOptions, ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { orders } from "../orders/records.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { openProvider } from "../payments/services/open-provider.ts";
import { createTools } from "../payments/services/tools.ts";
import { readSite } from "../site/settings.ts";
import { renewals, subscriptions } from "../subscriptions/records.ts";
import type { RenewalRecord, SubscriptionRecord, SubscriptionState } from "../subscriptions/schema.ts";
import { withEvent, withTold } from "../subscriptions/settle.ts";
import { countRenewing, mailRenewal } from "./mails.ts";
import type { RenewalDeps, RenewalOrders } from "./renewal-orders.ts";
import { toUnitPrice } from "./renewal-price.ts";

/** A subscription with what belongs to it. */
export interface ShownSubscription {
  readonly subscription: SubscriptionRecord;
  readonly first: OrderRecord | undefined;
  readonly renewals: readonly RenewalRecord[];
  /** Of one license for the next period. */
  readonly price: number;
  /** Licenses that renew, or renewed until the end. */
  readonly quantity: number;
}

export interface SubscriptionQuery extends PageOptions {
  readonly state?: SubscriptionState | undefined;
  readonly orderId?: string | undefined;
}

type Deps = RenewalDeps & Pick<ShopDeps, "paymentOutbound">;

/** Subscriptions for their buyers and for administrators. */
export class Subscriptions {
  readonly #deps: Deps;
  readonly #orders: RenewalOrders;

  constructor(deps: Deps, renewalOrders: RenewalOrders) {
    this.#deps = deps;
    this.#orders = renewalOrders;
  }

  /** The newest first; a page may be short and still have a cursor. Throws `bad_cursor`. */
  list({ state, orderId, limit, cursor }: SubscriptionQuery): Promise<Page<ShownSubscription>> {
    return this.#deps.store.read(async (tx) => {
      const [index, prefix]: [keyof typeof subscriptions.ordered, string[]] =
        orderId !== undefined
          ? ["byOrder", [orderId]]
          : state === undefined
            ? ["byTime", []]
            : ["byState", [state]];
      const page = await scanMatches({
        read: (range) => tx.list(subscriptions, index, { ...range, prefix, reverse: true }),
        isWanted: (one: SubscriptionRecord) => state === undefined || one.state === state,
        limit,
        cursor,
      });
      const items: ShownSubscription[] = [];
      for (const subscription of page.items) items.push(await this.#show(tx, subscription));
      return { ...page, items };
    });
  }

  /** Throws `not_found`. */
  get(id: string): Promise<ShownSubscription> {
    return this.#deps.store.read(async (tx) => this.#show(tx, await this.#get(tx, id)));
  }

  /** The subscriptions that an order began or renews. */
  ofOrder(order: Pick<OrderRecord, "id" | "lines">): Promise<ShownSubscription[]> {
    return this.#deps.store.read(async (tx) => {
      const begun = await listEvery(tx, subscriptions, { index: "byOrder", range: { prefix: [order.id] } });
      const ids = order.lines.flatMap(({ renewal }) =>
        renewal === undefined ? [] : [renewal.subscriptionId],
      );
      const shown: ShownSubscription[] = [];
      for (const subscription of begun) shown.push(await this.#show(tx, subscription));
      for (const id of ids) {
        const subscription = await tx.get(subscriptions, id);
        if (subscription !== undefined) shown.push(await this.#show(tx, subscription));
      }
      return shown;
    });
  }

  /** The order of a renewal. Throws `not_found`. */
  orderOf({ orderId }: RenewalRecord): Promise<OrderRecord> {
    return this.#deps.store.read(async (tx) => {
      const order = await tx.get(orders, orderId);
      if (order === undefined) throw new AppError("not_found", "There is no such order");
      return order;
    });
  }

  /** The buyer of an order cancels, with effect at the end of the paid period. Once more changes nothing. Throws `not_found`. */
  async cancelOfOrder(order: Pick<OrderRecord, "id" | "lines">, id: string): Promise<SubscriptionRecord> {
    await this.#assertOf(order, id);
    return this.#deps.store.transact(async (tx) => this.#cancel(tx, await this.#get(tx, id), "buyer"));
  }

  /** The buyer undoes that before the end. Throws `not_found`, `conflict`. */
  async resumeOfOrder(order: Pick<OrderRecord, "id" | "lines">, id: string): Promise<SubscriptionRecord> {
    await this.#assertOf(order, id);
    return this.#deps.store.transact(async (tx) => this.#resume(tx, await this.#get(tx, id), "buyer"));
  }

  /** A page of the service where the buyer changes the card. Throws `not_found`, `conflict`, `unavailable`. */
  async manageOfOrder(
    order: Pick<OrderRecord, "id" | "lines">,
    { id, returnUrl }: { readonly id: string; readonly returnUrl: string },
  ): Promise<string> {
    await this.#assertOf(order, id);
    const { store, box } = this.#deps;
    const { remote, open } = await store.read(async (tx) => {
      const subscription = await this.#get(tx, id);
      const { paymentProviders } = await readSite(tx);
      const provider = paymentProviders.find(({ word }) => word === subscription.remote?.provider);
      return { remote: subscription.remote, open: provider && openProvider(box, provider) };
    });
    if (remote === undefined || open?.kind.subscriptions === undefined)
      throw new AppError("conflict", "This subscription is not charged automatically");
    const about = { state: remote.state, returnUrl };
    return open.kind.subscriptions
      .manage(open.setup, about, createTools(this.#deps))
      .catch((error: unknown) => {
        this.#deps.log.warn("The page for payment methods could not be opened", {
          subscriptionId: id,
          error,
        });
        throw new AppError("unavailable", "The payment provider is unavailable. Try again later", {
          retryAfterSeconds: 60,
        });
      });
  }

  /** An administrator cancels. Throws `not_found`, `version_conflict`, `stale_version`. */
  cancel(id: string, about: ExpectedVersion & { readonly actor: AuditActor }): Promise<ShownSubscription> {
    return this.#byStaff(id, { action: "subscription.cancel", ...about }, (tx, subscription, by) =>
      this.#cancel(tx, subscription, by),
    );
  }

  /** An administrator undoes a cancellation. Throws as {@link cancel}, and `conflict`. */
  resume(id: string, about: ExpectedVersion & { readonly actor: AuditActor }): Promise<ShownSubscription> {
    return this.#byStaff(id, { action: "subscription.resume", ...about }, (tx, subscription, by) =>
      this.#resume(tx, subscription, by),
    );
  }

  /**
   * An administrator gives more time: the paid period ends then, and the next ones are counted from there.
   * Throws as {@link cancel}, and `conflict`, `invalid`.
   */
  extend(
    id: string,
    { paidUntil, ...about }: ExpectedVersion & { readonly actor: AuditActor; readonly paidUntil: number },
  ): Promise<ShownSubscription> {
    const changes = [`paidUntil: ${new Date(paidUntil).toISOString()}`];
    return this.#byStaff(id, { action: "subscription.extend", changes, ...about }, (tx, subscription, by) =>
      this.#extend(tx, subscription, { paidUntil, by }),
    );
  }

  async #byStaff(
    id: string,
    {
      actor,
      action,
      changes = [],
      ...expected
    }: ExpectedVersion & {
      readonly actor: AuditActor;
      readonly action: string;
      readonly changes?: readonly string[];
    },
    work: (tx: Tx, subscription: SubscriptionRecord, by: string) => Promise<SubscriptionRecord>,
  ): Promise<ShownSubscription> {
    const { store, clock } = this.#deps;
    return store.transact(async (tx) => {
      const before = await this.#get(tx, id);
      assertVersion(before.version, expected, "subscription");
      const changed = await work(tx, before, actor.name);
      await writeAudit(
        tx,
        { actor, action, target: id, changes: [`number: ${before.number}`, ...changes] },
        clock,
      );
      return this.#show(tx, changed);
    });
  }

  async #get(tx: ReadTx, id: string): Promise<SubscriptionRecord> {
    const subscription = await tx.get(subscriptions, id);
    if (subscription === undefined) throw new AppError("not_found", "This subscription does not exist");
    return subscription;
  }

  async #assertOf(order: Pick<OrderRecord, "id" | "lines">, id: string): Promise<void> {
    const own = await this.ofOrder(order);
    if (!own.some(({ subscription }) => subscription.id === id))
      throw new AppError("not_found", "This subscription does not exist");
  }

  async #show(tx: ReadTx, subscription: SubscriptionRecord): Promise<ShownSubscription> {
    const range = { prefix: [subscription.id] };
    return {
      subscription,
      first: await tx.get(orders, subscription.orderId),
      renewals: await listEvery(tx, renewals, { index: "bySubscription", range }),
      price: toUnitPrice(subscription, subscription.paidUntil),
      quantity: await countRenewing(tx, subscription),
    };
  }

  async #cancel(tx: Tx, subscription: SubscriptionRecord, by: string): Promise<SubscriptionRecord> {
    const deps = this.#deps;
    const { state } = subscription;
    if (state === "canceled" || state === "ended") return subscription;
    const atMs = deps.clock.now();
    const canceled: SubscriptionRecord = { ...subscription, state: "canceled", canceledAt: atMs };
    const noted = withEvent(canceled, { at: atMs, by, event: "canceled" });
    const stored = await tx.put(subscriptions, withTold(noted, atMs));
    // At once, so that a canceled period cannot be paid.
    const closed = stored.open === undefined ? stored : await this.#orders.close(tx, stored, "canceled");
    await this.#orders.expirePaid(tx, closed);
    const first = await tx.get(orders, closed.orderId);
    if (first !== undefined)
      await mailRenewal(tx, deps, { kind: "renewal_canceled", subscription: closed, first });
    return closed;
  }

  async #resume(tx: Tx, subscription: SubscriptionRecord, by: string): Promise<SubscriptionRecord> {
    const deps = this.#deps;
    const atMs = deps.clock.now();
    const { state, paidUntil, remote } = subscription;
    if (state === "active" || state === "past_due") return subscription;
    if (state === "ended" || paidUntil <= atMs)
      throw new AppError("conflict", "This subscription has ended. Place a new order");
    const { canceledAt: _canceled, ...kept } = subscription;
    // What ended at the service cannot begin again there.
    const way = remote?.isOver === true ? "invoice" : subscription.way;
    const active: SubscriptionRecord = { ...kept, state: "active", way };
    const noted = withEvent(active, { at: atMs, by, event: "resumed" });
    const stored = await tx.put(subscriptions, withTold(noted, atMs));
    const first = await tx.get(orders, stored.orderId);
    if (first !== undefined)
      await mailRenewal(tx, deps, { kind: "renewal_resumed", subscription: stored, first });
    return stored;
  }

  async #extend(
    tx: Tx,
    subscription: SubscriptionRecord,
    { paidUntil, by }: { readonly paidUntil: number; readonly by: string },
  ): Promise<SubscriptionRecord> {
    const atMs = this.#deps.clock.now();
    if (subscription.state === "ended")
      throw new AppError(
        "conflict",
        "This subscription has ended. Change the expiry of its licenses instead",
      );
    if (paidUntil <= Math.max(atMs, subscription.paidUntil))
      throw new AppError("invalid", "The new end must be after the present one", {
        errors: [{ pointer: "/paidUntil", code: "invalid", message: "must be later" }],
      });
    // The renewal of the period that is now free is not to be paid.
    const open =
      subscription.open === undefined ? subscription : await this.#orders.close(tx, subscription, "canceled");
    const state = open.state === "past_due" ? "active" : open.state;
    const extended: SubscriptionRecord = {
      ...open,
      state,
      anchorAt: paidUntil,
      paid: 0,
      paidUntil,
      graceUntil: undefined,
    };
    const noted = withEvent(extended, { at: atMs, by, event: "extended" });
    const stored = await tx.put(subscriptions, withTold(noted, atMs));
    await this.#orders.expirePaid(tx, stored);
    return stored;
  }
}
