import { defineCollection } from "../../store/store.ts";
import { idempotencyRecordSchema } from "./schema.ts";

export const idempotency = defineCollection({
  name: "idempotency",
  revision: 1,
  schema: idempotencyRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"] },
});
