/** The site's settings as requests and answers have them, in the form that the store keeps. */
import type { z } from "zod";
import { toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import type { AdminSite, providerFieldsSchema, sitePatchSchema } from "./answer-schema.ts";
import type { SitePatch, SiteView } from "./settings-admin.ts";

/** The fields as the settings store them. */
export function toProviderFields<T extends z.infer<typeof providerFieldsSchema>>(
  fields: T,
): Omit<T, "expiryMinutes"> & { expiryMinutes?: number } {
  const { expiryMinutes, ...rest } = fields;
  if (expiryMinutes === undefined) return rest;
  // Also where it is null it must be there: it takes the place of the stored one.
  return { ...rest, expiryMinutes: expiryMinutes ?? undefined };
}

/** The patch as the settings store it: times in milliseconds. */
export function toSitePatch(body: Omit<z.infer<typeof sitePatchSchema>, "version">): SitePatch {
  const { announcement, paymentProviders, pages, ...rest } = body;
  const toMs = (time: string | null | undefined): number | null | undefined =>
    typeof time === "string" ? Date.parse(time) : time;
  return {
    ...rest,
    pages: pages?.map(({ changedAt: _changedAt, ...page }) => page),
    paymentProviders: paymentProviders?.map(toProviderFields),
    announcement: announcement && {
      ...announcement,
      startsAt: toMs(announcement.startsAt),
      endsAt: toMs(announcement.endsAt),
    },
  };
}

/** The settings as an answer's body. */
export function toSiteAnswer(view: SiteView): AdminSite {
  const { announcement } = view;
  return {
    ...view,
    pages: view.pages.map((page) => ({ ...page, changedAt: toIsoTimeIfAny(page.changedAt) })),
    announcement: announcement && {
      ...announcement,
      startsAt: toIsoTimeIfAny(announcement.startsAt),
      endsAt: toIsoTimeIfAny(announcement.endsAt),
    },
  };
}
