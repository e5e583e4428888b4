/** What everybody may know of the site's settings. */
import type { Provider, SiteSettings } from "./schema.ts";

/** The announcement while it is shown: from its start, until its end. */
export function findAnnouncement(
  { announcement }: SiteSettings,
  nowMs: number,
): SiteSettings["announcement"] {
  if (announcement === null || announcement.text === "") return null;
  const { startsAt = 0, endsAt = Number.POSITIVE_INFINITY } = announcement;
  return nowMs >= startsAt && nowMs < endsAt ? announcement : null;
}

/** Ways to pay as a buyer sees them; `hasPage`: the buyer is led to an address to pay. */
export function toPaymentMethods(offered: readonly Provider[]) {
  return offered.map(({ word, title, instructions, payUrlTemplate }) => ({
    word,
    title,
    instructions,
    hasPage: payUrlTemplate !== "",
  }));
}
