/** What a draft costs: by the checkout's own prices, with what staff set. */
import { AppError, type FieldError } from "../../kit/errors.ts";
import type { ReadTx } from "../../store/store.ts";
import { CUSTOM_ID } from "../base/custom-line.ts";
import type { ShopDeps } from "../base/deps.ts";
import type { PricedLine } from "../checkout/pricing.ts";
import { type OwnTerms, type Priced, priceOrder } from "../checkout/quote.ts";
import type { CheckoutInput } from "../checkout/schema.ts";
import type { CouponGuesses } from "../coupons/coupons.ts";
import type { OrderLine } from "../orders/schema.ts";
import type { SiteSettings } from "../site/schema.ts";
import type { VatVerdict } from "../tax/vat-checks.ts";
import type { Caller } from "../users/caller.ts";
import type { CustomItem, DraftContent, DraftItem, Quoted } from "./schema.ts";

type ProductItem = Exclude<DraftItem, CustomItem>;

function isProduct(item: DraftItem): item is ProductItem {
  return "productId" in item;
}

/** Staff type codes that they know; buyers take the draft's. */
const noGuesses: CouponGuesses = {
  check: () => ({ allowed: true, retryAfterSeconds: 0 }),
  hit: () => ({ allowed: true, retryAfterSeconds: 0 }),
};

/** A draft's buyer, as the prices of a checkout know one. */
export function toBuyer({ userId }: Pick<DraftContent, "userId">, clientAddress = ""): Caller {
  const user =
    userId === undefined ? undefined : { id: userId, username: "", displayName: "", emailVerified: false };
  return { ...(user && { user }), clientAddress, userAgent: "", requestId: "" };
}

/** The draft as a checkout would send it. */
export function toInput(content: DraftContent): CheckoutInput {
  const { email = "", language, couponCode, shipping, note, items } = content;
  const { shippingAddress, billingAddress, country, vatId, buyerReference, orderReference } = content;
  return {
    items: items.filter(isProduct).map(({ productId, variantId, quantity, inputs }) => {
      return { productId, variantId, quantity, inputs };
    }),
    contact: { email },
    language,
    couponCode,
    note,
    shippingAddress,
    billingAddress,
    country,
    vatId,
    buyerReference,
    orderReference,
    shippingMethodId: shipping?.methodId,
  };
}

function toCustomLine({ id = "", title, quantity, unitPrice, taxClass, isSent }: CustomItem): PricedLine {
  const subtotal = unitPrice * quantity;
  const deliveryType = isSent ? "shipping" : "manual";
  const line: OrderLine = {
    id,
    productId: CUSTOM_ID,
    stockId: CUSTOM_ID,
    stockMode: "unlimited",
    title,
    sku: "",
    options: {},
    quantity,
    unitPrice,
    subtotal,
    discount: 0,
    total: subtotal,
    deliveryType,
    inputs: {},
    instructions: "",
    secretIds: [],
  };
  return { line, product: { id: CUSTOM_ID, taxClass, deliveryType } };
}

function toOwn({ items, discount, shipping }: DraftContent): OwnTerms {
  return {
    prices: items.filter(isProduct).map(({ unitPrice }) => unitPrice),
    custom: items.flatMap((item) => (isProduct(item) ? [] : [toCustomLine(item)])),
    discount: discount && { kind: discount.kind, value: discount.value, productIds: [], categoryIds: [] },
    fee: shipping?.fee,
  };
}

/** Errors of the checkout name items without the custom ones between them. */
function rename({ items }: DraftContent, { pointer, code, message }: FieldError): FieldError {
  const places = items.flatMap((item, place) => (isProduct(item) ? [place] : []));
  const renamed = pointer
    .replace(/^\/items\/(\d+)/u, (_all, index: string) => `/items/${places[Number(index)] ?? index}`)
    .replace(/^\/shippingMethodId/u, "/shipping/methodId");
  return { pointer: renamed, code, message };
}

export interface DraftWanted {
  readonly content: DraftContent;
  readonly site: SiteSettings;
  readonly verdict?: VatVerdict | undefined;
  readonly isPreview?: boolean;
}

/**
 * Prices a draft. Its lines have the IDs of its items.
 * @throws AppError `invalid`, `quantity_limit`, `coupon_invalid`
 */
export async function priceDraft(
  tx: ReadTx,
  { box, clock }: Pick<ShopDeps, "box" | "clock">,
  { content, site, verdict, isPreview = false }: DraftWanted,
): Promise<Priced> {
  const products = content.items.filter(isProduct);
  const wanted = { input: toInput(content), caller: toBuyer(content), site, verdict, isPreview };
  const priced = await priceOrder(
    tx,
    { box, clock, guesses: noGuesses },
    { ...wanted, own: toOwn(content) },
  ).catch((error: unknown) => {
    if (error instanceof AppError && error.errors.length > 0)
      Object.assign(error, { errors: error.errors.map((one) => rename(content, one)) });
    throw error;
  });
  // Parts of a bundle after the first one have IDs that follow from that of their item.
  const ids = priced.lines.map(({ item, line }, index) => {
    const id = item === undefined ? undefined : products[item]?.id;
    const place = priced.lines.slice(0, index).filter((one) => one.item === item).length;
    return id === undefined ? line.id : place === 0 ? id : `${id.slice(0, 90)}-${place + 1}`;
  });
  const withId = <T extends { readonly id: string }>(line: T, index: number): T => {
    return { ...line, id: ids[index] ?? line.id };
  };
  const { totals, delivery } = priced;
  const title = content.shipping?.title;
  const isNamed = delivery.chosen === undefined && title !== undefined;
  const own = isNamed && { id: "", title, description: "", deliveryTime: "", price: totals.shipping };
  return {
    ...priced,
    totals: { ...totals, lines: totals.lines.map(withId) },
    lines: priced.lines.map((one, index) => ({ ...one, line: withId(one.line, index) })),
    delivery: own === false ? delivery : { ...delivery, chosen: own },
  };
}

/** A priced draft as it is stored, shown, and compared. */
export function toQuoted(content: DraftContent, { site, totals, language, delivery, vatId }: Priced): Quoted {
  const { email = "", note, shippingAddress, billingAddress, country } = content;
  const { lines, subtotal, discount, shipping, total, tax, pricesIncludeTax } = totals;
  return {
    email,
    language,
    note,
    shippingAddress,
    billingAddress,
    country,
    vatId,
    currency: site.currency,
    subtotal,
    discount,
    shipping,
    shippingMethodId: delivery.chosen?.id || undefined,
    shippingTitle: delivery.chosen?.title,
    total,
    tax,
    pricesIncludeTax,
    lines: lines.map((line) => {
      const { id, productId, variantId, title, options, sku, quantity, unitPrice } = line;
      const { subtotal: sum, discount: off, total: rest, deliveryType } = line;
      return {
        id,
        productId,
        variantId,
        title,
        options,
        sku,
        quantity,
        unitPrice,
        subtotal: sum,
        discount: off,
        total: rest,
        deliveryType,
      };
    }),
  };
}
