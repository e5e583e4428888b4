/** Customers as administrators see them. */
import { z } from "zod";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { customerShape } from "./fields.ts";

/** A customer as answers have them. */
export const customerViewSchema = z.object(customerShape);
export type CustomerView = z.infer<typeof customerViewSchema>;

/** The result of anonymizing a customer. */
export const customerErasedSchema = z.object({
  anonymised: z.int(),
  kept: z.int(),
  keptUntil: isoTimeSchema.optional(),
});
export type CustomerErased = z.infer<typeof customerErasedSchema>;
