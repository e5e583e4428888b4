/** The collections of those who follow status pages. */
import { defineCollection } from "../../../store/store.ts";
import { announcementRecordSchema, hookRecordSchema, subscriberRecordSchema } from "./schema.ts";

export const subscribers = defineCollection({
  name: "subscribers",
  revision: 1,
  schema: subscriberRecordSchema,
  unique: { address: ["pageId", "way", "address"] },
  ordered: {
    byPage: ["pageId"],
    byState: ["pageId", "state"],
    byWay: ["pageId", "way"],
    byExpiresAt: ["expiresAt"],
  },
});

export const announcements = defineCollection({
  name: "announcements",
  revision: 1,
  schema: announcementRecordSchema,
  ordered: { byState: ["state"], byPageState: ["pageId", "state"], byKeepUntil: ["keepUntil"] },
});

/** Requests to webhooks that wait; what went, or was given up, is removed. */
export const subscriberHooks = defineCollection({
  name: "subscriberHooks",
  revision: 1,
  schema: hookRecordSchema,
  ordered: { byDue: ["nextAttemptAt"], bySubscriber: ["subscriberId"] },
});

export const followerCollections = [subscribers, announcements, subscriberHooks] as const;
