import { defineCollection } from "../../store/store.ts";
import { endpointRecordSchema, failingRecordSchema, deliveryRecordSchema } from "./schema.ts";

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
