/** The public part of the site's settings. */
import type { Provider, SiteSettings } from "./schema.ts";

type Announcement = NonNullable<SiteSettings["announcement"]>;

/** The value for a language: under its own tag, or that of the language alone ("de" for "de-AT"). */
function findOwn<T>(all: Readonly<Record<string, T>> | undefined, language: string): T | undefined {
  const known = new Map(Object.entries(all ?? {}));
  return known.get(language) ?? known.get(language.split("-")[0] ?? "");
}

/** The announcement while it is shown: from its start, until its end; in a language, where it has words for it. */
export function findAnnouncement(
  { announcement }: Pick<SiteSettings, "announcement">,
  { nowMs, language = "" }: { readonly nowMs: number; readonly language?: string | undefined },
): Announcement | null {
  if (announcement === null || announcement.text === "") return null;
  const { startsAt = 0, endsAt = Number.POSITIVE_INFINITY } = announcement;
  if (nowMs < startsAt || nowMs >= endsAt) return null;
  return { ...announcement, text: findOwn(announcement.translations, language) || announcement.text };
}

/** Title and instructions of a provider in a language; what it has no words for is in the first one of the site. */
export function wordsOfProvider(
  { title, instructions, translations }: Provider,
  language = "",
): Pick<Provider, "title" | "instructions"> {
  const own = findOwn(translations, language);
  return { title: own?.title || title, instructions: own?.instructions || instructions };
}

/** Ways to pay as a buyer sees them; `hasPage`: the buyer is led to an address to pay. */
export function toPaymentMethods(offered: readonly Provider[], language?: string) {
  return offered.map((provider) => ({
    word: provider.word,
    ...wordsOfProvider(provider, language),
    hasPage: provider.payUrlTemplate !== "",
  }));
}
