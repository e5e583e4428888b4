/** Requests that correct an order after it was placed. */
import { z } from "zod";
import { languageTag, line, text } from "../../kit/text/schemas.ts";
import { addressSchema, countrySchema } from "../base/postal-address.ts";
import { moveSchema } from "../fulfilment/schema.ts";
import { emailSchema } from "../orders/schema.ts";

/** What an edit changes; omitted members stay. */
export const orderEditSchema = z.strictObject({
  email: emailSchema.optional(),
  language: languageTag.optional(),
  buyersNote: text(2_000).optional().describe("The note that the buyer left with the order"),
  shippingAddress: addressSchema.optional(),
  billingAddress: addressSchema.nullable().optional().describe("null: the same as the shipping address"),
  country: countrySchema.optional().describe("Where the buyer lives, if no address says so"),
  vatId: line(40).trim().optional().describe('"" removes it'),
});
export type WantedEdit = z.infer<typeof orderEditSchema>;

/** An edit with the version that it is meant for. */
export const orderEditMoveSchema = z.strictObject({
  ...orderEditSchema.shape,
  note: moveSchema.shape.note.describe("For the buyer's email and the history of the order"),
  version: z.number().int().min(1),
  mail: z.boolean().default(true).describe("Whether the buyer is told about the changes by email"),
  renewToken: z
    .boolean()
    .default(false)
    .describe("Whether links of earlier emails stop working; for an order that was sent to someone else"),
});

/** A buyer's new shipping address. */
export const addressChangeSchema = z.strictObject({ shippingAddress: addressSchema });
