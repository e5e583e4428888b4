/** How an order is to be paid: which provider, and where. */
import { AppError } from "../../kit/errors.ts";
import { ShopError } from "../errors.ts";
import { fillTemplate } from "../../kit/text/placeholders.ts";
import { amountDueOf } from "./order.ts";
import type { ShopDeps } from "../deps.ts";
import { toDecimal } from "../money.ts";
import type { OrderRecord } from "./schema.ts";
import { toPayToken } from "./token.ts";
import { findProvider } from "../site/settings.ts";
import { type Provider, type SiteSettings, DEMO_SLUG } from "../site/schema.ts";

/** What a buyer needs to pay. */
export interface Payment {
  /** The provider's slug. */
  readonly method: string;
  readonly amount: number;
  readonly currency: string;
  /** What the payment should name: the order's number. */
  readonly reference: string;
  readonly url?: string;
  readonly instructions?: string;
  readonly expiresAt: number;
}

/** The first provider that is switched on; the demo payment only where there is no other. */
function findDefault({ paymentProviders }: SiteSettings): Provider | undefined {
  const enabled = paymentProviders.filter((provider) => provider.enabled);
  return enabled.find(({ word }) => word !== DEMO_SLUG) ?? enabled[0];
}

/** The provider that a buyer chose, or the first one. Throws `invalid` for an unknown slug, `checkout_closed` without any. */
export function chooseProvider(site: SiteSettings, slug: string | undefined): Provider {
  const provider = slug === undefined ? findDefault(site) : findProvider(site, slug);
  if (provider !== undefined) return provider;
  if (slug === undefined) throw new ShopError("checkout_closed", "The shop takes no payments now");
  const slugs = site.paymentProviders.filter(({ enabled }) => enabled).map(({ word }) => word);
  throw new AppError("invalid", `Choose one of the payment methods: ${slugs.join(", ")}`, {
    errors: [{ pointer: "/paymentMethod", code: "invalid", message: "is no payment method of this shop" }],
  });
}

/** Where a buyer goes after paying: the order's page, or the shop while there is none. Payment services see it, so its token is that for payments. */
export function toReturnUrl(
  { box, publicUrl }: Pick<ShopDeps, "box" | "publicUrl">,
  { id, number }: Pick<OrderRecord, "id" | "number">,
  { orderUrlTemplate }: SiteSettings,
): string {
  const page = fillTemplate(orderUrlTemplate, { orderId: id, number, token: () => toPayToken(box, id) });
  return page === "" || page.startsWith("/") ? `${publicUrl}${page}` : page;
}

/** What an order's buyer needs to pay; undefined when nothing is to be paid (any more). */
export function toPayment(
  deps: Pick<ShopDeps, "box" | "publicUrl">,
  order: OrderRecord,
  site: SiteSettings,
): Payment | undefined {
  if (order.status !== "pending_payment") return undefined;
  const provider = findProvider(site, order.paymentMethod);
  const { payUrlTemplate = "", instructions } = provider ?? {};
  const amount = amountDueOf(order);
  const { id, number, currency, expiresAt } = order;
  const url = fillTemplate(payUrlTemplate, {
    orderId: id,
    number,
    amount: toDecimal(amount, currency),
    amountMinor: String(amount),
    currency,
    token: () => toPayToken(deps.box, id),
    returnUrl: () => toReturnUrl(deps, order, site),
  });
  return {
    method: order.paymentMethod,
    amount,
    currency,
    reference: number,
    url: url.startsWith("/") ? `${deps.publicUrl}${url}` : url || undefined,
    instructions: instructions || undefined,
    expiresAt,
  };
}
