import { defineCollection } from "../../store/store.ts";
import { inviteRecordSchema } from "./schema.ts";

export const invites = defineCollection({
  name: "invites",
  revision: 1,
  schema: inviteRecordSchema,
  unique: { byCode: ["codeHash"] },
  checks: { uses: { field: "usedCount", atLeast: 0, atMost: { field: "maxUses" } } },
});
