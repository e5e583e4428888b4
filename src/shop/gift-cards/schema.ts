/** Gift cards and the book of their amounts, as the store keeps them. */
import { z } from "zod";
import { line, text, timeMs } from "../../kit/text/schemas.ts";
import { amountSchema, currencySchema } from "../base/money-schema.ts";

/** Characters of a code, without its dashes, at most. Codes of other shops are shorter or longer than ours. */
export const MAX_CODE = 60;
/** Cards that pay for one order at most. */
export const MAX_CARDS = 10;

/** Why a card cannot be used. "dispute": the bank of its buyer took the money back. */
export const disabledReasonSchema = z.enum(["staff", "dispute"]);

export const giftCardRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  /** A keyed hash of the code: it finds the card, and nothing in the store gives the code of a card that is not sealed. */
  mac: z.string(),
  lastFour: z.string(),
  /** The code, encrypted: of cards that the order shows or that wait for their email; absent for all others. */
  sealed: z.string().max(1_000).optional(),
  currency: currencySchema,
  /** Issued with this amount, minor units. */
  initial: amountSchema,
  /** What is left to spend. */
  balance: amountSchema,
  /** Taken off by refunds of the card's own purchase. */
  voided: amountSchema.optional(),
  disabledAt: timeMs.optional(),
  disabledReason: disabledReasonSchema.optional(),
  /** The card can pay until then; absent: it never expires. */
  expiresAt: timeMs.optional(),
  source: z.enum(["order", "staff", "import"]),
  /** Of a bought card. */
  orderId: z.string().optional(),
  lineId: z.string().optional(),
  /** Who gets it by email. */
  recipientEmail: z.string().max(254).optional(),
  recipientName: line(120).optional(),
  message: text(500).optional(),
  language: z.string().optional(),
  /** Only while an email to the recipient waits: when it leaves. */
  mailAt: timeMs.optional(),
  mailedAt: timeMs.optional(),
  /** For staff. */
  note: line(300),
  createdAt: timeMs,
  updatedAt: timeMs,
});
export type GiftCardRecord = z.infer<typeof giftCardRecordSchema>;

/**
 * "issued": the amount that it was sold or given with; "redeemed": held by an order, which pays with it; "released":
 * given back by an order that was not paid; "refunded": given back by a refund; "voided": taken off by a refund of its
 * own purchase; "adjusted": changed by staff.
 */
export const entryKindSchema = z.enum(["issued", "redeemed", "released", "refunded", "voided", "adjusted"]);
export type EntryKind = z.infer<typeof entryKindSchema>;

/** A change of a card's balance. Entries are added, never changed; their sum is the balance. */
export const giftCardEntrySchema = z.object({
  id: z.string(),
  version: z.number().int(),
  cardId: z.string(),
  currency: z.string(),
  at: timeMs,
  kind: entryKindSchema,
  /** Signed, minor units. */
  amount: z.number().int(),
  /** After it. */
  balance: amountSchema,
  orderId: z.string().optional(),
  /** The administrator, for what staff did. */
  who: z.string().optional(),
  reason: z.string().optional(),
});
export type GiftCardEntry = z.infer<typeof giftCardEntrySchema>;
