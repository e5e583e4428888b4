import { defineCollection } from "../../store/store.ts";
import { sessionRecordSchema, applicationCodeRecordSchema, logoutRecordSchema } from "./schema.ts";

export const sessions = defineCollection({
  name: "sessions",
  revision: 1,
  schema: sessionRecordSchema,
  unique: { byAccess: ["accessHash"], byPreviousAccess: ["previousAccessHash"], byFamily: ["familyId"] },
  ordered: { byUser: ["userId"], byExpiresAt: ["expiresAt"] },
});

export const applicationCodes = defineCollection({
  name: "applicationCodes",
  revision: 1,
  schema: applicationCodeRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"] },
});

export const logouts = defineCollection({
  name: "logouts",
  revision: 1,
  schema: logoutRecordSchema,
  ordered: { byDue: ["nextAttemptAt"], byExpiresAt: ["expiresAt"] },
});
