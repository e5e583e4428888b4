/** The order of a renewal: made once for each period, at the price of the subscription and with the tax of the day. */
import { isMailAddress } from "../../kit/mail/mail.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { type Priced, findVatQuestion } from "../checkout/quote.ts";
import { chooseMethod, toNewOrder } from "../checkout/to-order.ts";
import { commitMove, settle } from "../orders/effects.ts";
import { cancelOrder, expireOrder } from "../orders/order.ts";
import { orders } from "../orders/records.ts";
import type { OrderRecord } from "../orders/schema.ts";
import type { PaymentStarts } from "../payments/services/begin.ts";
import { listOffered } from "../payments/services/offered.ts";
import type { SiteSettings } from "../site/schema.ts";
import { readSite } from "../site/settings.ts";
import { toPaidUntil } from "../subscriptions/periods.ts";
import { renewals, subscriptions } from "../subscriptions/records.ts";
import type { RenewalRecord, SubscriptionRecord } from "../subscriptions/schema.ts";
import {
  expireLicensesAt,
  listLicenses,
  toEnded,
  toRenewalId,
  withEvent,
  withTold,
} from "../subscriptions/settle.ts";
import type { VatChecks, VatVerdict } from "../tax/vat-checks.ts";
import { mailRenewal } from "./mails.ts";
import { priceRenewal, toRenewalCaller, toRenewalInput, toUnitPrice } from "./renewal-price.ts";
import { toGraceEnd } from "./schedule.ts";

const DAY_MS = 86_400_000;

export type RenewalDeps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl" | "log">;

interface Parts {
  readonly starts: PaymentStarts;
  readonly vatChecks: VatChecks;
}

/** A period that can be ordered. */
interface Orderable {
  readonly first: OrderRecord;
  readonly quantity: number;
}

/** Makes and ends orders of renewals. */
export class RenewalOrders {
  readonly #deps: RenewalDeps;
  readonly #parts: Parts;

  constructor(deps: RenewalDeps, parts: Parts) {
    this.#deps = deps;
    this.#parts = parts;
  }

  /** What VIES says of the buyer's VAT ID today; asked before the transaction, for it may take seconds. */
  async ask(subscription: SubscriptionRecord): Promise<VatVerdict | undefined> {
    const { store } = this.#deps;
    const { site, first } = await store.read(async (tx) => ({
      site: await readSite(tx),
      first: await tx.get(orders, subscription.orderId),
    }));
    if (first?.vatId === undefined) return undefined;
    const vatId = findVatQuestion({ site, input: toRenewalInput(first) });
    if (vatId === undefined) return undefined;
    return this.#parts.vatChecks.check({ vatId, requester: site.seller.vatId });
  }

