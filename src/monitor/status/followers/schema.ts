/** Schemas of followers of a status page: subscribers, their notifications, and requests to their webhooks. */
import { z } from "zod";
import { isMailAddress } from "../../../kit/mail/mail.ts";
import { findUrlFault } from "../../../kit/outbound/outbound.ts";
import { isoTimeSchema } from "../../../kit/text/iso-time.ts";
import { line, timeMs, trimmedLine } from "../../../kit/text/schemas.ts";
import { languages } from "../../../kit/text/languages.ts";
import { componentStatuses, impacts, incidentSteps, maintenanceSteps } from "../schema.ts";

/** Subscribers of one page at most, pending ones too. */
export const MAX_SUBSCRIBERS = 10_000;
/** Webhooks among them: each costs requests to an address that a stranger chose. */
export const MAX_WEBHOOKS = 200;
/** Addresses of a page that have not said yes, at most: strangers can fill no more than that. */
export const MAX_PENDING = 500;

export const subscriptionWays = ["mail", "webhook"] as const;
export type SubscriptionWay = (typeof subscriptionWays)[number];

/** A follower of a page. */
export const subscriberRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  pageId: z.string(),
  way: z.enum(subscriptionWays),
  /** The mail address, its part behind the @ in small letters, or the webhook's address. */
  address: z.string(),
  /** Components that it is about; none: all of the page. */
  componentIds: z.array(z.string()),
  language: z.enum(languages),
  /** "pending": the address has not said yes. */
  state: z.enum(["pending", "active"]),
  /** Who confirmed: the address itself, or an administrator for it. */
  consent: z.enum(["address", "administrator"]).optional(),
  /** Of a webhook: what its requests are signed with, sealed. */
  secret: z.string().optional(),
  createdAt: timeMs,
  activeSince: timeMs.optional(),
  /** When it was last asked to say yes, or told that it follows already. */
  askedAt: timeMs.optional(),
  /** A pending one is forgotten then. */
  expiresAt: timeMs.optional(),
  /** Of a webhook: tries in a row that failed, since when, and until when it is left alone. */
  failing: z.object({ tries: z.number().int().min(1), since: timeMs, pausedUntil: timeMs }).optional(),
});
export type SubscriberRecord = z.infer<typeof subscriberRecordSchema>;

/** Events for subscribers. */
export const followerEvents = [
  "incident.created",
  "incident.updated",
  "incident.resolved",
  "maintenance.scheduled",
  "maintenance.updated",
  "maintenance.started",
  "maintenance.completed",
] as const;
export type FollowerEvent = (typeof followerEvents)[number];

/** One update of a post, as it goes to all who follow: written with the post, told in batches afterwards. */
export const announcementRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  pageId: z.string(),
  postId: z.string(),
  event: z.enum(followerEvents),
  title: z.string(),
  impact: z.enum(impacts),
  step: z.enum([...incidentSteps, ...maintenanceSteps]),
  text: z.string(),
  startedAt: timeMs,
  endedAt: timeMs.optional(),
  plannedFrom: timeMs.optional(),
  plannedTo: timeMs.optional(),
  /** States of components; none: it concerns the whole page. */
  components: z.array(z.object({ id: z.string(), name: z.string(), status: z.enum(componentStatuses) })),
  state: z.enum(["waiting", "done"]),
  /** Where telling goes on. */
  cursor: z.string().optional(),
  /** Subscribers notified so far. */
  told: z.number().int().min(0),
  createdAt: timeMs,
  /** Mails that wait are laid out from it until then. */
  keepUntil: timeMs,
});
export type AnnouncementRecord = z.infer<typeof announcementRecordSchema>;

/** A request to a subscriber's webhook that waits. */
export const hookRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  subscriberId: z.string(),
  /** The announcement; absent: the confirmation request. */
  announcementId: z.string().optional(),
  attempts: z.number().int().min(0),
  createdAt: timeMs,
  nextAttemptAt: timeMs,
  giveUpAt: timeMs,
});
export type HookRecord = z.infer<typeof hookRecordSchema>;

const httpsAddress = line(1_000)
  .trim()
  .refine((text) => findUrlFault(text) === undefined && text.startsWith("https://"), {
    error: "must be a URL that starts with https://",
  });
const mailAddress = line(254).trim().refine(isMailAddress, "must be a single email address");
const componentIds = z.array(trimmedLine(64)).max(200).default([]);

/** Request to follow a page by email. */
export const mailSubscriptionSchema = z.strictObject({
  way: z.literal("mail"),
  address: mailAddress,
  componentIds,
  language: z.enum(languages).default("en"),
});

/** The same, by mail or by requests to a webhook. */
export const subscriptionRequestSchema = z.discriminatedUnion("way", [
  mailSubscriptionSchema,
  z.strictObject({
    way: z.literal("webhook"),
    address: httpsAddress,
    componentIds,
    language: z.enum(languages).default("en"),
  }),
]);
export type SubscriptionRequest = z.infer<typeof subscriptionRequestSchema>;

/** The same by an administrator, who says that the address agreed. */
export const addedSubscriberSchema = z.strictObject({
  way: z.enum(subscriptionWays).default("mail"),
  address: line(1_000).trim().min(3),
  componentIds,
  language: z.enum(languages).optional(),
  hasConsent: z
    .literal(true, { error: "must be true: the person must have agreed to receive these emails" })
    .describe("Confirmation that the person has given consent"),
});
export type AddedSubscriber = z.infer<typeof addedSubscriberSchema>;

/** A subscriber as administrators see it. */
export const subscriberViewSchema = z.object({
  id: z.string(),
  way: z.enum(subscriptionWays),
  address: z.string(),
  componentIds: z.array(z.string()),
  language: z.enum(languages),
  state: z.enum(["pending", "active"]),
  consent: z.enum(["address", "administrator"]).optional(),
  createdAt: isoTimeSchema,
  activeSince: isoTimeSchema.optional(),
  failingSince: isoTimeSchema.optional().describe("Start of the current webhook failure"),
});
export type SubscriberView = z.infer<typeof subscriberViewSchema>;
