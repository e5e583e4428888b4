/** Licensing of a product: keys that programs activate and validate. */
import { z } from "zod";
import { trimmedLine } from "../../kit/text/schemas.ts";
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
});
export type ProductLicense = z.infer<typeof productLicenseSchema>;

/** What a variant has in place of its product; null: no limit. */
export const variantLicenseSchema = z.strictObject({
  maxDevices: deviceLimit.nullable().optional(),
  days: lengthDays.nullable().optional(),
});
export type VariantLicense = z.infer<typeof variantLicenseSchema>;

/** The terms of a license as it was bought. */
export const licenseTermsSchema = z.object({
  keys: z.enum(["stock", "generated"]),
  pattern: z.string().max(120),
  maxDevices: deviceLimit.optional(),
  days: lengthDays.optional(),
  offlineDays: z.number().int().min(1).max(MAX_OFFLINE_DAYS),
});
export type LicenseTerms = z.infer<typeof licenseTermsSchema>;

/** The terms of a product or one of its variants; undefined without licensing. */
export function toLicenseTerms(
  { license, deliveryType }: { readonly license?: ProductLicense | undefined; readonly deliveryType: string },
  variant: { readonly license?: VariantLicense | undefined } | undefined,
): LicenseTerms | undefined {
  if (license === undefined || deliveryType !== "auto_secret") return undefined;
  const { maxDevices = license.maxDevices, days = license.days } = variant?.license ?? {};
  return {
    keys: license.keys,
    pattern: license.pattern,
    maxDevices: maxDevices ?? undefined,
    days: days ?? undefined,
    offlineDays: license.offlineDays,
  };
}
