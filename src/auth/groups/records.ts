import { defineCollection } from "../../store/store.ts";
import { groupRecordSchema, membershipRecordSchema } from "./schema.ts";

export const groups = defineCollection({ name: "groups", revision: 1, schema: groupRecordSchema });

export const memberships = defineCollection({
  name: "memberships",
  revision: 1,
  schema: membershipRecordSchema,
  ordered: { byGroup: ["groupId", "userId"], byUser: ["userId"] },
});
