import { defineCollection } from "../../store/store.ts";
import { consentRecordSchema, deviceRequestRecordSchema } from "./schema.ts";
import { pushedRequestRecordSchema } from "../sessions/schema.ts";

/** Consents of users to applications. */
export const consents = defineCollection({
  name: "consents",
  revision: 1,
  schema: consentRecordSchema,
  ordered: { byUser: ["userId"] },
});

/** Devices that wait for a person. */
export const deviceRequests = defineCollection({
  name: "deviceRequests",
  revision: 1,
  schema: deviceRequestRecordSchema,
  unique: { byUserCode: ["userCodeMac"] },
  ordered: { byExpiresAt: ["expiresAt"], byUser: ["userId"] },
});

export const pushedRequests = defineCollection({
  name: "pushedRequests",
  revision: 1,
  schema: pushedRequestRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"] },
});
