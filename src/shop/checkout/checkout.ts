/** Checkout: prices, stock, coupon, order and mail in one transaction, or nothing of it. */
import { AppError } from "../../kit/errors.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { VatChecks, VatVerdict } from "../tax/vat-checks.ts";
import type { Caller } from "../users/caller.ts";
import { type CouponGuesses, createCouponGuesses, takeDiscounts } from "../coupons/coupons.ts";
import { assertNotBlocked } from "../customers/identity.ts";
import type { ShopDeps } from "../base/deps.ts";
import { ShopError } from "../base/errors.ts";
import type { CardGuesses } from "../gift-cards/codes.ts";
import { type CardShare, findShares } from "../gift-cards/find-cards.ts";
import { lacksSecret } from "../licence-keys/product-secret.ts";
import { assertCustomerLimit } from "../customers/customer-limit.ts";
import { takeCards, toCardPayments } from "../orders/card-payments.ts";
import { payWithCards } from "../orders/card-shares.ts";
import { settle } from "../orders/effects.ts";
import { mailOrder } from "../orders/mails.ts";
import { amountDueOf } from "../orders/order.ts";
import type { PaymentStarts } from "../payments/services/begin.ts";
import { type Payment, toPayment } from "../orders/payment.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { toOrderToken } from "../orders/token.ts";
import { orders } from "../orders/records.ts";
import { rememberConsent } from "../reminders/consent.ts";
import { planInvitation } from "../reviews/invitations.ts";
import type { SiteSettings } from "../site/schema.ts";
import { readSite } from "../site/settings.ts";
import { assertInStock, refuseShort, reserve } from "../stock/stock.ts";
import { assertConsents } from "./consents.ts";
import { findRepeat, rememberKey } from "./idempotency.ts";
import { type MailShare, type OrderLimits, assertFewPending, createOrderLimits } from "./order-limits.ts";
import { type Preview, toPreview } from "./preview.ts";
import type { PricedLine } from "./pricing.ts";
import { type Priced, type Wanted, findVatQuestion, priceOrder } from "./quote.ts";
import type { CheckoutInput, PreviewInput } from "./schema.ts";
import { chooseMethod, toNewOrder, toOpenKeys } from "./to-order.ts";

/** A request that may come twice. */
export interface Repeatable {
  readonly key: string;
  /** SHA-256 of the body. */
  readonly requestHash: string;
}

export interface CheckoutResult {
  readonly order: OrderRecord;
  /** Opens this one order without a sign-in. */
  readonly orderToken: string;
  /** Absent when nothing is to be paid. */
  readonly payment: Payment | undefined;
  /** True when the same request had been answered before. */
  readonly isRepeat: boolean;
}

type Deps = Pick<
  ShopDeps,
  | ("store" | "clock" | "box" | "outbox" | "publicUrl")
  | ("isShared" | "limits" | "hasAccounts" | "paymentOutbound")
>;

function assertExpected(
  { expectedTotal }: PreviewInput,
  { totals: { total }, site: { currency } }: Priced,
): void {
  if (expectedTotal === undefined || expectedTotal === total) return;
  throw new ShopError("price_changed", "The price of the order has changed. Review the cart and try again", {
    details: { total, expectedTotal, currency },
  });
}

interface Placing {
  readonly input: CheckoutInput;
  readonly caller: Caller;
  readonly priced: Priced;
  readonly shares: readonly CardShare[];
}

function toOrder(deps: Deps, { input, caller, priced, shares }: Placing): Omit<OrderRecord, "version"> {
  const nowMs = deps.clock.now();
  const { site, totals } = priced;
  const { word: method, expiresAt } = chooseMethod({ site, totals, shares }, input.paymentMethod, nowMs);
  const keys = toOpenKeys(deps, input.contact.email, caller);
  const order = toNewOrder({ input, caller, priced, method, expiresAt, nowMs, keys });
  return shares.length === 0 ? order : payWithCards(order, toCardPayments(shares, nowMs));
}

/** Throws `out_of_stock` for what could not be handed over: its shared secret is not set yet. */
export function assertHandedOver(lines: readonly PricedLine[]): void {
  const lacking = lines.filter(({ product }) => lacksSecret(product));
  refuseShort(
    lines.map(({ line }) => line),
    new Map(lacking.map(({ line }) => [line.stockId, 0])),
  );
}

