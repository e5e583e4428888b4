import { defineCollection } from "../../store/store.ts";
import { challengeRecordSchema } from "../sessions/schema.ts";

export const challenges = defineCollection({
  name: "challenges",
  revision: 1,
  schema: challengeRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"], byUser: ["userId"] },
});
