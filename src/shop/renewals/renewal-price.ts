/** What a period of a subscription costs: at the price that was agreed, with the tax of the day. */
import type { ReadTx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import type { PricedLine } from "../checkout/pricing.ts";
import { type Priced, priceOrder } from "../checkout/quote.ts";
import type { CheckoutInput } from "../checkout/schema.ts";
import type { CouponGuesses } from "../coupons/coupons.ts";
import type { OrderLine, OrderRecord } from "../orders/schema.ts";
import { products } from "../products/records.ts";
import type { SiteSettings } from "../site/schema.ts";
import type { SubscriptionRecord } from "../subscriptions/schema.ts";
import type { VatVerdict } from "../tax/vat-checks.ts";
import type { Caller } from "../users/caller.ts";

const noGuesses: CouponGuesses = {
  check: () => ({ allowed: true, retryAfterSeconds: 0 }),
  hit: () => ({ allowed: true, retryAfterSeconds: 0 }),
};

/** The renewal as its buyer would send it to the checkout, as the first order knows them. */
export function toRenewalInput(first: OrderRecord): CheckoutInput {
  const { email, language, shippingAddress, billingAddress, country } = first;
  const { vatId, buyerReference, orderReference } = first;
  return {
    items: [],
    contact: { email },
    language,
    note: "",
    // Nothing is sent, and the place of the buyer counts for the tax.
    shippingAddress,
    billingAddress,
    country,
    vatId,
    buyerReference,
    orderReference,
  };
}

export function toRenewalCaller({ userId }: OrderRecord): Caller {
  const user =
    userId === undefined ? undefined : { id: userId, username: "", displayName: "", emailVerified: true };
  return { user, clientAddress: "", userAgent: "", requestId: "" };
}

/** The price of one license for a period that begins then. */
export function toUnitPrice({ terms, nextPrice }: SubscriptionRecord, from: number): number {
  return nextPrice !== undefined && nextPrice.from <= from ? nextPrice.price : terms.price;
}

export interface RenewalWanted {
  readonly subscription: SubscriptionRecord;
  readonly first: OrderRecord;
  readonly site: SiteSettings;
  /** Licenses. */
  readonly quantity: number;
  readonly lineId: string;
  readonly renewal: NonNullable<OrderLine["renewal"]>;
  readonly verdict: VatVerdict | undefined;
}

async function toLine(tx: ReadTx, wanted: RenewalWanted): Promise<PricedLine> {
  const { subscription, first, quantity, lineId, renewal } = wanted;
  const { productId, variantId, stockId, title, sku, options } = subscription;
  const unitPrice = toUnitPrice(subscription, renewal.from);
  const subtotal = unitPrice * quantity;
  const product = await tx.get(products, productId);
  const bought = first.lines.find(({ id }) => id === subscription.lineId);
  const taxClass = product?.taxClass ?? bought?.taxClass;
  const line: OrderLine = {
    id: lineId,
    productId,
    variantId,
    stockId,
    // Nothing of the stock is sold once more.
    stockMode: "unlimited",
    title,
    sku,
    options,
    quantity,
    unitPrice,
    subtotal,
    discount: 0,
    total: subtotal,
    deliveryType: "auto_secret",
    inputs: {},
    instructions: "",
    renewal,
    secretIds: [],
  };
  return {
    line,
    product: {
      id: productId,
      categoryId: product?.categoryId,
      taxClass,
      deliveryType: "auto_secret",
      excludedFromWithdrawal: product?.excludedFromWithdrawal,
    },
  };
}

/** @throws AppError `invalid` for addresses or a VAT ID that the tax rules of today do not take */
export async function priceRenewal(
  tx: ReadTx,
  { box, clock }: Pick<ShopDeps, "box" | "clock">,
  wanted: RenewalWanted,
): Promise<Priced> {
  const { first, site, verdict } = wanted;
  const own = { prices: [], custom: [], listed: [await toLine(tx, wanted)] };
  const input = toRenewalInput(first);
  const asked = { input, caller: toRenewalCaller(first), site, verdict, own };
  return priceOrder(tx, { box, clock, guesses: noGuesses }, asked);
}
