/**
 * The price of an order for its buyer: lines, coupon, shipping and tax, by what is known of the buyer and the
 * destination.
 */
import { AppError } from "../../kit/errors.ts";
import type { ReadTx } from "../../store/store.ts";
import { type CouponGuesses, findCoupon, listAutomatic } from "../coupons/coupons.ts";
import { type Discount, deductFee, sumOff } from "../coupons/discounts.ts";
import type { CouponRecord } from "../coupons/schema.ts";
import { needsPostalCode } from "../base/countries.ts";
import type { ShopDeps } from "../base/deps.ts";
import { ShopError } from "../base/errors.ts";
import { type Parcel, type ShippingQuote, chooseQuote, listEnabled, listQuotes } from "../shipping/quotes.ts";
import type { SiteSettings } from "../site/schema.ts";
import { type Business, type BusinessClaim, readBusiness } from "../tax/business.ts";
import { type VatVerdict, asksVies } from "../tax/vat-checks.ts";
import type { Caller } from "../users/caller.ts";
import {
  type Goods,
  type PricedLine,
  type TaxTerms,
  type Totals,
  priceLines,
  toBuyersPrices,
  toTotals,
} from "./pricing.ts";
import type { PreviewInput } from "./schema.ts";

/** The result before anything is reserved. */
export interface Priced {
  readonly site: SiteSettings;
  readonly lines: readonly PricedLine[];
  /** That of the code, if it is among the discounts. */
  readonly coupon: CouponRecord | undefined;
  readonly totals: Totals;
  readonly language: string;
  readonly delivery: Delivery;
  /** As the order keeps it. */
  readonly vatId: string | undefined;
  readonly vatCheck: Business["check"];
}

/** How goods are sent, and how sure that is. */
export interface Delivery {
  /** Methods to choose from; none where nothing is sent, or `shippingFee` counts. */
  readonly quotes: readonly ShippingQuote[];
  readonly chosen: ShippingQuote | undefined;
  /** Shipping or tax may become another when the buyer's country is known. */
  readonly isEstimate: boolean;
}

/** What staff set in place of the shop's own prices; each amount is what the buyer pays. */
export interface OwnTerms {
  /** Of the items, by their place; undefined: the product's price. */
  readonly prices: readonly (number | undefined)[];
  /** Lines that no product is behind; they come after the items. */
  readonly custom: readonly PricedLine[];
  /** Lines at the shop's own prices besides the cart, such as renewals of licenses. They come first. */
  readonly listed?: readonly PricedLine[];
  readonly discount?: Discount | undefined;
  /** Of the shipping. */
  readonly fee?: number | undefined;
}

export interface Wanted {
  readonly input: PreviewInput;
  readonly caller: Caller;
  readonly site: SiteSettings;
  readonly isPreview?: boolean;
  /** Set by staff; the shop is then open for this order. */
  readonly own?: OwnTerms | undefined;
  /** Of VIES about the VAT ID of the input. */
  readonly verdict?: VatVerdict | undefined;
}

function assertOpen(site: SiteSettings, caller: Caller, hasAccounts: boolean): void {
  if (site.maintenance)
    throw new ShopError("checkout_closed", "The shop is under maintenance. Try again later");
  if (!site.checkoutOpen)
    throw new ShopError("checkout_closed", "The shop is currently not accepting orders. Try again later");
  if (site.guestCheckout || caller.user !== undefined) return;
  if (!hasAccounts)
    throw new ShopError(
      "checkout_closed",
      "Guest orders are disabled, and the shop has no accounts. Ask the administrator to allow guest orders in the settings",
    );
  throw new AppError("unauthenticated", "This shop does not accept guest orders. Sign in to order");
}

function isSent({ line }: PricedLine): boolean {
  return line.deliveryType === "shipping";
}

function refuse(message: string, pointer: string, field: string, code = "required"): never {
  throw new AppError("invalid", message, { errors: [{ pointer, code, message: field }] });
}

/** Where goods are sent, and where the buyer lives. */
function toPlaces({ shippingAddress, billingAddress, country }: PreviewInput) {
  return {
    sentTo: shippingAddress?.country ?? country,
    buyer: billingAddress?.country ?? country ?? shippingAddress?.country,
  };
}

