import { defineCollection } from "../../store/store.ts";
import { answeredChallengeRecordSchema } from "./schema.ts";

export const answeredChallenges = defineCollection({
  name: "answeredChallenges",
  revision: 1,
  schema: answeredChallengeRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"] },
});
