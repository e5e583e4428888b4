/** What everybody may know of the site's settings. */
import type { Category, SiteSettings } from "./schema.ts";

/** The announcement while it is shown: from its start, until its end. */
export function findAnnouncement(
  { announcement }: SiteSettings,
  nowMs: number,
): SiteSettings["announcement"] {
  if (announcement === null || announcement.text === "") return null;
  const { startsAt = 0, endsAt = Number.POSITIVE_INFINITY } = announcement;
  return nowMs >= startsAt && nowMs < endsAt ? announcement : null;
}

/** All categories as they are to be shown: by their order, then by their titles. */
export function listCategories({ categories }: SiteSettings): Category[] {
  return categories.toSorted(
    (a, b) => a.sortOrder - b.sortOrder || (a.title < b.title ? -1 : Number(a.title > b.title)),
  );
}

/** The ways to pay that are switched on, as a buyer sees them; `hasPage`: the buyer is led to an address to pay. */
export function listPaymentMethods({ paymentProviders }: SiteSettings) {
  return paymentProviders
    .filter(({ enabled }) => enabled)
    .map(({ word, title, instructions, payUrlTemplate }) => ({
      word,
      title,
      instructions,
      hasPage: payUrlTemplate !== "",
    }));
}
