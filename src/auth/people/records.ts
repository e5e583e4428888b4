import { defineCollection } from "../../store/store.ts";
import { likeRecordSchema, avatarRecordSchema } from "./schema.ts";

export const likes = defineCollection({
  name: "likes",
  revision: 1,
  schema: likeRecordSchema,
  ordered: { byProfile: ["profileId"], byLiker: ["likerId"] },
});

export const avatars = defineCollection({ name: "avatars", revision: 1, schema: avatarRecordSchema });
