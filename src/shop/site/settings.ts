/** The shop's groups of settings in the store: "site" with its payment providers, and "smtp". Secrets in them are sealed. */
import { defineSettings } from "../../records/settings.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { settings } from "./records.ts";
import {
  type Provider,
  type SiteSettings,
  type SmtpSettings,
  siteSettingsSchema,
  smtpSettingsSchema,
} from "./schema.ts";

export const { read: readSettings, replace: replaceSettings } = defineSettings<{
  site: SiteSettings;
  smtp: SmtpSettings;
}>(settings, {
  site: siteSettingsSchema,
  smtp: smtpSettingsSchema,
});

/** The site's settings as they are in this transaction. */
export async function readSite(tx: ReadTx): Promise<SiteSettings> {
  return (await readSettings(tx, "site")).fields;
}

/** Replaces the IDs of automatic discounts; the other settings stay. */
export async function setAutomaticDiscounts(tx: Tx, automaticDiscounts: readonly string[]): Promise<void> {
  const before = await tx.get(settings, "site");
  const fields = { ...before?.fields, automaticDiscounts: [...automaticDiscounts] };
  if (before === undefined) await tx.insert(settings, { id: "site", fields });
  else await tx.put(settings, { ...before, fields });
}

/** The mail settings as they are in this transaction. */
export async function readSmtp(tx: ReadTx): Promise<SmtpSettings> {
  return (await readSettings(tx, "smtp")).fields;
}

/** An enabled payment provider by its slug. */
export function findProvider(site: SiteSettings, slug: string): Provider | undefined {
  return site.paymentProviders.find(({ word, enabled }) => word === slug && enabled);
}
