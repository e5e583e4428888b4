/** The job of subscriptions: each step in its own transaction, once, whichever node takes it. */
import type { Tx } from "../../store/store.ts";
import { awaitsPayment } from "../orders/order.ts";
import { orders } from "../orders/records.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { listLedger } from "../payments/ledger.ts";
import { openProvider } from "../payments/services/open-provider.ts";
import { products } from "../products/records.ts";
import { toRenewalTerms } from "../products/license-schema.ts";
import type { SiteSettings } from "../site/schema.ts";
import { readSite } from "../site/settings.ts";
import { subscriptions } from "../subscriptions/records.ts";
import type { SubscriptionRecord } from "../subscriptions/schema.ts";
import { expireLicensesAt, withEvent } from "../subscriptions/settle.ts";
import type { VatVerdict } from "../tax/vat-checks.ts";
import { type RenewalMail, mailRenewal } from "./mails.ts";
import { runDue } from "../base/due.ts";
import type { RenewalDeps, RenewalOrders } from "./renewal-orders.ts";
import { findNextStep, toGraceEnd, toInvoiceAt } from "./schedule.ts";

const BATCH = 200;
/** Steps of one subscription in a run; more than there can be. */
const MAX_STEPS = 20;
const HOUR_MS = 3_600_000;
/** When the service is queried first about the charge of a period. */
const ASK_AFTER_MS = 2 * HOUR_MS;
/** After a failure. */
const AGAIN_MS = 10 * 60_000;

/** Runs what is due. */
export class RenewalJobs {
  readonly #deps: RenewalDeps;
  readonly #orders: RenewalOrders;

  constructor(deps: RenewalDeps, renewalOrders: RenewalOrders) {
    this.#deps = deps;
    this.#orders = renewalOrders;
  }

  /** Does what is due; resolves with how many subscriptions were looked at, at most 200. */
  run(): Promise<number> {
    return runDue(this.#deps, { of: subscriptions, index: "byDue", limit: BATCH }, (id) => this.#one(id));
  }

  async #one(id: string): Promise<void> {
    const { store, clock, log } = this.#deps;
    try {
      for (let turn = 0; turn < MAX_STEPS; turn += 1) if (!(await this.#step(id))) return;
    } catch (error) {
      log.warn("A subscription could not be renewed; retrying", { subscriptionId: id, error });
      await store
        .transact(async (tx) => {
          const present = await tx.get(subscriptions, id);
          if (present !== undefined)
            await tx.put(subscriptions, { ...present, dueAt: clock.now() + AGAIN_MS });
        })
        .catch(() => undefined);
    }
  }

  /** One step, if one is due; else notes when the next one is. True while there is more to do. */
  async #step(id: string): Promise<boolean> {
    const { store, clock } = this.#deps;
    const known = await store.read(async (tx) => {
      const present = await tx.get(subscriptions, id);
      return present && { present, next: findNextStep(present, (await readSite(tx)).renewals) };
    });
    if (known === undefined) return false;
    // Asked before the transaction, for it may take seconds.
    const isOrdered = known.next?.step === "invoice" && known.next.atMs <= clock.now();
    const verdict = isOrdered ? await this.#orders.ask(known.present) : undefined;
    return store.transact(async (tx) => {
      const subscription = await tx.get(subscriptions, id);
      if (subscription === undefined) return false;
      const site = await readSite(tx);
      const next = findNextStep(subscription, site.renewals);
      if (next === undefined || next.atMs > clock.now()) {
        if (subscription.dueAt !== next?.atMs)
          await tx.put(subscriptions, { ...subscription, dueAt: next?.atMs });
        return false;
      }
      // Another node was faster with another step; this one needs its verdict.
      if (next.step === "invoice" && !isOrdered) return true;
      await this.#do(tx, subscription, { step: next.step, site, verdict });
      return true;
    });
  }

  async #do(
    tx: Tx,
    subscription: SubscriptionRecord,
    about: {
      readonly step: NonNullable<ReturnType<typeof findNextStep>>["step"];
      readonly site: SiteSettings;
      readonly verdict: VatVerdict | undefined;
    },
  ): Promise<unknown> {
    const { site, verdict } = about;
    switch (about.step) {
      case "choose":
        return this.#choose(tx, subscription, site);
      case "announce":
        return this.#announce(tx, subscription, site);
      case "invoice":
        return this.#orders.make(tx, subscription, { verdict });
      case "close":
        return this.#orders.close(tx, subscription, "canceled");
      case "end":
        return this.#orders.end(tx, subscription, { reason: "canceled", by: "system" });
      case "grace":
      case "late":
      case "remind":
      case "lapse":
        return this.#unpaid(tx, subscription, about.step);
    }
  }

