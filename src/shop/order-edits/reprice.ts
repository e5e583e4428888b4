/** The amounts of an order whose items or shipping are edited. */
import { AppError } from "../../kit/errors.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { ReadTx } from "../../store/store.ts";
import { allocate } from "../base/money.ts";
import type { TaxTerms } from "../checkout/pricing.ts";
import { toParcel } from "../checkout/quote.ts";
import { listAutomatic, listDiscountIds } from "../coupons/coupons.ts";
import {
  type AppliedDiscount,
  type Discount,
  chooseDiscounts,
  deductFee,
  findUnmet,
  mayReduce,
  sumOff,
} from "../coupons/discounts.ts";
import { coupons } from "../coupons/records.ts";
import { toOrderDiscounts } from "../coupons/order-discounts.ts";
import type { OrderLine, OrderRecord } from "../orders/schema.ts";
import { type ShippingQuote, chooseQuote, listEnabled, listQuotes } from "../shipping/quotes.ts";
import type { SiteSettings } from "../site/schema.ts";
import { shareShipping, sumTax, toUntaxed } from "../tax/tax.ts";
import { readVatId } from "../tax/vat-id.ts";
import { type EditedLine, editLines } from "./lines.ts";
import type { Retaxed } from "./retax.ts";
import type { WantedEdit } from "./schema.ts";

/** An order with the amounts of an edit. */
export interface Repriced {
  readonly after: OrderRecord;
  /** Its coupon no longer applies. */
  readonly isCouponLost: boolean;
  /** Shipping methods to choose from. */
  readonly quotes: readonly ShippingQuote[];
}

interface Options {
  readonly box: SecretBox;
  readonly nowMs: number;
  readonly site: SiteSettings;
  readonly wanted: WantedEdit;
  /** Products' questions to the buyer may be unanswered. */
  readonly isPreview?: boolean;
  /** Set where the tax of all lines changes. */
  readonly retaxed?: Retaxed | undefined;
}

const untaxed = new Set(["reverse_charge", "intra_community"]);

/** By which rules new lines are taxed; undefined for an order without tax. */
function toTerms(order: OrderRecord, { tax: settings, seller }: SiteSettings): TaxTerms | undefined {
  const { tax, shippingAddress, billingAddress, country, vatId, pricesIncludeTax = true } = order;
  if (tax === undefined) return undefined;
  const hasRelief = order.lines.some(({ taxKind = "" }) => untaxed.has(taxKind));
  const read = hasRelief && vatId !== undefined ? readVatId(vatId) : undefined;
  const { country: sentTo = country, postalCode = "" } = shippingAddress ?? {};
  return {
    settings: { ...settings, pricesIncludeTax },
    place: {
      seller: seller.country,
      sentTo,
      buyer: billingAddress?.country ?? country ?? shippingAddress?.country,
      business: typeof read === "object" ? read : undefined,
      isSentToNorthernIreland: sentTo === "GB" && /^bt\d/iu.test(postalCode.trim()),
    },
  };
}

/** The discounts of an order, and those that an order of its items would get today. */
async function listDiscounts(
  tx: ReadTx,
  order: OrderRecord,
  { edited, box, nowMs, site, wanted }: Options & { edited: readonly EditedLine[] },
): Promise<Discount[]> {
  if (order.ownDiscount !== undefined) return [{ ...order.ownDiscount, productIds: [], categoryIds: [] }];
  const { shippingAddress, country, currency } = order;
  const sentTo = shippingAddress?.country ?? country;
  const own: Discount[] = [];
  for (const id of listDiscountIds(order)) {
    const coupon = await tx.get(coupons, id);
    // Also one that ended, or that was used up since: it was promised.
    if (coupon !== undefined && findUnmet(coupon, edited, sentTo) === undefined) own.push(coupon);
  }
  if ((wanted.lines ?? []).length + (wanted.items ?? []).length === 0) return own;
  const ids = site.automaticDiscounts.filter((id) => own.every((one) => one.id !== id));
  const use = { box, lines: edited, country: sentTo, currency, nowMs, user: order };
  return [...own, ...(await listAutomatic(tx, ids, use))];
}

interface Discounted {
  readonly lines: OrderLine[];
  readonly applied: readonly AppliedDiscount[];
}

