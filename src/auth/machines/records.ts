import { defineCollection } from "../../store/store.ts";
import { machineTokenRecordSchema } from "./schema.ts";

/** Of applications that administer in their own name. */
export const machineTokens = defineCollection({
  name: "machineTokens",
  revision: 1,
  schema: machineTokenRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"] },
});
