/** Settings of consumer law, and which orders it is about. */
import { z } from "zod";

export const euSettingsSchema = z.strictObject({
  /** "auto": on for shops whose currency is EUR. */
  mode: z.enum(["auto", "on", "off"]).default("auto"),
  /** How long buyers may withdraw, from the delivery on; the law's minimum is 14. */
  withdrawalDays: z.number().int().min(14).max(365).default(14),
  /** Days after which a parcel counts as arrived. */
  transitDays: z.number().int().min(0).max(60).default(7),
  /** Days on which no period ends, beside Saturdays and Sundays. */
  publicHolidays: z.array(z.iso.date()).max(200).default([]),
  /** The page of the shop front with the withdrawal function, for mails; "" while there is none. */
  withdrawalUrl: z
    .string()
    .max(500)
    .regex(/^(?:https?:\/\/|\/)[^\s{}]*$/u, "must be a URL that starts with https://, http:// or /")
    .or(z.literal(""))
    .default(""),
  /** Whether a checkout has to say that the buyer agrees to the terms. */
  termsConsent: z.boolean().default(false),
});
export type EuSettings = z.infer<typeof euSettingsSchema>;

/** The part of the site's settings that the law depends on. */
export interface EuSite {
  readonly currency: string;
  readonly timeZone: string;
  readonly eu: EuSettings;
}

/** Whether the shop sells by the consumer law of the European Union. */
export function isEuOn({ currency, eu }: Pick<EuSite, "currency" | "eu">): boolean {
  return eu.mode === "auto" ? currency === "EUR" : eu.mode === "on";
}
