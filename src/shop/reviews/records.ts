import { defineCollection } from "../../store/store.ts";
import { ratingRecordSchema, reviewInvitationSchema, reviewRecordSchema } from "./schema.ts";

export const reviews = defineCollection({
  name: "reviews",
  revision: 1,
  schema: reviewRecordSchema,
  unique: { byBuyer: ["buyer", "productId"] },
  ordered: {
    byPurchaser: ["buyer"],
    byOrder: ["orderId"],
    byProduct: ["productId", "state", "createdAt"],
    byState: ["state", "createdAt"],
    byCreated: ["createdAt"],
  },
});

/** Sums of published reviews, by product. */
export const ratings = defineCollection({ name: "ratings", revision: 1, schema: ratingRecordSchema });

export const reviewInvitations = defineCollection({
  name: "reviewInvitations",
  revision: 1,
  schema: reviewInvitationSchema,
  ordered: { byDue: ["dueAt"] },
});
