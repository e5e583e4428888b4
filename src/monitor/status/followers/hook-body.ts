/** Bodies of requests to subscribers' webhooks. */
import { toIsoTime, toIsoTimeIfAny } from "../../../kit/text/iso-time.ts";
import type { StatusPageRecord } from "../schema.ts";
import { toUnsubscribeUrl } from "./links.ts";
import type { AnnouncementRecord } from "./schema.ts";

export interface HookTarget {
  readonly page: Pick<StatusPageRecord, "id" | "title">;
  readonly pageUrl: string;
  readonly subscriptionUrl: string;
}

function toBody(type: string, at: number, data: object): string {
  return JSON.stringify({ type, timestamp: toIsoTime(at), data });
}

function toPage({ page, pageUrl }: HookTarget) {
  return { id: page.id, title: page.title, url: pageUrl };
}

/** Asks whether the receiver wants to follow: its administrator opens the link to confirm. */
export function toQuestionBody(to: HookTarget, at: number): string {
  return toBody("subscription.confirm", at, { page: toPage(to), confirmUrl: to.subscriptionUrl });
}

export function toAnnouncementBody(announcement: AnnouncementRecord, to: HookTarget): string {
  const { postId, event, title, impact, step, text, components, createdAt } = announcement;
  const { startedAt, endedAt, plannedFrom, plannedTo } = announcement;
  return toBody(event, createdAt, {
    page: toPage(to),
    post: {
      id: postId,
      type: event.startsWith("incident") ? "incident" : "maintenance",
      title,
      impact,
      step,
      url: `${to.pageUrl}/incidents/${postId}`,
      startedAt: toIsoTime(startedAt),
      endedAt: toIsoTimeIfAny(endedAt),
      plannedFrom: toIsoTimeIfAny(plannedFrom),
      plannedTo: toIsoTimeIfAny(plannedTo),
    },
    update: { step, text },
    components,
    manageUrl: to.subscriptionUrl,
    unsubscribeUrl: toUnsubscribeUrl(to.subscriptionUrl),
  });
}