function assertDeliverable({ shippingAddress }: PreviewInput): void {
  if (shippingAddress === undefined)
    refuse("A shipping address is required", "/shippingAddress", "is required for items that are shipped");
  const { postalCode = "", country } = shippingAddress;
  if (postalCode.trim() === "" && needsPostalCode(country))
    refuse(
      "The postal code of the address is missing",
      "/shippingAddress/postalCode",
      `is required in ${country}`,
    );
}

function assertKnown(lines: readonly PricedLine[], { input, site: { tax } }: Wanted): void {
  if (lines.some(isSent)) assertDeliverable(input);
  const needsCountry = tax.enabled && !tax.smallBusiness && tax.destination === "buyer";
  if (needsCountry && toPlaces(input).buyer === undefined)
    refuse("Your country is required to calculate the tax", "/country", "is needed");
}

function toClaim({ site, input }: Pick<Wanted, "site" | "input">): BusinessClaim {
  const { vatId, shippingAddress, billingAddress } = input;
  const { buyer } = toPlaces(input);
  return { seller: site.seller.country, vatId, shippingAddress, billingAddress, buyer };
}

/** The VAT ID that takes the tax off if it is registered; undefined where VIES is not needed. */
export function findVatQuestion(wanted: Pick<Wanted, "site" | "input">): string | undefined {
  const { tax } = wanted.site;
  if (!asksVies(tax)) return undefined;
  return readBusiness({ ...tax, vatIds: "checked" }, toClaim(wanted)).relief?.text;
}

/** @throws AppError `invalid` for a VAT ID that is none, and before an order for what lacks beside it */
function readClaim(wanted: Wanted): Business {
  const { site, isPreview = false, verdict } = wanted;
  const business = readBusiness(site.tax, toClaim(wanted), verdict);
  const errors = [...business.faults, ...(isPreview ? [] : business.lacks)];
  const [first] = errors;
  if (first === undefined) return business;
  const name = first.pointer === "/vatId" ? "The VAT ID" : first.pointer.slice(1);
  throw new AppError("invalid", `${name} ${first.message}`, { errors });
}

function toTaxTerms({ site, input }: Wanted, { relief }: Business): TaxTerms | undefined {
  if (!site.tax.enabled || site.seller.country === "") return undefined;
  const { country, postalCode = "" } = input.shippingAddress ?? {};
  const isSentToNorthernIreland = country === "GB" && /^bt\d/iu.test(postalCode.trim());
  return {
    settings: site.tax,
    place: { seller: site.seller.country, business: relief, isSentToNorthernIreland, ...toPlaces(input) },
  };
}

/**
 * The parcel for shipping rates. Until the destination is known, the seller's country counts if the shop ships there.
 */
export function toParcel(
  goods: Goods,
  { site, input }: Pick<Wanted, "site" | "input">,
  language: string,
): Parcel {
  const grams = goods.lines.reduce(
    (sum, { deliveryType, weightGrams = 0, quantity }) =>
      deliveryType === "shipping" ? sum + weightGrams * quantity : sum,
    0,
  );
  const parcel = { value: goods.subtotal - goods.discount, grams, language };
  const { sentTo: country } = toPlaces(input);
  const home = { ...parcel, country: site.seller.country };
  if (country !== undefined || home.country === "") return { ...parcel, country };
  return listQuotes(site.shipping.methods, home).length > 0 ? home : { ...parcel, country };
}

function isUnsure(lines: readonly PricedLine[], wanted: Wanted, hasMethods: boolean): boolean {
  const { sentTo, buyer } = toPlaces(wanted.input);
  const { enabled, smallBusiness } = wanted.site.tax;
  const isTaxed = enabled && !smallBusiness;
  return lines.some((line) =>
    isSent(line) ? sentTo === undefined && (isTaxed || hasMethods) : buyer === undefined && isTaxed,
  );
}

/** @throws AppError `invalid` */
export function refuseBundlePrice(item: number): never {
  const message = "is not possible for a bundle. Add a discount, or the parts with prices of their own";
  refuse(`Another price ${message}`, `/items/${item}/unitPrice`, message, "invalid");
}

/** Lines at the prices of staff where they set some, with the lines that they typed. */
function withOwn(lines: readonly PricedLine[], own: OwnTerms | undefined): PricedLine[] {
  if (own === undefined) return [...lines];
  const priced = lines.map((one): PricedLine => {
    const { item } = one;
    const unitPrice = item === undefined ? undefined : own.prices[item];
    if (item === undefined || unitPrice === undefined) return one;
    if (one.line.bundle !== undefined) refuseBundlePrice(item);
    const subtotal = unitPrice * one.line.quantity;
    return {
      product: one.product,
      item,
      line: { ...one.line, unitPrice, priceSteps: undefined, subtotal, total: subtotal },
    };
  });
  return [...priced, ...own.custom];
}