/** Whether a free order requires a sign-in. In a shop without accounts, guests may place it. */
function needsAccount(
  { totals, site }: Pick<Priced, "totals" | "site">,
  caller: Caller,
  { hasAccounts = true }: Pick<Deps, "hasAccounts">,
): boolean {
  return totals.total === 0 && caller.user === undefined && !site.freeGuestOrders && hasAccounts;
}

/** Places orders, and previews their prices. */
export class Checkout {
  readonly #deps: Deps;
  readonly #starts: PaymentStarts;
  readonly #limits: OrderLimits;
  readonly #guesses: CouponGuesses;
  readonly #cardGuesses: CardGuesses;
  readonly #vatChecks: VatChecks;
  /** Keys that this process works on: the same again has to come later instead of waiting here. */
  readonly #running = new Set<string>();

  constructor(
    deps: Deps,
    parts: {
      readonly starts: PaymentStarts;
      readonly vatChecks: VatChecks;
      readonly cardGuesses: CardGuesses;
    },
  ) {
    this.#deps = deps;
    this.#starts = parts.starts;
    this.#vatChecks = parts.vatChecks;
    this.#limits = createOrderLimits(deps);
    this.#guesses = createCouponGuesses(deps);
    this.#cardGuesses = parts.cardGuesses;
  }

  /**
   * Creates an order.
   * @throws AppError `checkout_closed`, `unauthenticated` (no guests), `invalid`, `quantity_limit`, `coupon_invalid`,
   *   `gift_card_invalid`, `price_changed`, `order_refused`, `out_of_stock`, `too_many_pending`, `idempotency_in_progress`, `idempotency_key_reused`
   */
  async order(input: CheckoutInput, caller: Caller, repeatable?: Repeatable): Promise<CheckoutResult> {
    if (repeatable === undefined) return this.#begin(await this.#run(input, caller));
    const key = `${caller.user?.id ?? ""} ${repeatable.key}`;
    if (this.#running.has(key)) {
      throw new ShopError(
        "idempotency_in_progress",
        "A request with this Idempotency-Key is in progress. Repeat it in a moment",
        { retryAfterSeconds: 1 },
      );
    }
    this.#running.add(key);
    try {
      return await this.#begin(await this.#run(input, caller, repeatable));
    } finally {
      this.#running.delete(key);
    }
  }

