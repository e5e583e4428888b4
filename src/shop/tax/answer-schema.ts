/** Responses about VAT rates and VAT numbers. */
import { z } from "@hono/zod-openapi";

export const taxRatesSchema = z
  .object({
    asOf: z.iso.date(),
    items: z.array(
      z.object({
        country: z.string(),
        taxClass: z.string(),
        basisPoints: z.int().openapi({ description: "1900 is 19 %" }),
      }),
    ),
  })
  .openapi("TaxRates");

export type TaxRates = z.infer<typeof taxRatesSchema>;

export const vatNumberSchema = z
  .object({
    isWellFormed: z.boolean(),
    hasRightCheckDigits: z.boolean(),
    fault: z.enum(["unknown", "greek", "form", "digits"]).optional().openapi({
      description: "Why the number is invalid. unknown: not an EU country; greek: GR instead of EL",
    }),
    country: z.string().optional().openapi({ description: "Country code (ISO 3166-1); Greece is GR" }),
  })
  .openapi("VatNumberForm");
export type VatNumberForm = z.infer<typeof vatNumberSchema>;

/** The query for checking a VAT number. */
export const vatNumberQuerySchema = z.object({
  number: z.string().min(1).max(40).openapi({ example: "DE123456789" }),
});