/** How the goods are sent, and for how much. */
function createFee(wanted: Wanted, language: string) {
  const { site, input, own } = wanted;
  const { methods } = site.shipping;
  const hasMethods = listEnabled(methods).length > 0;
  let quotes: ShippingQuote[] = [];
  let chosen: ShippingQuote | undefined;
  const toFee = (goods: Goods): number => {
    if (!hasMethods) return own?.fee ?? site.shippingFee;
    const parcel = toParcel(goods, wanted, language);
    quotes = listQuotes(methods, parcel);
    // A fee of staff needs no method.
    if (own?.fee !== undefined && input.shippingMethodId === undefined) return own.fee;
    chosen = chooseQuote(quotes, { chosen: input.shippingMethodId, methods, parcel });
    return own?.fee ?? chosen.price;
  };
  return { hasMethods, toFee, toChoice: () => ({ quotes, chosen }) };
}

/** Shipping methods at what the buyer pays for them. */
function withFree(delivery: Delivery, { applied }: Totals): Delivery {
  if (applied.every(({ discount }) => discount.kind !== "shipping")) return delivery;
  const toPaid = (quote: ShippingQuote): ShippingQuote => ({
    ...quote,
    price: quote.price - sumOff(deductFee(applied, quote.price)),
  });
  return {
    ...delivery,
    quotes: delivery.quotes.map(toPaid),
    chosen: delivery.chosen && toPaid(delivery.chosen),
  };
}

/**
 * Prices an order without storing it.
 * @throws AppError `checkout_closed`, `unauthenticated` (no guests), `invalid`, `quantity_limit`, `coupon_invalid`
 */
export async function priceOrder(
  tx: ReadTx,
  {
    box,
    clock,
    guesses,
    hasAccounts = true,
  }: Pick<ShopDeps, "box" | "clock"> & {
    readonly guesses: CouponGuesses;
    readonly hasAccounts?: boolean | undefined;
  },
  wanted: Wanted,
): Promise<Priced> {
  const { input, caller, site, isPreview = false, own } = wanted;
  if (own === undefined) assertOpen(site, caller, hasAccounts);
  const { currency, languages } = site;
  const language = languages.find((tag) => tag === input.language) ?? languages[0] ?? "en";
  const { items, inputs, couponCode = "", contact } = input;
  const chosen = await priceLines(tx, { items, inputs, currency, language, isPreview });
  const found = [...(own?.listed ?? []), ...chosen];
  if (!isPreview) assertKnown([...found, ...(own?.custom ?? [])], wanted);
  const business = readClaim(wanted);
  const tax = toTaxTerms(wanted, business);
  const lines = withOwn(toBuyersPrices(found, tax), own);
  const { sentTo, buyer } = toPlaces(input);
  const use = {
    box,
    lines,
    currency,
    country: sentTo ?? buyer,
    isPreview,
    nowMs: clock.now(),
    user: { userId: caller.user?.id, emailLower: (contact?.email ?? "").toLowerCase() },
  };
  const code = couponCode.trim();
  const coupon =
    code === "" ? undefined : await findCoupon(tx, { ...use, guesses, code, address: caller.clientAddress });
  // Staff's discount replaces them, and renewals have the price that was agreed.
  const hasOwn = own?.discount !== undefined || own?.listed !== undefined;
  const automatic = hasOwn ? [] : await listAutomatic(tx, site.automaticDiscounts, use);
  const { hasMethods, toFee, toChoice } = createFee(wanted, language);
  const totals = toTotals(lines, {
    discounts: own?.discount === undefined ? [...(coupon ? [coupon] : []), ...automatic] : [own.discount],
    shippingFee: toFee,
    isFeeFinal: own?.fee !== undefined,
    tax,
  });
  const delivery = { ...toChoice(), isEstimate: isUnsure(lines, wanted, hasMethods) };
  return {
    site,
    lines,
    coupon: totals.applied.some(({ discount }) => discount.id === coupon?.id) ? coupon : undefined,
    totals,
    language,
    delivery: withFree(delivery, totals),
    vatId: business.vatId,
    vatCheck: business.check,
  };
}
