/** The collections of channels and of notices on their way. */
import { defineCollection } from "../../store/store.ts";
import { channelRecordSchema, noticeRecordSchema, onCallReachedSchema } from "./schema.ts";

/** Channels that one monitor holds at most. */
export const MAX_CHANNELS = 50;

export const channels = defineCollection({
  name: "channels",
  revision: 1,
  schema: channelRecordSchema,
});

/** Whom on-call tables have notified of alerts. */
export const onCallReached = defineCollection({
  name: "onCallReached",
  revision: 1,
  schema: onCallReachedSchema,
  ordered: { byAt: ["at"] },
});

export const notices = defineCollection({
  name: "notices",
  revision: 1,
  schema: noticeRecordSchema,
  ordered: {
    byLane: ["state", "channelId", "nextAttemptAt"],
    byThread: ["channelId", "to", "thread", "state", "createdAt"],
    byTime: ["createdAt"],
    byStateTime: ["state", "createdAt"],
    byExpiresAt: ["expiresAt"],
  },
});
