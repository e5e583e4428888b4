import { defineCollection } from "../../store/store.ts";
import { ownerRecordSchema } from "./schema.ts";

/** Which node owns what: the leader's work, and the stream of each server. A record changes only with its owner. */
export const owners = defineCollection({
  name: "leads",
  revision: 1,
  schema: ownerRecordSchema,
});
