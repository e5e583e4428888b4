import { defineCollection } from "../../store/store.ts";
import { giftCardEntrySchema, giftCardRecordSchema } from "./schema.ts";

export const giftCards = defineCollection({
  name: "giftCards",
  revision: 1,
  schema: giftCardRecordSchema,
  unique: { byMac: ["mac"] },
  ordered: {
    byCreated: ["createdAt"],
    byLine: ["orderId", "lineId", "createdAt"],
    byMail: ["mailAt"],
    byRecipient: ["recipientEmail", "createdAt"],
  },
  checks: { notOverspent: { field: "balance", atLeast: 0 } },
});

export const giftCardEntries = defineCollection({
  name: "giftCardEntries",
  revision: 1,
  schema: giftCardEntrySchema,
  ordered: { byCard: ["cardId", "at"], byTime: ["at"], byOrder: ["orderId", "at"] },
});
