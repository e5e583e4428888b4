import { defineCollection } from "../../store/store.ts";
import { clientRecordSchema, originRecordSchema } from "./schema.ts";
import { refusalRecordSchema } from "./refusal-schema.ts";

export const clients = defineCollection({ name: "clients", revision: 2, schema: clientRecordSchema });

export const origins = defineCollection({ name: "origins", revision: 1, schema: originRecordSchema });

export const refusals = defineCollection({
  name: "refusals",
  revision: 1,
  schema: refusalRecordSchema,
  ordered: { byClient: ["clientId", "at"], byUser: ["userId"], byExpiresAt: ["expiresAt"] },
});
