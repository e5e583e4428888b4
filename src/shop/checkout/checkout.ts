/** Checkout: prices, stock, coupon, order and mail in one transaction, or nothing of it. */
import { AppError } from "../../kit/errors.ts";
import { ShopError } from "../errors.ts";
import { newCodeText, newId } from "../../kit/secrets/id.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { Caller } from "../users/caller.ts";
import { type Preview, toPreviewLines } from "./preview.ts";
import { type CouponGuesses, createCouponGuesses, findCoupon, takeCoupon } from "../coupons/coupons.ts";
import type { ShopDeps } from "../deps.ts";
import { assertCustomerLimit } from "./customer-limit.ts";
import { formatDay } from "../mails/formats.ts";
import { findRepeat, rememberKey } from "./idempotency.ts";
import { mailOrder } from "../mails/mails.ts";
import type { Address, CouponRecord, OrderRecord } from "../orders/schema.ts";
import { toOrderToken } from "../orders/token.ts";
import { type Payment, chooseProvider, toPayment } from "../payments/payment.ts";
import { assertFewPending, createOrderLimits, hasPaidOnce, type OrderLimits } from "./order-limits.ts";
import { type OrderItem, type PricedLine, type Totals, priceLines, toTotals } from "./pricing.ts";
import { lacksSecret } from "../licence-keys/product-secret.ts";
import { orders } from "../records.ts";
import { findProvider, readSite } from "../site/settings.ts";
import { settle } from "../payments/settlement.ts";
import type { SiteSettings } from "../site/schema.ts";
import { assertInStock, refuseShort, reserve } from "../stock/stock.ts";

const MINUTE_MS = 60_000;
const NUMBER_CHARACTERS = 8;

/** What somebody wants to order. */
export interface CheckoutInput {
  readonly items: readonly OrderItem[];
  readonly email: string;
  readonly couponCode?: string | undefined;
  readonly inputs: Readonly<Record<string, string>>;
  readonly shippingAddress?: Address | undefined;
  readonly note: string;
  readonly paymentMethod?: string | undefined;
  /** What the buyer was shown; another price is refused instead of charged. */
  readonly expectedTotal?: number | undefined;
  readonly language?: string | undefined;
  /** Only prices are wanted: no address and no answers to what products ask for. */
  readonly isPreview?: boolean;
}

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

export interface Checkout {
  /**
   * Makes an order.
   * @throws AppError `checkout_closed`, `unauthenticated` (no guests), `invalid`, `quantity_limit`, `coupon_invalid`,
   *   `price_changed`, `out_of_stock`, `too_many_pending`, `idempotency_in_progress`, `idempotency_key_reused`
   */
  order(input: CheckoutInput, caller: Caller, repeatable?: Repeatable): Promise<CheckoutResult>;
  /** What an order would cost, and of what there is enough; nothing is stored. Throws as `order` does, but for stock and open orders. */
  preview(input: CheckoutInput, caller: Caller): Promise<Preview>;
}

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl" | "isShared" | "limits">;

/** What is known before anything is taken. */
interface Priced {
  readonly site: SiteSettings;
  readonly lines: readonly PricedLine[];
  readonly coupon: CouponRecord | undefined;
  readonly totals: Totals;
  readonly language: string;
}

function assertOpen(site: SiteSettings, caller: Caller): void {
  if (site.maintenance)
    throw new ShopError("checkout_closed", "The shop is being worked on; try again later");
  if (!site.checkoutOpen) throw new ShopError("checkout_closed", "The shop takes no orders now");
  if (!site.guestCheckout && caller.user === undefined)
    throw new AppError("unauthenticated", "Sign in to order; this shop takes no orders from guests");
}

function assertAddress(lines: readonly PricedLine[], address: Address | undefined): void {
  if (address !== undefined || lines.every(({ line }) => line.deliveryType !== "shipping")) return;
  throw new AppError("invalid", "Say where the goods are to be sent", {
    errors: [{ pointer: "/shippingAddress", code: "required", message: "is needed for goods that are sent" }],
  });
}