  /** After the first payment: whether a service charges by itself from now on. */
  async #choose(tx: Tx, subscription: SubscriptionRecord, site: SiteSettings): Promise<void> {
    const atMs = this.#deps.clock.now();
    const remote = await this.#findRemote(tx, subscription, site);
    const way = remote === undefined ? "invoice" : "automatic";
    const event = remote === undefined ? "manual" : "automatic";
    const note = remote?.provider;
    const chosen = withEvent({ ...subscription, way, remote }, { at: atMs, by: "system", event, note });
    await tx.put(subscriptions, remote === undefined ? chosen : { ...chosen, remoteDueAt: atMs });
  }

  async #findRemote(
    tx: Tx,
    { orderId }: SubscriptionRecord,
    site: SiteSettings,
  ): Promise<SubscriptionRecord["remote"]> {
    const ledger = await listLedger(tx, orderId);
    for (const { provider: word, state, type, serviceState } of ledger) {
      const provider = site.paymentProviders.find((one) => one.word === word);
      if (provider === undefined || state !== "applied" || type !== "payment") continue;
      const { kind } = openProvider(this.#deps.box, provider);
      if (kind.subscriptions === undefined || serviceState === undefined) continue;
      return { provider: word, reference: "", state: serviceState, failures: 0 };
    }
    return undefined;
  }

  /** Tells of a changed price in time; what is noticed too late counts for the period after the next. */
  async #announce(tx: Tx, subscription: SubscriptionRecord, site: SiteSettings): Promise<void> {
    const deps = this.#deps;
    const atMs = deps.clock.now();
    const { productId, variantId, paidUntil, terms, nextPrice } = subscription;
    const compared = { ...subscription, comparedFor: paidUntil, dueAt: atMs };
    const product = await tx.get(products, productId);
    const variant = product?.variants.find(({ id }) => id === variantId);
    const isGone = product === undefined || (variantId !== undefined && variant === undefined);
    const offered = isGone ? undefined : toRenewalTerms(product, variant);
    // Also a period that is now of another length is no price of this one.
    const isSame = offered?.every === terms.every && offered.count === terms.count;
    const agreed = nextPrice?.price ?? terms.price;
    const isLate = atMs >= toInvoiceAt(subscription, site.renewals);
    if (offered === undefined || !isSame || offered.price === agreed || isLate) {
      await tx.put(subscriptions, compared);
      return;
    }
    const told = withEvent(
      { ...compared, nextPrice: { price: offered.price, from: paidUntil, toldAt: atMs } },
      { at: atMs, by: "system", event: "price_announced", note: `${terms.price} → ${offered.price}` },
    );
    const stored = await tx.put(subscriptions, told);
    const first = await tx.get(orders, subscription.orderId);
    if (first !== undefined)
      await mailRenewal(tx, deps, { kind: "renewal_price", subscription: stored, first });
  }

  /** The open renewal is not paid, or it was paid, canceled, or changed by a person. */
  async #unpaid(
    tx: Tx,
    subscription: SubscriptionRecord,
    step: "grace" | "late" | "remind" | "lapse",
  ): Promise<void> {
    const atMs = this.#deps.clock.now();
    const { order } = (await this.#orders.findOpen(tx, subscription)) ?? {};
    if (order === undefined || order.status === "canceled") {
      await this.#giveUp(tx, subscription);
      return;
    }
    // Paid, and what it renews waits for a check of the VAT ID.
    const isWaiting = order.status !== "expired" && !awaitsPayment(order);
    const graceEnd = Math.max(toGraceEnd(subscription), order.expiresAt);
    switch (step) {
      case "grace": {
        const graced = await tx.put(subscriptions, {
          ...subscription,
          graceUntil: graceEnd,
          remoteDueAt: subscription.remote === undefined ? undefined : subscription.paidUntil + ASK_AFTER_MS,
          dueAt: atMs,
        });
        await expireLicensesAt(tx, graced, { expiresAt: graceEnd, atMs });
        return;
      }
      case "late": {
        const late: SubscriptionRecord = { ...subscription, state: "past_due" };
        await tx.put(subscriptions, withEvent(late, { at: atMs, by: "system", event: "past_due" }));
        return;
      }
      case "remind":
        return this.#remind(tx, subscription, isWaiting ? undefined : order);
      case "lapse": {
        if (isWaiting) {
          const graceUntil = atMs + 24 * HOUR_MS;
          const graced = await tx.put(subscriptions, { ...subscription, graceUntil, dueAt: atMs });
          await expireLicensesAt(tx, graced, { expiresAt: graceUntil, atMs });
          return;
        }
        const closed = await this.#orders.close(tx, subscription, "unpaid");
        await this.#orders.end(tx, closed, { reason: "unpaid", by: "system" });
      }
    }
  }

  /** The order of the renewal was canceled: the subscription ends with the paid period. */
  async #giveUp(tx: Tx, subscription: SubscriptionRecord): Promise<void> {
    const deps = this.#deps;
    const atMs = deps.clock.now();
    const canceled: SubscriptionRecord = { ...subscription, state: "canceled", canceledAt: atMs };
    const noted = withEvent(canceled, { at: atMs, by: "system", event: "canceled" });
    const stored = await tx.put(subscriptions, { ...noted, graceUntil: undefined });
    await this.#orders.expirePaid(tx, stored);
    const first = await tx.get(orders, stored.orderId);
    if (first !== undefined)
      await mailRenewal(tx, deps, { kind: "renewal_canceled", subscription: stored, first });
  }

  async #remind(tx: Tx, subscription: SubscriptionRecord, order: OrderRecord | undefined): Promise<void> {
    const deps = this.#deps;
    const atMs = deps.clock.now();
    const counted = { ...subscription, reminders: subscription.reminders + 1 };
    if (order === undefined) {
      await tx.put(subscriptions, { ...counted, dueAt: atMs });
      return;
    }
    const { renewal } = (await this.#orders.findOpen(tx, subscription)) ?? {};
    const first = await tx.get(orders, subscription.orderId);
    const noted = withEvent(counted, { at: atMs, by: "system", event: "reminded", note: order.number });
    // Where the service is still at it, there is nothing that the buyer could do.
    const isAtService = subscription.way === "automatic" && renewal?.failedAt === undefined;
    const stored = await tx.put(subscriptions, isAtService ? { ...counted, dueAt: atMs } : noted);
    if (isAtService) return;
    const kind: RenewalMail["kind"] = renewal?.failedAt === undefined ? "renewal_unpaid" : "renewal_failed";
    const payUrl = renewal?.payUrl;
    if (first !== undefined)
      await mailRenewal(tx, deps, { kind, subscription: stored, first, order, payUrl });
  }
}
