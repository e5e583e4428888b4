/** The state of the shop's parts, and where what is wrong is fixed. */
import type { SystemStatus } from "../../../shop/operation/answer-schema.ts";

export type Check = SystemStatus["auth"];
export type Warning = SystemStatus["warnings"][number];

/** The section that fixes a warning; for others, the text says how. */
export const warningPlaces: Readonly<Record<string, string>> = {
  mail_off: "/admin/mail",
  mails_failing: "/admin/mail",
  clock_skew: "/admin/providers",
  silent_provider: "/admin/providers",
  unsecured_webhook: "/admin/providers",
  no_webhook_secret: "/admin/providers",
  provider_amounts: "/admin/providers",
  provider_currency: "/admin/providers",
  demo_provider_enabled: "/admin/providers",
  no_payment_provider: "/admin/providers",
};