async function price(
  tx: ReadTx,
  deps: Deps & { readonly guesses: CouponGuesses },
  input: CheckoutInput,
  caller: Caller,
): Promise<Priced> {
  const site = await readSite(tx);
  assertOpen(site, caller);
  const language = site.languages.find((one) => one === input.language) ?? site.languages[0] ?? "en";
  const { currency } = site;
  const { items, inputs, isPreview = false } = input;
  const lines = await priceLines(tx, { items, inputs, currency, language, isPreview });
  if (!isPreview) assertAddress(lines, input.shippingAddress);
  const coupon =
    input.couponCode === undefined || input.couponCode.trim() === ""
      ? undefined
      : await findCoupon(tx, deps, {
          code: input.couponCode,
          address: caller.clientAddress,
          lines,
          currency,
          nowMs: deps.clock.now(),
          user: { userId: caller.user?.id, emailLower: input.email.toLowerCase() },
        });
  const totals = toTotals(lines, { coupon, shippingFee: site.shippingFee });
  return { site, lines, coupon, totals, language };
}

function assertExpected(expected: number | undefined, total: number, currency: string): void {
  if (expected === undefined || expected === total) return;
  throw new ShopError("price_changed", "The order costs something else now; look at it again", {
    details: { total, expectedTotal: expected, currency },
  });
}

/** Ids by which waiting orders of one person or place are counted; keyed hashes where they would tell who. */
type OpenKeys = Pick<OrderRecord, "openUser" | "openEmail" | "openAddress">;

function toOpenKeys(deps: Deps, input: CheckoutInput, caller: Caller): OpenKeys {
  return {
    ...(caller.user === undefined
      ? { openEmail: deps.box.mac(input.email.toLowerCase(), "open-email") }
      : { openUser: caller.user.id }),
    openAddress: deps.box.mac(addressKey(caller.clientAddress), "open-address"),
  };
}

/** "261121-7kq4mp2x" in capitals: the day in the shop's time zone, and chance; 40 bits, unique by its index. */
function toNumber(nowMs: number, timeZone: string): string {
  const day = formatDay(nowMs, timeZone);
  return `${day.slice(2).replaceAll("-", "")}-${newCodeText(NUMBER_CHARACTERS).toUpperCase()}`;
}

function toOrder(
  deps: Deps,
  parts: { input: CheckoutInput; caller: Caller; priced: Priced; paymentMethod: string },
): Omit<OrderRecord, "version"> {
  const { input, caller, priced, paymentMethod } = parts;
  const { site, totals, coupon, language } = priced;
  const nowMs = deps.clock.now();
  const minutes = findProvider(site, paymentMethod)?.expiryMinutes ?? site.orderExpiryMinutes;
  const expiresAt = nowMs + minutes * MINUTE_MS;
  return {
    id: newId("ord", nowMs),
    number: toNumber(nowMs, site.timeZone),
    ...(caller.user === undefined ? {} : { userId: caller.user.id }),
    email: input.email,
    emailLower: input.email.toLowerCase(),
    language,
    status: "pending_payment",
    paymentStatus: totals.total === 0 ? "paid" : "unpaid",
    attention: [],
    currency: site.currency,
    subtotal: totals.subtotal,
    discount: totals.discount,
    shipping: totals.shipping,
    total: totals.total,
    amountPaid: 0,
    amountRefunded: 0,
    ...(coupon === undefined ? {} : { couponId: coupon.id, couponCode: coupon.code }),
    lines: totals.lines,
    history: [{ at: nowMs, by: "buyer", event: "placed", to: "pending_payment" }],
    note: input.note,
    ...(input.shippingAddress === undefined ? {} : { shippingAddress: input.shippingAddress }),
    paymentMethod,
    ...toOpenKeys(deps, input, caller),
    pendingUntil: expiresAt,
    expiresAt,
    createdAt: nowMs,
    updatedAt: nowMs,
  };
}

/** Throws `out_of_stock` for what could not be handed over: its shared secret is not set yet. */
function assertHandedOver(lines: readonly PricedLine[]): void {
  const lacking = lines.filter(({ product }) => lacksSecret(product));
  refuseShort(
    lines.map(({ line }) => line),
    new Map(lacking.map(({ line }) => [line.stockId, 0])),
  );
}

function assertMayBeFree(totals: Totals, caller: Caller, { freeGuestOrders }: SiteSettings): void {
  if (totals.total > 0 || caller.user !== undefined || freeGuestOrders) return;
  throw new AppError("unauthenticated", "Sign in to order what costs nothing");
}

/** What is placed, and the limits that count it. */
interface Placing {
  readonly input: CheckoutInput;
  readonly caller: Caller;
  readonly priced: Priced;
  /** Counts the order, once however often the transaction runs; tells whether its mails may go to a stranger. */
  readonly count: (site: SiteSettings) => boolean;
}

