/** Customers as administrators see them. */
import { z } from "zod";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";

/** A customer as answers have them. */
export const customerViewSchema = z.object({
  id: z.string(),
  version: z.int().describe("0 while there is neither a note nor a block"),
  userId: z.string().optional(),
  email: z.string().describe("Of the newest order"),
  orders: z.int(),
  openOrders: z.int(),
  paid: z.array(z.object({ currency: z.string(), amount: z.int() })),
  firstOrderAt: isoTimeSchema,
  lastOrderAt: isoTimeSchema,
  note: z.string(),
  blocked: z.boolean(),
  erasing: z.boolean().describe("Anonymised, but for orders whose time is not over"),
});
export type CustomerView = z.infer<typeof customerViewSchema>;
