/** Responses about gift cards. */
import { z } from "@hono/zod-openapi";
import { pageSchema } from "../../kit/http/paging.ts";
import { viewOf } from "../../kit/http/view.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { giftCardStates } from "./gift-cards-admin.ts";
import { giftCardEntrySchema, giftCardRecordSchema } from "./schema.ts";

export const cardView = viewOf(
  giftCardRecordSchema,
  [
    ...(["id", "version", "lastFour", "currency", "initial", "balance", "disabledReason", "source"] as const),
    ...(["orderId", "lineId", "recipientEmail", "recipientName", "message", "note"] as const),
  ],
  ["expiresAt", "disabledAt", "mailAt", "mailedAt", "createdAt", "updatedAt"],
);
export const cardEntryView = viewOf(
  giftCardEntrySchema,
  ["id", "kind", "amount", "balance", "orderId", "who", "reason"],
  ["at"],
);

const cardShape = {
  ...cardView.shape,
  initial: z.int().openapi({ description: "Issued with this amount, minor units" }),
  balance: z.int().openapi({ description: "What is left, minor units" }),
  state: z.enum(giftCardStates),
};
export const giftCardItemSchema = z.object(cardShape).openapi("GiftCardItem");
export type GiftCardItem = z.infer<typeof giftCardItemSchema>;
export const giftCardPageSchema = pageSchema(giftCardItemSchema).openapi("GiftCardPage");
export const giftCardSchema = z
  .object({
    ...cardShape,
    hasCode: z.boolean().openapi({ description: "Whether the shop can show the code" }),
    entries: z
      .array(z.object(cardEntryView.shape))
      .openapi({ description: "Changes of the balance, oldest first; their sum is the balance" }),
  })
  .openapi("GiftCard");
export type GiftCardView = z.infer<typeof giftCardSchema>;

export const giftCardCodeSchema = z.object({ code: z.string() }).openapi("GiftCardCode");
export type GiftCardCodeView = z.infer<typeof giftCardCodeSchema>;

export const balanceSchema = z
  .object({
    lastFour: z.string(),
    currency: z.string(),
    balance: z.int(),
    isExpired: z.boolean(),
    expiresAt: isoTimeSchema.optional(),
  })
  .openapi("GiftCardBalance");

const amount = (description: string) => z.int().openapi({ description });
export const cardSumsSchema = z
  .object({
    items: z.array(
      z.object({
        currency: z.string(),
        opening: amount("Owed to holders before the period"),
        issued: amount("Sold, given away or imported"),
        redeemed: amount("Paid for orders (negative)"),
        released: amount("Given back by orders that were not paid"),
        refunded: amount("Given back by refunds"),
        voided: amount("Ended because the purchase of the card was refunded (negative)"),
        adjusted: amount("Changed by staff"),
        closing: amount("Owed to holders at the end: the opening balance and all changes"),
      }),
    ),
  })
  .openapi("GiftCardLiability");
