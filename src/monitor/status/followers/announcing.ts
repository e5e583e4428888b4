/**
 * Notifies all followers of a page about a post. The event is stored in the same record as the post; emails and
 * requests are written afterward in batches, so that ten thousand followers do not slow down the author, and a process
 * that crashed resumes where it stopped: each follower is notified once.
 */
import { coalesce } from "../../../kit/limits/coalesce.ts";
import { newId } from "../../../kit/secrets/id.ts";
import type { Tx } from "../../../store/store.ts";
import type { PostEvent, PostListener } from "../post-events.ts";
import { statusPages } from "../records.ts";
import type { StatusPageRecord } from "../schema.ts";
import type { MailingDeps } from "./deps.ts";
import { writeHook } from "./hooks.ts";
import { findPageUrl, toSubscriptionUrl, toUnsubscribeUrl } from "./links.ts";
import { toDraft } from "./drafts.ts";
import { announcementSubject } from "./mails.ts";
import { announcements, subscribers } from "./records.ts";
import type { AnnouncementRecord, FollowerEvent, SubscriberRecord } from "./schema.ts";

const TOLD_AT_ONCE = 100;
const DAY_MS = 86_400_000;
/** How long an email waits for the mail server: an older one is useless. */
const MAIL_TTL_SECONDS = 2 * 24 * 3_600;
/** Longer than the last mail of it waits. */
const KEEP_MS = 8 * DAY_MS;

/** How what happened is called to those who follow. */
export function toFollowerEvent({
  type,
  post,
  update,
}: Pick<PostEvent, "type" | "post" | "update">): FollowerEvent {
  if (post.type === "incident") {
    if (type === "published") return update.step === "resolved" ? "incident.resolved" : "incident.created";
    return type === "ended" ? "incident.resolved" : "incident.updated";
  }
  if (type === "ended" || update.step === "completed") return "maintenance.completed";
  const before = post.updates.at(-2)?.step;
  if (update.step === "in_progress" && before !== "in_progress") return "maintenance.started";
  return type === "published" ? "maintenance.scheduled" : "maintenance.updated";
}

/** Whether a subscriber wants to know; what concerns no component concerns all. */
function isWanted(
  { componentIds, activeSince = 0 }: SubscriberRecord,
  { components, createdAt }: AnnouncementRecord,
): boolean {
  // Later followers read it on the page.
  if (activeSince > createdAt) return false;
  if (componentIds.length === 0 || components.length === 0) return true;
  return components.some(({ id }) => componentIds.includes(id));
}

function toAnnouncement(event: PostEvent, now: number): Omit<AnnouncementRecord, "version"> {
  const { page, post, update } = event;
  const { title, impact, startedAt, endedAt, plannedFrom, plannedTo } = post;
  const statuses = new Map(Object.entries(update.components));
  const concerned = new Map([...Object.entries(post.components), ...statuses]);
  const components = page.components.flatMap(({ id = "", name }) => {
    const status = concerned.get(id);
    return status === undefined ? [] : [{ id, name, status }];
  });
  return {
    id: newId("ann", now),
    pageId: page.id,
    postId: post.id,
    event: toFollowerEvent(event),
    title,
    impact,
    step: update.step,
    text: update.text,
    startedAt,
    components,
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(plannedFrom === undefined ? {} : { plannedFrom }),
    ...(plannedTo === undefined ? {} : { plannedTo }),
    state: "waiting",
    told: 0,
    createdAt: now,
    keepUntil: now + KEEP_MS,
  };
}

/** Creates the listener for posts: it writes their events in the same transaction. */
export function createFollowerListener({ clock }: Pick<MailingDeps, "clock">): PostListener {
  return async (tx, event) => {
    const { page, notifies } = event;
    if (!notifies || !page.published || (!page.subscribers.mail && !page.subscribers.webhook)) return;
    if ((await tx.count(subscribers, "byState", { prefix: [page.id, "active"] })) === 0) return;
    await tx.insert(announcements, toAnnouncement(event, clock.now()));
  };
}

async function tellOne(
  tx: Tx,
  deps: MailingDeps,
  told: {
    announcement: AnnouncementRecord;
    page: StatusPageRecord;
    pageUrl: string;
    subscriber: SubscriberRecord;
  },
): Promise<void> {
  const { announcement, page, pageUrl, subscriber } = told;
  const { id, way, address, language } = subscriber;
  if (way === "webhook") return writeHook(tx, deps, { subscriberId: id, announcementId: announcement.id });
  await deps.outbox.enqueue(tx, {
    to: address,
    kind: "status-update",
    text: "",
    ttlSeconds: MAIL_TTL_SECONDS,
    subject: announcementSubject(announcement, { pageTitle: page.title, language }),
    draft: toDraft({ announcementId: announcement.id, subscriberId: id }),
    unsubscribe: toUnsubscribeUrl(toSubscriptionUrl(deps.box, { pageUrl, id })),
    // One's own mails leave in their order, whatever they are about.
    thread: id,
  });
}

/** Notifies the next batch; false when none is waiting. */
async function tellBatch(tx: Tx, deps: MailingDeps): Promise<boolean> {
  const [announcement] = (await tx.list(announcements, "byState", { prefix: ["waiting"], limit: 1 })).items;
  if (announcement === undefined) return false;
  const page = await tx.get(statusPages, announcement.pageId);
  const pageUrl = page && findPageUrl(deps.address, page);
  if (page === undefined || pageUrl === undefined || !page.published) {
    await tx.put(announcements, { ...announcement, state: "done" });
    return true;
  }
  const { cursor, told } = announcement;
  const range = { prefix: [page.id, "active"], limit: TOLD_AT_ONCE };
  const { items, nextCursor } = await tx.list(subscribers, "byState", { ...range, cursor });
  const wanting = items.filter(
    (subscriber) => page.subscribers[subscriber.way] && isWanted(subscriber, announcement),
  );
  for (const subscriber of wanting) await tellOne(tx, deps, { announcement, page, pageUrl, subscriber });
  const { cursor: _before, ...rest } = announcement;
  await tx.put(announcements, {
    ...rest,
    told: told + wanting.length,
    ...(nextCursor === undefined ? { state: "done" as const } : { cursor: nextCursor }),
  });
  return true;
}

/** Creates what tells all that waits, batch by batch; a call joins the run that has not begun. */
export function createTelling(deps: MailingDeps): () => Promise<void> {
  return coalesce(async () => {
    while (await deps.store.transact((tx) => tellBatch(tx, deps)));
  });
}
