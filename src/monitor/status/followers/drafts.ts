/** Mails of announcements as they wait: by what and whom they are about, laid out when they are sent. */
import { z } from "zod";
import type { LayOutDraft } from "../../../records/outbox-read.ts";
import { statusPages } from "../records.ts";
import type { FollowersDeps } from "./deps.ts";
import { findPageUrl, toSubscriptionUrl } from "./links.ts";
import { layOutAnnouncement } from "./mails.ts";
import { announcements, subscribers } from "./records.ts";
import type { SiteLook } from "./site-look.ts";

const draftSchema = z.object({ announcementId: z.string(), subscriberId: z.string() });

/** Serializes a draft for the outbox. */
export function toDraft(draft: z.infer<typeof draftSchema>): string {
  return JSON.stringify(draft);
}

/** Creates what lays them out; what is about a page or a subscriber that is gone cannot be. */
export function createDraftLayout({
  box,
  address,
  look,
}: Pick<FollowersDeps, "box" | "address"> & { readonly look: SiteLook }): LayOutDraft {
  return async (tx, draft) => {
    const { announcementId, subscriberId } = draftSchema.parse(JSON.parse(draft));
    const announcement = await tx.get(announcements, announcementId);
    const subscriber = await tx.get(subscribers, subscriberId);
    const page = announcement && (await tx.get(statusPages, announcement.pageId));
    const pageUrl = page && findPageUrl(address, page);
    if (announcement === undefined || subscriber === undefined || page === undefined) return undefined;
    if (pageUrl === undefined) return undefined;
    const subscriptionUrl = toSubscriptionUrl(box, { pageUrl, id: subscriberId });
    return layOutAnnouncement(announcement, { subscriber, look: look.of(page), pageUrl, subscriptionUrl });
  };
}
