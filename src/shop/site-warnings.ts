/** What an administrator should know of the site's settings. Hidden here: which combinations are risky. */
import type { Provider, SiteSettings } from "./site-schema.ts";
import { DEMO_WORD } from "./site-schema.ts";

export interface SiteWarning {
  readonly code: string;
  readonly message: string;
}

function toProviderWarning({ word, secret, requireWebhookSecret }: Provider): SiteWarning[] {
  if (secret !== undefined) return [];
  return requireWebhookSecret
    ? [
        {
          code: "no_webhook_secret",
          message: `Payment notices of "${word}" are refused: set its secret, or mark its orders as paid by hand`,
        },
      ]
    : [
        {
          code: "unsecured_webhook",
          message: `Anybody can send payment notices as "${word}": set its secret, or switch requireWebhookSecret on`,
        },
      ];
}

/** Warnings for settings as they are. */
export function listSiteWarnings(site: SiteSettings): SiteWarning[] {
  const enabled = site.paymentProviders.filter((provider) => provider.enabled);
  const hasDemo = enabled.some(({ word }) => word === DEMO_WORD);
  const warnings = enabled.filter(({ word }) => word !== DEMO_WORD).flatMap(toProviderWarning);
  if (hasDemo && enabled.length > 1) {
    warnings.push({
      code: "demo_provider_enabled",
      message: "Buyers can choose the demo provider, with which nobody pays: switch it off before you sell",
    });
  }
  if (enabled.length === 0) {
    warnings.push({
      code: "no_payment_provider",
      message: "No payment provider is switched on: only orders that cost nothing can be placed",
    });
  }
  return warnings;
}
