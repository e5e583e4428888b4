import { defineCollection } from "../../store/store.ts";
import { customerProfileRecordSchema } from "./profile-schema.ts";
import { customerRecordSchema } from "./schema.ts";

export const customers = defineCollection({
  name: "customers",
  revision: 1,
  schema: customerRecordSchema,
  ordered: { byErasing: ["erasing"] },
});

export const customerProfiles = defineCollection({
  name: "customerProfiles",
  revision: 1,
  schema: customerProfileRecordSchema,
  ordered: { byUpdated: ["updatedAt"], byAccount: ["account"] },
});