  /** Why the licenses of a subscription cannot renew, or what they renew with. */
  async #find(tx: Tx, subscription: SubscriptionRecord): Promise<Orderable | "license" | "anonymized"> {
    const own = await listLicenses(tx, subscription);
    const quantity = own.filter(({ disabledAt }) => disabledAt === undefined).length;
    if (quantity === 0) return "license";
    const first = await tx.get(orders, subscription.orderId);
    return first === undefined || !isMailAddress(first.email) ? "anonymized" : { first, quantity };
  }

  /** The total of the next period, as far as it is known today. */
  async estimate(
    tx: Tx,
    subscription: SubscriptionRecord,
    verdict: VatVerdict | undefined,
  ): Promise<number | undefined> {
    const found = await this.#find(tx, subscription);
    if (typeof found === "string") return undefined;
    return (await this.#price(tx, subscription, { ...found, verdict, site: await readSite(tx) })).priced
      .totals.total;
  }

  async #price(
    tx: ReadTx,
    subscription: SubscriptionRecord,
    more: Orderable & { readonly site: SiteSettings; readonly verdict: VatVerdict | undefined },
  ): Promise<{ priced: Priced; from: number; until: number; lineId: string; number: number }> {
    const { id: subscriptionId, paidUntil: from, renewals: count } = subscription;
    const until = toPaidUntil(subscription, 1);
    const number = count + 1;
    const lineId = newId("lin");
    const renewal = { subscriptionId, number, from, until };
    const priced = await priceRenewal(tx, this.#deps, { subscription, lineId, renewal, ...more });
    return { priced, from, until, lineId, number };
  }

  /**
   * Makes the order of the next period, and mails it. The caller has looked in this transaction that there is none.
   * Gives the subscription with it, or ended, where nothing is left to renew.
   */
  async make(
    tx: Tx,
    subscription: SubscriptionRecord,
    { verdict }: { readonly verdict: VatVerdict | undefined },
  ): Promise<SubscriptionRecord> {
    const deps = this.#deps;
    const atMs = deps.clock.now();
    const found = await this.#find(tx, subscription);
    if (typeof found === "string") return this.end(tx, subscription, { reason: found, by: "system" });
    const site = await readSite(tx);
    const { first } = found;
    const { priced, from, until, number } = await this.#price(tx, subscription, { ...found, site, verdict });
    const placed = await this.#place(tx, { subscription, first, priced, site });
    const { id: subscriptionId } = subscription;
    await tx.insert(renewals, {
      id: toRenewalId(subscriptionId, number),
      subscriptionId,
      number,
      from,
      until,
      orderId: placed.id,
      orderNumber: placed.number,
      total: placed.total,
      state: "open",
      createdAt: atMs,
      updatedAt: atMs,
    });
    const price = toUnitPrice(subscription, from);
    const { nextPrice, ...kept } = subscription;
    const isNew = nextPrice !== undefined && nextPrice.from <= from;
    const base = isNew ? { ...kept, terms: { ...subscription.terms, price } } : subscription;
    const made = withEvent(
      { ...base, open: number, renewals: number, reminders: 0, graceUntil: undefined },
      { at: atMs, by: "system", event: "invoiced", note: placed.number },
    );
    const stored = await tx.put(subscriptions, withTold(made, atMs));
    if (placed.total === 0) {
      await settle(tx, deps, { by: "system", atMs, note: "nothing to pay", order: placed });
      return (await tx.get(subscriptions, subscriptionId)) ?? stored;
    }
    const order = await this.#begin(tx, placed, { subscription: stored, site });
    const kind = stored.way === "automatic" ? "renewal_upcoming" : "renewal_invoice";
    await mailRenewal(tx, deps, { kind, subscription: stored, first, order });
    return stored;
  }

  /** Stores the order as it waits for its payment. */
  #place(
    tx: Tx,
    {
      subscription,
      first,
      priced,
      site,
    }: { subscription: SubscriptionRecord; first: OrderRecord; priced: Priced; site: SiteSettings },
  ): Promise<OrderRecord> {
    const atMs = this.#deps.clock.now();
    const { currency } = site;
    const amount = priced.totals.total;
    const wanted = subscription.remote?.provider ?? first.paymentMethod;
    const isOffered = listOffered(site, currency, amount).some(({ word }) => word === wanted);
    const { word: method } = chooseMethod(priced, isOffered ? wanted : undefined, atMs);
    // After an outage there is still a day to pay.
    const expiresAt = Math.max(toGraceEnd(subscription), atMs + DAY_MS);
    const keys = { openUser: undefined, openEmail: undefined, openAddress: undefined };
    const input = toRenewalInput(first);
    const caller = toRenewalCaller(first);
    const made = toNewOrder({ input, caller, priced, method, expiresAt, nowMs: atMs, keys });
    return tx.insert(
      orders,
      Object.assign({}, made, {
        dueAt: subscription.way === "automatic" ? undefined : Math.max(subscription.paidUntil, atMs),
        // Nothing is waived that the buyer did not waive.
        lines: made.lines.map((line) =>
          line.withdrawal === "waived" ? { ...line, withdrawal: "open" as const } : line,
        ),
        consents: undefined,
        history: [
          {
            at: atMs,
            by: "system",
            event: "placed",
            to: "pending_payment" as const,
            note: subscription.number,
          },
        ],
      }),
    );
  }

  /** The invoice and the payment of a renewal that its buyer pays. */
  async #begin(
    tx: Tx,
    order: OrderRecord,
    { subscription, site }: { subscription: SubscriptionRecord; site: SiteSettings },
  ): Promise<OrderRecord> {
    if (subscription.way === "automatic") return order;
    const invoiced = await commitMove(tx, this.#deps, {
      order,
      effects: [{ kind: "invoice", on: "order" }],
      site,
    });
    const planned = await this.#parts.starts.replan(tx, invoiced, site);
    return planned === invoiced ? invoiced : tx.put(orders, planned);
  }

  /** The open renewal with its order. */
  async findOpen(
    tx: ReadTx,
    { id, open }: SubscriptionRecord,
  ): Promise<{ renewal: RenewalRecord; order: OrderRecord | undefined } | undefined> {
    const renewal = open === undefined ? undefined : await tx.get(renewals, toRenewalId(id, open));
    return renewal && { renewal, order: await tx.get(orders, renewal.orderId) };
  }

  /** Ends the open renewal: its order is canceled or expires, unless it is paid, and its invoice is credited. */
  async close(
    tx: Tx,
    subscription: SubscriptionRecord,
    state: "canceled" | "unpaid",
  ): Promise<SubscriptionRecord> {
    const found = await this.findOpen(tx, subscription);
    const atMs = this.#deps.clock.now();
    if (found !== undefined) {
      const { renewal, order } = found;
      if (order?.status === "pending_payment") {
        const by = { by: "system", atMs, note: subscription.number };
        // With a part of the money in it, it expires: a person decides what becomes of that.
        const isCanceled = state === "canceled" && order.amountPaid === 0;
        await commitMove(tx, this.#deps, isCanceled ? cancelOrder(order, by) : expireOrder(order, by));
      }
      await tx.put(renewals, { ...renewal, state, updatedAt: atMs });
    }
    const present = (await tx.get(subscriptions, subscription.id)) ?? subscription;
    return tx.put(subscriptions, {
      ...present,
      open: undefined,
      reminders: 0,
      graceUntil: undefined,
      dueAt: atMs,
    });
  }

  /** Ends a subscription now; its licenses keep the expiry that they have. */
  async end(
    tx: Tx,
    subscription: SubscriptionRecord,
    about: {
      readonly reason: NonNullable<SubscriptionRecord["endReason"]>;
      readonly by: string;
    },
  ): Promise<SubscriptionRecord> {
    const deps = this.#deps;
    const atMs = deps.clock.now();
    const ended = await tx.put(subscriptions, toEnded(subscription, { ...about, atMs }));
    const first = await tx.get(orders, ended.orderId);
    if (first !== undefined && isMailAddress(first.email) && about.reason !== "license")
      await mailRenewal(tx, deps, { kind: "renewal_ended", subscription: ended, first });
    return ended;
  }

  /** Licenses are valid as long as the periods are paid. */
  async expirePaid(tx: Tx, subscription: SubscriptionRecord): Promise<void> {
    const atMs = this.#deps.clock.now();
    await expireLicensesAt(tx, subscription, { expiresAt: subscription.paidUntil, atMs });
  }
}
