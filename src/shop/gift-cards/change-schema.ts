/** What administrators say of gift cards. */
import { z } from "zod";
import { isoTimeMs } from "../../kit/text/iso-time.ts";
import { fieldHints } from "../../kit/text/field-hints.ts";
import { isMailAddress } from "../../kit/mail/mail.ts";
import { line, text, trimmedLine } from "../../kit/text/schemas.ts";
import { MAX_AMOUNT } from "../base/money.ts";
import { positiveAmountSchema } from "../base/money-schema.ts";

const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .refine(isMailAddress, "must be an email address")
  .register(fieldHints, { keyboard: "email" });

/** A card that staff gives away, such as for a complaint. */
export const newGiftCardSchema = z.strictObject({
  /** In the currency of the shop, minor units. */
  amount: positiveAmountSchema,
  expiresAt: isoTimeMs.optional(),
  /** Gets the code by email. */
  recipientEmail: email.or(z.literal("")).optional(),
  recipientName: line(120).optional(),
  message: text(500).optional(),
  /** For staff: why it is given. */
  note: trimmedLine(300),
});
export type NewGiftCard = z.infer<typeof newGiftCardSchema>;

/** null takes the expiry away. */
export const giftCardChangeSchema = z.strictObject({
  disabled: z.boolean().optional(),
  expiresAt: isoTimeMs.nullable().optional(),
  note: line(300).optional(),
});
export type GiftCardChange = z.infer<typeof giftCardChangeSchema>;

export const giftCardAdjustmentSchema = z.strictObject({
  /** Added to the balance; negative to take off. */
  amount: z
    .number()
    .int()
    .min(-MAX_AMOUNT)
    .max(MAX_AMOUNT)
    .refine((amount) => amount !== 0, "must not be 0"),
  reason: trimmedLine(300),
});

/** The same as a form asks for it. */
export const giftCardAdjustmentFormSchema = z.strictObject({
  direction: z.enum(["add", "deduct"]).default("add"),
  amount: positiveAmountSchema,
  reason: trimmedLine(300),
});
