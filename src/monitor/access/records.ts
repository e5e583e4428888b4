import { defineCollection } from "../../store/store.ts";
import { adminSessionRecordSchema } from "../base/schema.ts";
import { accessTokenRecordSchema } from "./schema.ts";

export const adminSessions = defineCollection({
  name: "adminSessions",
  revision: 1,
  schema: adminSessionRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"] },
});

/** Viewers' links, and tokens for /metrics. */
export const accessTokens = defineCollection({
  name: "accessTokens",
  revision: 1,
  schema: accessTokenRecordSchema,
});
