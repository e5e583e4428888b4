/** Tax of an order, as the order keeps it. */
import { z } from "zod";
import { timeMs } from "../../kit/text/schemas.ts";

/**
 * Why a rate applies. "taxed": by the rate; "reverse_charge": a business of another EU country owes the tax (services);
 * "intra_community": goods sent to such a business; "export": goods or services for buyers outside the EU; "exempt":
 * the seller is a small business; "voucher": a gift card, whose tax is due when it pays for something (Article 30b of
 * Directive 2006/112/EC).
 */
export const taxKindSchema = z.enum([
  "taxed",
  "reverse_charge",
  "intra_community",
  "export",
  "exempt",
  "voucher",
]);
export type TaxKind = z.infer<typeof taxKindSchema>;

/** One line of the summary: what is taxed alike. net + tax = gross. */
export const taxRowSchema = z.object({
  kind: taxKindSchema,
  /** The country of the rate. */
  country: z.string(),
  /** Basis points: 1900 is 19 %. */
  rate: z.number().int().min(0),
  net: z.number().int().min(0),
  tax: z.number().int().min(0),
  gross: z.number().int().min(0),
});
export type TaxRow = z.infer<typeof taxRowSchema>;

export const orderTaxSchema = z.object({
  /** All tax of the order, minor units; part of the total either way. */
  amount: z.number().int().min(0),
  /** Of that, what is in the shipping. */
  shipping: z.number().int().min(0),
  rates: z.array(taxRowSchema),
});
export type OrderTax = z.infer<typeof orderTaxSchema>;

/** The check of the VAT ID that an order was placed with; absent where the shop checks none, or only its digits. */
export const vatCheckSchema = z.object({
  /** "away": VIES gave no answer; "unchecked": a person checks it. */
  state: z.enum(["valid", "invalid", "away", "unchecked"]),
  at: timeMs,
  /** The consultation number of VIES, which proves the check. */
  consultation: z.string().optional(),
  /** As VIES has them; some countries tell neither. */
  name: z.string().optional(),
  address: z.string().optional(),
  /** The order is untaxed, and nothing is delivered before the check. */
  isHeld: z.literal(true).optional(),
});
export type VatCheck = z.infer<typeof vatCheckSchema>;

/** Tax of order lines; absent while the shop states no tax. */
export const lineTaxShape = {
  taxClass: z.string().optional(),
  taxKind: taxKindSchema.optional(),
  taxCountry: z.string().optional(),
  /** Basis points: 1900 is 19 %. */
  taxRate: z.number().int().min(0).optional(),
  /** Of the line's total: in it where prices include tax, else on top of it. */
  tax: z.number().int().min(0).optional(),
};