/** Lines with their share of the discounts, which delivered lines keep. */
function discount(
  edited: readonly EditedLine[],
  discounts: readonly Discount[],
  toFee: (lines: OrderLine[]) => number,
): Discounted {
  const take = (parts: readonly number[]): OrderLine[] =>
    edited.map(({ line, isFrozen }, index) => {
      const part = parts[index] ?? 0;
      return isFrozen ? line : { ...line, discount: part, total: line.subtotal - part };
    });
  const { applied, parts } = chooseDiscounts(discounts, edited, (each) => toFee(take(each)));
  if (!edited.some(({ isFrozen }) => isFrozen)) return { applied, lines: take(parts) };
  const kept = edited.reduce((all, one) => all + (one.isFrozen ? one.line.discount : 0), 0);
  const weights = edited.map(({ line, product, isFrozen }) =>
    !isFrozen && applied.some((one) => mayReduce(one.discount, product)) ? line.subtotal : 0,
  );
  const most = weights.reduce((all, weight) => all + weight, 0);
  const whole = parts.reduce((all, part) => all + part, 0);
  return { applied, lines: take(allocate(Math.min(most, Math.max(0, whole - kept)), weights)) };
}

interface Delivery extends Pick<OrderRecord, "shippingMethodId" | "shippingTitle"> {
  readonly fee: number;
  /** The fee is a price of the settings, and not one that the order has. */
  readonly isListed: boolean;
  readonly quotes: readonly ShippingQuote[];
}

function isSent({ deliveryType }: OrderLine): boolean {
  return deliveryType === "shipping";
}

/** How the edited order is sent, and for how much. @throws AppError `invalid` */
function toDelivery(
  order: OrderRecord,
  lines: readonly OrderLine[],
  { site, wanted, retaxed }: Options,
): Delivery {
  if (!lines.some(isSent))
    return { fee: 0, isListed: false, quotes: [], shippingMethodId: undefined, shippingTitle: undefined };
  const { shippingAddress, billingAddress, country, language, shippingMethodId, shippingTitle } = order;
  if (shippingAddress === undefined)
    throw new AppError("invalid", "A shipping address is required", {
      errors: [
        { pointer: "/shippingAddress", code: "required", message: "is required for items that are shipped" },
      ],
    });
  const sum = (read: (line: OrderLine) => number): number => lines.reduce((all, line) => all + read(line), 0);
  const goods = {
    lines: [...lines],
    subtotal: sum((line) => line.subtotal),
    discount: sum((line) => line.discount),
  };
  const parcel = toParcel(
    goods,
    { site, input: { items: [], shippingAddress, billingAddress, country } },
    language,
  );
  const { methods } = site.shipping;
  const quotes = listQuotes(methods, parcel);
  const { methodId, fee } = wanted.shipping ?? {};
  const isListedFee =
    retaxed !== undefined && (shippingMethodId !== undefined || listEnabled(methods).length === 0);
  const isKept = order.lines.some(isSent) && methodId === undefined && !isListedFee;
  if (isKept) {
    // Before its discounts: they are deducted as far as they still apply.
    const off = (order.discounts ?? []).reduce((sum, { shipping }) => sum + shipping, 0);
    const isFree = off > 0 && order.shipping === 0 && fee === undefined;
    return { fee: fee ?? order.shipping + off, isListed: isFree, quotes, shippingMethodId, shippingTitle };
  }
  if (listEnabled(methods).length === 0)
    return {
      fee: fee ?? site.shippingFee,
      isListed: fee === undefined,
      quotes,
      shippingMethodId,
      shippingTitle,
    };
  // To another country it goes by the same method, or by the cheapest one that goes there.
  const same = quotes.some(({ id }) => id === shippingMethodId) ? shippingMethodId : undefined;
  const chosen = methodId ?? (retaxed === undefined ? undefined : same);
  const quote = chooseQuote(quotes, { chosen, methods, parcel });
  const named = { shippingMethodId: quote.id, shippingTitle: quote.title, quotes };
  return { ...named, fee: fee ?? quote.price, isListed: fee === undefined };
}

type Amounts = Pick<OrderRecord, "lines" | "shipping" | "total" | "tax">;

