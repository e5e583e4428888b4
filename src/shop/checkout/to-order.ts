/** The order of a priced cart, before it is stored. */
import { addressKey } from "../../kit/limits/rate-limit.ts";
import { newCodeText, newId } from "../../kit/secrets/id.ts";
import type { ShopDeps } from "../base/deps.ts";
import { formatDay } from "../base/formats.ts";
import { toMailbox } from "../base/mailbox.ts";
import { toOrderDiscounts } from "../coupons/order-discounts.ts";
import type { CardShare } from "../gift-cards/find-cards.ts";
import { CARD_PROVIDER } from "../orders/card-payments.ts";
import { placeOrder } from "../orders/order.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { chooseProvider } from "../payments/services/offered.ts";
import { findProvider } from "../site/settings.ts";
import type { Caller } from "../users/caller.ts";
import { toConsents, withWithdrawal } from "./consents.ts";
import type { Priced } from "./quote.ts";
import type { CheckoutInput } from "./schema.ts";

const MINUTE_MS = 60_000;
const NUMBER_CHARACTERS = 8;

type OpenKeys = Pick<OrderRecord, "openUser" | "openEmail" | "openAddress">;

/** Ids by which waiting orders of one person or place are counted; keyed hashes where they would show who. */
export function toOpenKeys(
  { box }: Pick<ShopDeps, "box">,
  email: string,
  { user, clientAddress }: Caller,
): OpenKeys {
  return {
    openUser: user?.id,
    openEmail: user === undefined ? box.lookup(toMailbox(email), "open-email") : undefined,
    openAddress: box.lookup(addressKey(clientAddress), "open-address"),
  };
}

/** "261121-7kq4mp2x" in capitals: the day in the shop's time zone, and chance; 40 bits, unique by its index. */
function toNumber(nowMs: number, timeZone: string): string {
  const day = formatDay(nowMs, timeZone);
  return `${day.slice(2).replaceAll("-", "")}-${newCodeText(NUMBER_CHARACTERS).toUpperCase()}`;
}

/** How an order is paid, and until when: "none" where nothing is to be paid. Throws `invalid`, `checkout_closed`. */
export function chooseMethod(
  { site, totals, shares = [] }: Pick<Priced, "site" | "totals"> & { readonly shares?: readonly CardShare[] },
  wanted: string | undefined,
  nowMs: number,
): { readonly word: string; readonly expiresAt: number } {
  const amount = totals.total - shares.reduce((sum, share) => sum + share.amount, 0);
  const none = shares.length > 0 ? CARD_PROVIDER : "none";
  const word = amount === 0 ? none : chooseProvider({ site, currency: site.currency, amount }, wanted).word;
  const minutes = findProvider(site, word)?.expiryMinutes ?? site.orderExpiryMinutes;
  return { word, expiresAt: nowMs + minutes * MINUTE_MS };
}

/** A new order, which waits for its payment. */
export function toNewOrder({
  input,
  caller,
  priced,
  method,
  expiresAt,
  nowMs,
  keys,
}: {
  readonly input: CheckoutInput;
  readonly caller: Pick<Caller, "user">;
  readonly priced: Priced;
  readonly method: string;
  readonly expiresAt: number;
  readonly nowMs: number;
  readonly keys: OpenKeys;
}): Omit<OrderRecord, "version"> {
  const { contact, note = "" } = input;
  const { site, totals, coupon, language, delivery, vatId, vatCheck } = priced;
  const { email } = contact;
  const { lines, subtotal, discount, shipping, total, tax, pricesIncludeTax } = totals;
  const { openUser, openEmail, openAddress } = keys;
  // One literal, nothing spread into its middle: V8 would make a hash table of it, which costs at each further step.
  const facts = {
    id: newId("ord", nowMs),
    number: toNumber(nowMs, site.timeZone),
    userId: caller.user?.id,
    email,
    language,
    currency: site.currency,
    lines: withWithdrawal(lines, priced),
    subtotal,
    discount,
    shipping,
    total,
    tax,
    pricesIncludeTax,
    couponId: coupon?.id,
    couponCode: coupon?.code,
    discounts: toOrderDiscounts(totals.applied),
    shippingAddress: input.shippingAddress,
    billingAddress: input.billingAddress,
    country: input.country,
    vatId,
    vatCheck: vatCheck && { ...vatCheck, at: vatCheck.at ?? nowMs },
    buyerReference: input.buyerReference || undefined,
    orderReference: input.orderReference || undefined,
    shippingMethodId: delivery.chosen?.id,
    shippingTitle: delivery.chosen?.title,
    note,
    paymentMethod: method,
    openUser,
    openEmail,
    openAddress,
    isLimited:
      (caller.user === undefined &&
        priced.lines.some(({ product }) => product.maxPerCustomer !== undefined)) ||
      undefined,
    expiresAt,
    consents: toConsents(priced, { given: input.consents, atMs: nowMs }),
  };
  return placeOrder(facts, nowMs);
}