  /**
   * The price of an order, and which items are in stock; stores nothing. Throws like `order`, except for stock and
   * open orders.
   */
  async preview(input: PreviewInput, caller: Caller): Promise<Preview> {
    const verdict = await this.#ask(input, caller);
    return this.#deps.store.read(async (tx) => {
      const site = await readSite(tx);
      const priced = await this.#price(tx, { input, caller, site, verdict, isPreview: true });
      const { lines } = priced;
      // A guest does not learn what an e-mail address has ordered before.
      const customer = caller.user && { userId: caller.user.id, emailLower: "" };
      await assertCustomerLimit(tx, lines, customer);
      assertExpected(input, priced);
      const shares = await this.#findShares(tx, { input, caller, priced });
      return toPreview(tx, priced, { needsAccount: needsAccount(priced, caller, this.#deps), shares });
    });
  }

  /** Payments that a service collects begin once the order is stored. */
  async #begin(result: CheckoutResult): Promise<CheckoutResult> {
    const { id, status, begun } = result.order;
    if (begun?.kind !== "beginning" || status !== "pending_payment") return result;
    return { ...result, ...(await this.#starts.begin(id)) };
  }

  async #run(input: CheckoutInput, caller: Caller, repeatable?: Repeatable): Promise<CheckoutResult> {
    const deps = this.#deps;
    const verdict = await this.#ask(input, caller);
    if (deps.isShared === true) await this.#refuseEarly({ input, caller, verdict }, repeatable);
    let mails: MailShare | undefined;
    // Counted once, however often the transaction runs.
    const count = (site: SiteSettings): MailShare =>
      (mails ??= this.#limits.count({ email: input.contact.email, caller }, site));
    return deps.store.transact(async (tx) => {
      const site = await readSite(tx);
      const before = await findRepeat(tx, deps, { caller, repeatable });
      if (before !== undefined) {
        return {
          order: before,
          orderToken: toOrderToken(deps.box, before),
          payment: toPayment(deps, before, site),
          isRepeat: true,
        };
      }
      const priced = await this.#price(tx, { input, caller, site, verdict });
      assertExpected(input, priced);
      if (needsAccount(priced, caller, deps))
        throw new AppError("unauthenticated", "Free orders require a sign-in. Sign in first");
      assertHandedOver(priced.lines);
      assertConsents(priced, input);
      const shares = await this.#findShares(tx, { input, caller, priced });
      const facts = { priced, count, caller };
      const placed = await this.#place(tx, toOrder(deps, { input, caller, priced, shares }), facts);
      await rememberKey(tx, deps, { caller, repeatable, orderId: placed.order.id });
      return { isRepeat: false, ...placed };
    });
  }

  /** In a rush on the last units, those who come too late do not queue for a record that other processes write. */
  async #refuseEarly(wanted: Omit<Wanted, "site">, repeatable?: Repeatable): Promise<void> {
    await this.#deps.store.read(async (tx) => {
      const { caller } = wanted;
      if ((await findRepeat(tx, this.#deps, { caller, repeatable })) !== undefined) return;
      const { totals } = await this.#price(tx, { ...wanted, site: await readSite(tx) });
      await assertInStock(tx, totals.lines);
    });
  }

  /** What VIES says of the VAT ID of an input; asked before the transaction, for it may take seconds. */
  async #ask(input: PreviewInput, caller: Caller): Promise<VatVerdict | undefined> {
    if ((input.vatId ?? "").trim() === "") return undefined;
    const site = await this.#deps.store.read(readSite);
    const vatId = findVatQuestion({ site, input });
    if (vatId === undefined) return undefined;
    const { clientAddress } = caller;
    return this.#vatChecks.check({ vatId, requester: site.seller.vatId, clientAddress });
  }

  #price(tx: ReadTx, wanted: Wanted): Promise<Priced> {
    const { box, clock, hasAccounts } = this.#deps;
    return priceOrder(tx, { box, clock, hasAccounts, guesses: this.#guesses }, wanted);
  }

  /** What gift cards pay; nothing is read without codes. */
  #findShares(
    tx: ReadTx,
    { input, caller, priced }: Omit<Placing, "input" | "shares"> & { readonly input: PreviewInput },
  ): Promise<CardShare[]> {
    const { giftCardCodes: codes = [] } = input;
    if (codes.length === 0) return Promise.resolve([]);
    const { totals, site } = priced;
    const cards = totals.lines.filter(({ deliveryType }) => deliveryType === "gift_card");
    return findShares(tx, {
      box: this.#deps.box,
      guesses: this.#cardGuesses,
      address: caller.clientAddress,
      nowMs: this.#deps.clock.now(),
      codes,
      currency: site.currency,
      amount: totals.total - cards.reduce((sum, { total }) => sum + total, 0),
    });
  }

  /** Stores the order with all that belongs to it; resolves with it and with what is needed to pay it. */
  async #place(
    tx: Tx,
    made: Omit<OrderRecord, "version">,
    { priced, count, caller }: { priced: Priced; count: (site: SiteSettings) => MailShare; caller: Caller },
  ): Promise<Omit<CheckoutResult, "isRepeat">> {
    const deps = this.#deps;
    const { site, lines } = priced;
    await assertNotBlocked(tx, deps.box, made);
    await assertFewPending(tx, made, site);
    await reserve(tx, made.lines);
    const mails = count(site);
    // After the order was counted: who tries with addresses of others learns of a few of them at most.
    await assertCustomerLimit(tx, lines, made);
    const isQuiet = !(await this.#limits.mayMail(tx, { mails, order: made, site }));
    const begun = await this.#starts.plan(tx, made, { site, clientAddress: caller.clientAddress });
    const isPlain = begun === undefined && !isQuiet;
    const order = await tx.insert(orders, isPlain ? made : { ...made, begun, isQuiet: isQuiet || undefined });
    await takeDiscounts(tx, deps, order);
    const orderToken = toOrderToken(deps.box, order);
    if (order.giftCards !== undefined) await takeCards(tx, order);
    if (order.consents?.review !== undefined) await planInvitation(tx, order, site.reviews);
    if (amountDueOf(order) === 0) {
      const by = {
        by: "system",
        atMs: order.createdAt,
        note: order.giftCards ? "gift card" : "nothing to pay",
      };
      return { order: await settle(tx, deps, { ...by, order }), orderToken, payment: undefined };
    }
    if (order.consents?.reminder !== undefined)
      await rememberConsent(tx, deps.box, order, site.checkoutReminders.hours);
    const payment = toPayment(deps, order, site);
    // Where a service collects, the mail waits for its answer.
    if (begun === undefined)
      await mailOrder(tx, deps, { kind: "order_placed", order, orderToken, site, payUrl: payment?.url });
    return { order, orderToken, payment };
  }
}
