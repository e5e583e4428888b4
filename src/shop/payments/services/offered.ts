/** Which payment providers a buyer can choose: those that are switched on and take the currency. */
import { AppError } from "../../../kit/errors.ts";
import { toDecimal } from "../../base/money.ts";
import { ShopError } from "../../base/errors.ts";
import { type Provider, type SiteSettings, DEMO_SLUG } from "../../site/schema.ts";
import { findKind } from "../providers/kinds.ts";
import { kindNameOf } from "./open-provider.ts";

/** Whether a provider's kind accepts a currency; one that this version does not know is left to the provider. */
export function takesCurrency(provider: Provider, currency: string): boolean {
  return findKind(kindNameOf(provider))?.currencies?.includes(currency) ?? true;
}

/** Whether a provider can charge every amount of a currency; Stripe takes dinars only in steps of ten fils. */
export function takesAmount(provider: Provider, currency: string, amount: number): boolean {
  return findKind(kindNameOf(provider))?.takesAmount?.(amount, currency) ?? true;
}

/** The providers that a buyer can pay with in `currency`, and that can charge `amount`. */
export function listOffered(
  { paymentProviders }: SiteSettings,
  currency: string,
  amount?: number,
): Provider[] {
  return paymentProviders.filter(
    (provider) =>
      provider.enabled &&
      takesCurrency(provider, currency) &&
      (amount === undefined || takesAmount(provider, currency, amount)),
  );
}

/** Whether buyers can pay with it: it leads somewhere, or tells them what to do. */
export function isUsable({ enabled, kind, payUrlTemplate, instructions }: Provider): boolean {
  const isOtherKind = kind !== undefined && kind !== "generic" && kind !== "manual";
  return enabled && (isOtherKind || payUrlTemplate !== "" || instructions !== "");
}

/** Those that buyers see: a method without any instructions is only shown if there is no other. */
export function listOnPages(site: SiteSettings, currency: string, amount?: number): Provider[] {
  const offered = listOffered(site, currency, amount);
  const usable = offered.filter(isUsable);
  return usable.length === 0 ? offered : usable;
}

/**
 * The provider that a buyer chose, or the first one; the demo payment only where there is no other.
 * @throws AppError `invalid` for a slug that cannot be chosen, `checkout_closed` where none can
 */
export function chooseProvider(
  {
    site,
    currency,
    amount,
  }: { readonly site: SiteSettings; readonly currency: string; readonly amount: number },
  slug: string | undefined,
): Provider {
  const offered = listOffered(site, currency, amount);
  const provider =
    slug === undefined
      ? ([...listOnPages(site, currency, amount), ...offered].find(({ word }) => word !== DEMO_SLUG) ??
        offered[0])
      : offered.find(({ word }) => word === slug);
  if (provider !== undefined) return provider;
  if (slug === undefined) throw new ShopError("checkout_closed", "No payment method is available");
  const known = site.paymentProviders.find(({ word, enabled }) => word === slug && enabled);
  const message =
    known === undefined
      ? "is not a payment method of this shop"
      : takesCurrency(known, currency)
        ? `cannot charge ${toDecimal(amount, currency)} ${currency}`
        : `does not support ${currency}`;
  const words = offered.map(({ word }) => word).join(", ");
  throw new AppError("invalid", `Choose one of the payment methods: ${words}`, {
    errors: [{ pointer: "/paymentMethod", code: "invalid", message }],
  });
}
