import { defineCollection } from "../../store/store.ts";
import { orderRecordSchema } from "./schema.ts";

export const orders = defineCollection({
  name: "orders",
  revision: 1,
  schema: orderRecordSchema,
  unique: { byNumber: ["number"] },
  ordered: {
    byUser: ["userId", "createdAt"],
    byEmail: ["emailLower", "createdAt"],
    byCreated: ["createdAt"],
    byUpdated: ["updatedAt"],
    byStatus: ["status", "createdAt"],
    byPaymentStatus: ["paymentStatus", "createdAt"],
    byAttention: ["needsAttention", "createdAt"],
    byOpenUser: ["openUser"],
    byOpenEmail: ["openEmail"],
    byOpenAddress: ["openAddress"],
    byPendingUntil: ["pendingUntil"],
    byAutoComplete: ["autoCompleteAt"],
  },
});
