/** Warnings for administrators about the site's settings. */
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { findKind } from "../payments/providers/kinds.ts";
import { toDecimal } from "../base/money.ts";
import { takesAmount, takesCurrency } from "../payments/services/offered.ts";
import { kindNameOf, openCredentials } from "../payments/services/open-provider.ts";
import { type Provider, type SiteSettings, DEMO_SLUG } from "../site/schema.ts";
import { isInEu } from "../tax/eu-rates.ts";
import { findSecretProblem } from "../../kit/secrets/webhook-signature.ts";

export interface SiteWarning {
  readonly code: string;
  readonly message: string;
}

function toProviderWarning(provider: Provider, box: SecretBox): SiteWarning[] {
  const { word, requireWebhookSecret } = provider;
  const { secret } = openCredentials(box, provider);
  if (secret !== undefined) {
    const problem = findSecretProblem(secret);
    if (problem === undefined) return [];
    const message = `The secret of "${word}" is weak or malformed: it ${problem}`;
    return [{ code: "unsecured_webhook", message }];
  }
  return requireWebhookSecret
    ? [
        {
          code: "no_webhook_secret",
          message: `Payment notifications of "${word}" are rejected. Set its secret, or mark its orders as paid manually`,
        },
      ]
    : [
        {
          code: "unsecured_webhook",
          message: `Anyone can send payment notifications as "${word}". Set its secret, or enable requireWebhookSecret`,
        },
      ];
}

/** Some buyers cannot: the smallest unit shows whether it can charge every amount. */
function toAmountWarning(provider: Provider, currency: string): SiteWarning[] {
  if (takesAmount(provider, currency, 1)) return [];
  const message = `"${provider.word}" cannot charge every amount in ${currency}, such as ${toDecimal(1, currency)}: buyers pay other totals with another payment method. Set prices, discounts, and shipping fees whose last digit is 0`;
  return [{ code: "provider_amounts", message }];
}

/** No buyer can use a kind that does not accept the currency of the shop. */
function toKindWarning(provider: Provider, { currency }: SiteSettings): SiteWarning[] {
  if (takesCurrency(provider, currency)) return toAmountWarning(provider, currency);
  const takes = findKind(kindNameOf(provider))?.currencies?.join(", ") ?? "";
  const message = `"${provider.word}" accepts ${takes}, but the shop sells in ${currency}: buyers cannot pay with it`;
  return [{ code: "provider_currency", message }];
}

/** The warning wherever the demo payment is on. */
export const DEMO_IS_ON =
  "Demo payments are enabled. Orders paid this way are free. Disable them before you sell";

/** Warnings for settings as they are. */
export function listSiteWarnings(site: SiteSettings, box: SecretBox): SiteWarning[] {
  const enabled = site.paymentProviders.filter((provider) => provider.enabled);
  const hasDemo = enabled.some(({ word }) => word === DEMO_SLUG);
  const warnings = enabled
    .filter(({ word }) => word !== DEMO_SLUG)
    .flatMap((provider) =>
      kindNameOf(provider) === "generic" ? toProviderWarning(provider, box) : toKindWarning(provider, site),
    );
  if (hasDemo) {
    warnings.push({
      code: "demo_provider_enabled",
      message: DEMO_IS_ON,
    });
  }
  const { tax, seller } = site;
  if (tax.enabled && tax.reverseCharge === true && tax.vatIds === "off" && isInEu(seller.country)) {
    warnings.push({
      code: "reverse_charge_off",
      message:
        "VAT IDs no longer remove VAT automatically: companies in other EU countries now pay it. Choose in the VAT settings whether valid VAT IDs remove VAT",
    });
  }
  if (enabled.length === 0) {
    warnings.push({
      code: "no_payment_provider",
      message: "No payment provider is enabled. Only free orders can be placed",
    });
  }
  return warnings;
}
