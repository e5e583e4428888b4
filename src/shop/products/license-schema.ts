/** Licensing of a product: keys that programs activate and validate. */
import { z } from "zod";
import { trimmedLine } from "../../kit/text/schemas.ts";
import { amountSchema } from "../base/money-schema.ts";
import { DEFAULT_PATTERN, findPatternFault } from "./key-pattern.ts";

/** Devices of one license at most, also of one without a limit. */
export const MAX_DEVICES = 10_000;
/** Days of a license at most. */
export const MAX_LICENSE_DAYS = 36_500;
export const MAX_OFFLINE_DAYS = 366;

const deviceLimit = z.number().int().min(1).max(MAX_DEVICES);
const lengthDays = z.number().int().min(1).max(MAX_LICENSE_DAYS);

export const keyPatternSchema = trimmedLine(120).superRefine((pattern, context) => {
  const fault = findPatternFault(pattern);
  if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
});

/** Months of one period at most: as far as Stripe lets a subscription begin ahead. */
export const MAX_PERIOD_MONTHS = 24;
export const MAX_GRACE_DAYS = 60;

export const periodUnits = ["month", "year"] as const;
export type PeriodUnit = (typeof periodUnits)[number];

const graceDays = z.number().int().min(0).max(MAX_GRACE_DAYS);

/** Licenses that are paid again for each period. */
export const productRenewalSchema = z.strictObject({
  every: z.enum(periodUnits).default("year"),
  /** Years or months of a period. */
  count: z.number().int().min(1).max(MAX_PERIOD_MONTHS).default(1),
  /** Of a period after the first; absent: what the product costs. */
  price: amountSchema.optional(),
  /** How long a license stays valid after a period that was not paid for. */
  graceDays: graceDays.default(7),
});
export type ProductRenewal = z.infer<typeof productRenewalSchema>;

/** Absent in a product: its keys are only delivered. */
export const productLicenseSchema = z.strictObject({
  /** "generated": a new key for each unit; "stock": one of those that were added. */
  keys: z.enum(["stock", "generated"]).default("stock"),
  pattern: keyPatternSchema.default(DEFAULT_PATTERN),
  /** Absent: no limit. */
  maxDevices: deviceLimit.optional(),
  /** From the delivery on; absent: licenses never expire. */
  days: lengthDays.optional(),
  /** How long a license file is valid without asking the shop again. */
  offlineDays: z.number().int().min(1).max(MAX_OFFLINE_DAYS).default(30),
  /** In place of `days`; absent: licenses do not renew. */
  renewal: productRenewalSchema.optional(),
});
export type ProductLicense = z.infer<typeof productLicenseSchema>;

/** What a variant has in place of its product; null: no limit. */
export const variantLicenseSchema = z.strictObject({
  maxDevices: deviceLimit.nullable().optional(),
  days: lengthDays.nullable().optional(),
  /** Of a period after the first; null: what the variant costs. */
  renewalPrice: amountSchema.nullable().optional(),
});
export type VariantLicense = z.infer<typeof variantLicenseSchema>;

/** How a license renews, as it was bought. */
export const renewalTermsSchema = z.object({
  every: z.enum(periodUnits),
  count: z.number().int().min(1),
  /** Of one license for one period, as the shop's prices are. */
  price: amountSchema,
  graceDays,
});
export type RenewalTerms = z.infer<typeof renewalTermsSchema>;

/** The terms of a license as it was bought. */
export const licenseTermsSchema = z.object({
  keys: z.enum(["stock", "generated"]),
  pattern: z.string().max(120),
  maxDevices: deviceLimit.optional(),
  days: lengthDays.optional(),
  offlineDays: z.number().int().min(1).max(MAX_OFFLINE_DAYS),
  renewal: renewalTermsSchema.optional(),
});
export type LicenseTerms = z.infer<typeof licenseTermsSchema>;

interface Licensed {
  readonly license?: ProductLicense | undefined;
  readonly deliveryType: string;
  readonly price: number;
}

interface LicensedVariant {
  readonly license?: VariantLicense | undefined;
  readonly price: number;
}

/** How the licenses of a product or one of its variants renew, at today's price; undefined if they do not. */
export function toRenewalTerms(
  { license, deliveryType, price }: Licensed,
  variant: LicensedVariant | undefined,
): RenewalTerms | undefined {
  if (license?.renewal === undefined || deliveryType !== "auto_secret") return undefined;
  const { every, count, graceDays: grace, price: ofProduct } = license.renewal;
  const { renewalPrice = ofProduct } = variant?.license ?? {};
  return { every, count, graceDays: grace, price: renewalPrice ?? variant?.price ?? price };
}

/** The terms of a product or one of its variants; undefined without licensing. */
export function toLicenseTerms(
  product: Licensed,
  variant: LicensedVariant | undefined,
): LicenseTerms | undefined {
  const { license, deliveryType } = product;
  if (license === undefined || deliveryType !== "auto_secret") return undefined;
  const { maxDevices = license.maxDevices, days = license.days } = variant?.license ?? {};
  const renewal = toRenewalTerms(product, variant);
  return {
    keys: license.keys,
    pattern: license.pattern,
    maxDevices: maxDevices ?? undefined,
    days: renewal === undefined ? (days ?? undefined) : undefined,
    offlineDays: license.offlineDays,
    renewal,
  };
}
