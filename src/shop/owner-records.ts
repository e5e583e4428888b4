/** Collections of what the owner of a shop has beside orders and goods: customers, searches, webhooks. */
import { defineCollection } from "../store/store.ts";
import { customerRecordSchema } from "./customers/schema.ts";
import { savedSearchRecordSchema } from "./order-search/schema.ts";
import { deliveryRecordSchema, endpointRecordSchema, failingRecordSchema } from "./webhooks-out/schema.ts";

export const customers = defineCollection({
  name: "customers",
  revision: 1,
  schema: customerRecordSchema,
  ordered: { byErasing: ["erasing"] },
});

export const savedSearches = defineCollection({
  name: "savedSearches",
  revision: 1,
  schema: savedSearchRecordSchema,
  unique: { byName: ["nameKey"] },
  ordered: { inOrder: ["nameKey"] },
});

export const webhookEndpoints = defineCollection({
  name: "webhookEndpoints",
  revision: 1,
  schema: endpointRecordSchema,
  ordered: { byOn: ["on"] },
});

export const webhookFailing = defineCollection({
  name: "webhookFailing",
  revision: 1,
  schema: failingRecordSchema,
});

export const webhookDeliveries = defineCollection({
  name: "webhookDeliveries",
  revision: 1,
  schema: deliveryRecordSchema,
  ordered: {
    byDue: ["waitingFor", "nextAttemptAt"],
    // Equal ones follow their ids, which sort by the time of writing.
    byThread: ["waitingThread"],
    byHappening: ["thread", "createdAt"],
    byEndpoint: ["endpointId", "createdAt"],
    byState: ["endpointId", "state", "createdAt"],
    byKeepUntil: ["keepUntil"],
  },
});

export const ownerCollections = [
  customers,
  savedSearches,
  webhookEndpoints,
  webhookFailing,
  webhookDeliveries,
] as const;
