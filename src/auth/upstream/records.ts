import { defineCollection } from "../../store/store.ts";
import { upstreamRecordSchema, usedStateRecordSchema } from "./schema.ts";

export const upstreams = defineCollection({
  name: "upstreams",
  revision: 1,
  schema: upstreamRecordSchema,
  unique: { byIssuer: ["issuer"] },
});

export const usedStates = defineCollection({
  name: "usedStates",
  revision: 1,
  schema: usedStateRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"] },
});
