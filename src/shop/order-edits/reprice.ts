/** The amounts of an order whose items or shipping are edited. */
import { AppError } from "../../kit/errors.ts";
import type { ReadTx } from "../../store/store.ts";
import { allocate } from "../base/money.ts";
import type { TaxTerms } from "../checkout/pricing.ts";
import { toParcel } from "../checkout/quote.ts";
import { isInScope, toDiscount } from "../coupons/coupons.ts";
import { coupons } from "../coupons/records.ts";
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

/** Lines with their share of the coupon's discount, which delivered lines keep. */
async function discount(
  tx: ReadTx,
  order: OrderRecord,
  edited: readonly EditedLine[],
): Promise<{ lines: OrderLine[]; isCouponLost: boolean }> {
  const own = order.ownDiscount && { ...order.ownDiscount, productIds: [], categoryIds: [], minimum: 0 };
  const coupon = own ?? (order.couponId === undefined ? undefined : await tx.get(coupons, order.couponId));
  const isMeant = ({ product }: EditedLine): boolean => coupon !== undefined && isInScope(coupon, product);
  const sum = edited.reduce((all, one) => all + (isMeant(one) ? one.line.subtotal : 0), 0);
  const applies = coupon !== undefined && sum > 0 && sum >= coupon.minimum;
  const kept = edited.reduce((all, one) => all + (one.isFrozen ? one.line.discount : 0), 0);
  const weights = edited.map((one) => (applies && !one.isFrozen && isMeant(one) ? one.line.subtotal : 0));
  const most = weights.reduce((all, weight) => all + weight, 0);
  const rest = applies ? Math.min(most, Math.max(0, toDiscount(coupon, sum) - kept)) : 0;
  const shares = allocate(rest, weights);
  const lines = edited.map(({ line, isFrozen }, index) => {
    if (isFrozen) return line;
    const share = shares[index] ?? 0;
    return { ...line, discount: share, total: line.subtotal - share };
  });
  return { lines, isCouponLost: order.couponId !== undefined && !applies };
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
  if (isKept) return { fee: fee ?? order.shipping, isListed: false, quotes, shippingMethodId, shippingTitle };
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

/** Prices an edit. @throws AppError `invalid`, `quantity_limit`, `conflict` */
export async function reprice(tx: ReadTx, order: OrderRecord, options: Options): Promise<Repriced> {
  const { site, wanted, isPreview = false, retaxed } = options;
  const terms = retaxed?.terms ?? toTerms(order, site);
  const edited = await editLines(tx, order, { site, wanted, terms, isPreview, retaxed });
  const { lines, isCouponLost } = await discount(tx, order, edited);
  const { quotes, fee, isListed, shippingMethodId, shippingTitle } = toDelivery(order, lines, options);
  const { total, ...amounts } = addUp(edited, { lines, fee, isListed, terms });
  const subtotal = lines.reduce((all, line) => all + line.subtotal, 0);
  if (!Number.isSafeInteger(subtotal) || !Number.isSafeInteger(total))
    throw new AppError("invalid", "The order total is too high. Reduce the quantities");
  const off = lines.reduce((all, line) => all + line.discount, 0);
  const hasCoupon = !isCouponLost || off > 0;
  const { couponId, couponCode } = hasCoupon ? order : {};
  // Not a spread: docs/decisions/078-members-before-the-copy.md.
  const after = Object.assign({}, order, amounts, {
    subtotal,
    total,
    discount: off,
    couponId,
    couponCode,
    shippingMethodId,
    shippingTitle,
  });
  return { after, isCouponLost, quotes };
}
