/** Requests of administrators about orders. */
import { z } from "zod";
import { line, text } from "../../kit/text/schemas.ts";
import { positiveAmountSchema } from "../base/money-schema.ts";
import { repeatedMails } from "../orders/mails.ts";
import { attentionSchema, shipmentSchema } from "../orders/schema.ts";

const version = z.number().int().min(1).optional();
/** Of every move: a note, and the version that it is meant for. */
export const moveSchema = z.strictObject({ note: text(1_000).default(""), version });
const moveShape = moveSchema.shape;
const reference = line(120).min(1).optional();
const lineId = z.string().min(1).max(100);

export const markPaidSchema = z.strictObject({
  ...moveShape,
  amount: positiveAmountSchema.optional(),
  reference,
});

export const deliverySchema = z.strictObject({
  ...moveShape,
  lines: z
    .array(z.strictObject({ lineId: z.string().max(100), content: text(10_000).optional() }))
    .min(1)
    .max(100)
    .optional(),
  shipment: z.strictObject(shipmentSchema.shape).optional(),
});

export const shipmentChangeSchema = z.strictObject({
  ...moveShape,
  shipment: z.strictObject(shipmentSchema.shape),
  mail: z.boolean().default(true),
});

export const resolutionSchema = z.strictObject({
  ...moveShape,
  flags: z.array(attentionSchema).min(1).max(20),
  creditNote: z
    .boolean()
    .optional()
    .describe(
      "Only with chargeback: whether the dispute is lost, so that a credit note for the amount is created",
    ),
});

export const orderNoteSchema = z.strictObject({ note: text(1_000).trim().min(1), version });

export const mailAgainSchema = z.strictObject({ ...moveShape, mail: z.enum(repeatedMails) });

export const keyReplacementSchema = z.strictObject({
  ...moveShape,
  lineId,
  index: z.number().int().min(0).max(10_000).describe("Index of the key in the line, starting at 0"),
  mail: z.boolean().default(true),
});
