import { defineCollection } from "../../store/store.ts";
import { renewalRecordSchema, subscriptionRecordSchema } from "./schema.ts";

export const subscriptions = defineCollection({
  name: "subscriptions",
  revision: 1,
  schema: subscriptionRecordSchema,
  unique: { byNumber: ["number"], byLine: ["lineId"] },
  ordered: {
    byOrder: ["orderId"],
    byState: ["state", "createdAt"],
    byTime: ["createdAt"],
    byDue: ["dueAt"],
    byRemoteDue: ["remoteDueAt"],
    byRemoteReference: ["remoteReference"],
  },
});

export const renewals = defineCollection({
  name: "renewals",
  revision: 1,
  schema: renewalRecordSchema,
  unique: { byOrder: ["orderId"] },
  ordered: { bySubscription: ["subscriptionId", "number"] },
});