/** Stores the order with all that belongs to it; resolves with it and with what is needed to pay it. */
async function place(
  tx: Tx,
  deps: Deps,
  { count, ...parts }: Placing,
): Promise<Omit<CheckoutResult, "isRepeat">> {
  const { input, caller, priced } = parts;
  const { site, totals, coupon } = priced;
  assertMayBeFree(totals, caller, site);
  assertHandedOver(priced.lines);
  const method = totals.total === 0 ? "none" : chooseProvider(site, input.paymentMethod).word;
  const made = toOrder(deps, { ...parts, paymentMethod: method });
  await assertFewPending(tx, made, site);
  await reserve(tx, totals.lines);
  const mayMail = count(site);
  // After the order was counted: who tries with addresses of others learns of a few of them at most.
  await assertCustomerLimit(tx, priced.lines, made);
  const isQuiet = !mayMail && !(await hasPaidOnce(tx, made.emailLower));
  const order = await tx.insert(orders, isQuiet ? { ...made, isQuiet } : made);
  if (coupon !== undefined) await takeCoupon(tx, deps, { coupon, user: order });
  const orderToken = toOrderToken(deps.box, order);
  if (order.total === 0) {
    const note = { by: "system", atMs: order.createdAt, note: "nothing to pay" };
    return { order: await settle(tx, deps, { order, note }), orderToken, payment: undefined };
  }
  const payment = toPayment(deps, order, site);
  await mailOrder(tx, deps, { kind: "order_placed", order, orderToken, payUrl: payment?.url });
  return { order, orderToken, payment };
}

/** Counts an order in the limits when it is first asked, and remembers the answer. */
function countOnce(limits: OrderLimits, input: CheckoutInput, caller: Caller): Placing["count"] {
  let mayMail: boolean | undefined;
  return (site) => (mayMail ??= limits.count({ email: input.email, caller }, site));
}

/** Makes the logic of checkout. */
export function createCheckout(deps: Deps): Checkout {
  const { store } = deps;
  const limits = createOrderLimits(deps);
  const pricing = { ...deps, guesses: createCouponGuesses(deps) };
  /** Keys that this process works on: the same again is told to wait instead of waiting here. */
  const running = new Set<string>();

  /** In a rush on the last units, those who come too late do not queue for a record that other processes write. */
  async function refuseEarly(input: CheckoutInput, caller: Caller, repeatable?: Repeatable): Promise<void> {
    await store.read(async (tx) => {
      if ((await findRepeat(tx, deps, { caller, repeatable })) !== undefined) return;
      const { lines } = await price(tx, pricing, input, caller);
      await assertInStock(
        tx,
        lines.map(({ line }) => line),
      );
    });
  }

  async function run(input: CheckoutInput, caller: Caller, repeatable?: Repeatable): Promise<CheckoutResult> {
    if (deps.isShared === true) await refuseEarly(input, caller, repeatable);
    const count = countOnce(limits, input, caller);
    return store.transact(async (tx) => {
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
      const priced = await price(tx, pricing, input, caller);
      assertExpected(input.expectedTotal, priced.totals.total, site.currency);
      const placed = await place(tx, deps, { input, caller, priced, count });
      await rememberKey(tx, deps, { caller, repeatable, orderId: placed.order.id });
      return { ...placed, isRepeat: false };
    });
  }

  return {
    order: async (input, caller, repeatable) => {
      if (repeatable === undefined) return run(input, caller);
      const key = `${caller.user?.id ?? ""} ${repeatable.key}`;
      if (running.has(key)) {
        throw new ShopError(
          "idempotency_in_progress",
          "A request with this Idempotency-Key is being worked on; send it again in a moment",
          { retryAfterSeconds: 1 },
        );
      }
      running.add(key);
      try {
        return await run(input, caller, repeatable);
      } finally {
        running.delete(key);
      }
    },
    preview: (input, caller) =>
      store.read(async (tx) => {
        const asked = { ...input, isPreview: true };
        const { site, totals, lines } = await price(tx, pricing, asked, caller);
        // A guest is not told what an e-mail address has ordered before.
        const customer = caller.user && { userId: caller.user.id, emailLower: "" };
        await assertCustomerLimit(tx, lines, customer);
        assertExpected(input.expectedTotal, totals.total, site.currency);
        return {
          ...totals,
          lines: await toPreviewLines(tx, { site, totals, lines }),
          currency: site.currency,
        };
      }),
  };
}