function addUp(
  edited: readonly EditedLine[],
  {
    lines,
    fee,
    isListed,
    terms,
  }: Pick<Delivery, "fee" | "isListed"> & {
    lines: OrderLine[];
    terms: TaxTerms | undefined;
  },
): Amounts {
  const goods = lines.reduce((all, { total }) => all + total, 0);
  if (terms === undefined) return { lines, shipping: fee, total: goods + fee, tax: undefined };
  const { pricesIncludeTax, netWhereUntaxed, rounding } = terms.settings;
  const taxed = lines.map((line, index) => {
    const sale = edited[index]?.sale ?? {
      kind: "exempt" as const,
      country: terms.place.seller,
      rate: 0,
      homeRate: 0,
    };
    return { total: line.total, isSent: isSent(line), sale };
  });
  const isNet = isListed && pricesIncludeTax && netWhereUntaxed;
  const shares = shareShipping(fee, taxed).map((share, index) => {
    const sale = taxed[index]?.sale;
    return isNet && sale !== undefined ? toUntaxed(share, sale) : share;
  });
  const shipping = shares.reduce((sum, share) => sum + share, 0);
  const { lines: taxes, ...tax } = sumTax(taxed, { shares, pricesIncludeTax, rounding });
  return {
    lines: lines.map((line, index) => ({ ...line, tax: taxes[index] ?? 0 })),
    shipping,
    total: goods + shipping + (pricesIncludeTax ? 0 : tax.amount),
    tax,
  };
}

/** The discounts of the edited order; those that only delivered lines still have stay. */
function keepDiscounts(
  order: OrderRecord,
  applied: readonly AppliedDiscount[],
  off: number,
): OrderRecord["discounts"] {
  const now = toOrderDiscounts(applied.filter(({ amount, shipping }) => amount + shipping > 0)) ?? [];
  const { couponId: id, couponCode: code = "", discount: amount } = order;
  const coupon = id === undefined ? [] : [{ id, title: code, code, amount, shipping: 0 }];
  const before = (order.discounts ?? coupon).filter((one) => now.every((other) => other.id !== one.id));
  const isOld = off > 0 && now.every((one) => one.amount === 0);
  const all = isOld ? [...now, ...before] : now;
  const weights = all.map((one) => one.amount);
  if (all.length === 0) return undefined;
  if (weights.every((weight) => weight === 0)) return all;
  const parts = allocate(off, weights);
  return all.map((one, index) => ({ ...one, amount: parts[index] ?? 0 }));
}

/** Prices an edit. @throws AppError `invalid`, `quantity_limit`, `conflict` */
export async function reprice(tx: ReadTx, order: OrderRecord, options: Options): Promise<Repriced> {
  const { site, wanted, isPreview = false, retaxed } = options;
  const terms = retaxed?.terms ?? toTerms(order, site);
  const edited = await editLines(tx, order, { site, wanted, terms, isPreview, retaxed });
  const discounts = await listDiscounts(tx, order, { ...options, edited });
  const discounted = discount(edited, discounts, (each) => toDelivery(order, each, options).fee);
  const { lines } = discounted;
  const delivery = toDelivery(order, lines, options);
  const { quotes, isListed, shippingMethodId, shippingTitle } = delivery;
  // A fee that staff set is what the buyer pays.
  const applied = deductFee(discounted.applied, wanted.shipping?.fee === undefined ? delivery.fee : 0);
  const fee = delivery.fee - sumOff(applied);
  const { total, ...amounts } = addUp(edited, { lines, fee, isListed, terms });
  const subtotal = lines.reduce((all, line) => all + line.subtotal, 0);
  if (!Number.isSafeInteger(subtotal) || !Number.isSafeInteger(total))
    throw new AppError("invalid", "The order total is too high. Reduce the quantities");
  const off = lines.reduce((all, line) => all + line.discount, 0);
  const kept = keepDiscounts(order, applied, off);
  const hasCoupon = kept?.some(({ id }) => id === order.couponId) === true;
  const { couponId, couponCode } = hasCoupon ? order : {};
  // Not a spread: docs/decisions/078-members-before-the-copy.md.
  const after = Object.assign({}, order, amounts, {
    subtotal,
    total,
    discount: off,
    couponId,
    couponCode,
    discounts: kept,
    shippingMethodId,
    shippingTitle,
  });
  const isApplied = applied.some((one) => one.discount.id === order.couponId);
  return { after, isCouponLost: order.couponId !== undefined && !isApplied, quotes };
}
