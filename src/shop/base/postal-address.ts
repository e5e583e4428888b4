/** Addresses of buyers and sellers. */
import { z } from "zod";
import { line, trimmedLine } from "../../kit/text/schemas.ts";

/** ISO 3166-1 alpha-2, in capitals. */
export const countrySchema = z
  .string()
  .regex(/^[A-Z]{2}$/u, "must be a country code such as DE (ISO 3166-1)");

/** Where goods are sent, or an invoice goes. */
export const addressSchema = z.strictObject({
  name: trimmedLine(120),
  company: line(120).optional(),
  line1: trimmedLine(200),
  line2: line(200).optional(),
  city: trimmedLine(120),
  region: line(120).optional(),
  postalCode: line(20).optional(),
  country: countrySchema,
  phone: line(40).optional(),
});
export type Address = z.infer<typeof addressSchema>;
