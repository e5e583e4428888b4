/** First drafts of legal pages from what the settings say already; the owner reads, completes and keeps them. */
import { type Language, languages } from "../../kit/text/languages.ts";
import { findLegalTexts } from "../mails/legal-words.ts";
import type { SiteSettings } from "../site/schema.ts";

/** Languages that drafts are written in. */
export const draftLanguages = languages;
export type DraftLanguage = Language;

/** A draft of a page; what the settings lack is in brackets. */
export interface PageDraft {
  readonly slug: string;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
}

type Owner = Pick<SiteSettings, "name" | "seller" | "contact" | "eu">;

function toCountry(country: string, language: DraftLanguage): string {
  return country === "" ? "" : (new Intl.DisplayNames(language, { type: "region" }).of(country) ?? country);
}

function toAddressLines({ seller }: Owner, language: DraftLanguage): string[] {
  const { line1, line2, postalCode, city, region, country } = seller;
  const place = [postalCode, city].filter((part) => part !== "").join(" ");
  return [line1, line2, place, region, toCountry(country, language)].filter((part) => part !== "");
}

/** Lines of one paragraph (two blanks at the end of a line break it). */
function toBlock(lines: readonly string[]): string {
  return lines.filter((line) => line !== "").join("  \n");
}

function draftImprint(owner: Owner, language: DraftLanguage): PageDraft {
  const t = findLegalTexts(language);
  const { seller, contact } = owner;
  const address = toAddressLines(owner, language);
  const row = (label: string, value: string): string => (value === "" ? "" : `${label}: ${value}`);
  const blocks = [
    toBlock([seller.name || t("imprint.name"), ...(address.length === 0 ? [t("imprint.address")] : address)]),
    `## ${t("imprint.contact")}`,
    toBlock([
      row(t("imprint.email"), seller.email || contact.email || t("imprint.noEmail")),
      row(t("imprint.phone"), seller.phone || contact.phone),
    ]),
    row(t("imprint.register"), seller.register),
    toBlock([row(t("imprint.vatId"), seller.vatId), row(t("imprint.taxNumber"), seller.taxNumber)]),
  ];
  return {
    slug: "imprint",
    title: t("imprint.title"),
    body: blocks.filter((block) => block !== "").join("\n\n"),
  };
}

/** The model instructions of Annex I to Directive 2011/83/EU. */
function draftWithdrawal(owner: Owner, language: DraftLanguage, url: string): PageDraft {
  const t = findLegalTexts(language);
  const { seller, contact, eu } = owner;
  const trader = [
    seller.name || t("imprint.name"),
    ...toAddressLines(owner, language),
    seller.email || contact.email || t("imprint.noEmail"),
  ].join(", ");
  const online = url === "" ? "" : t("online", { url });
  const body = t("instructions", { days: eu.withdrawalDays, trader, online });
  return { slug: "withdrawal", title: t("withdrawal"), body };
}

/** Drafts of the pages that can be written from settings: `url` is where buyers withdraw, "" where nowhere. */
export function draftPages(
  owner: Owner,
  { language, url }: { readonly language: DraftLanguage; readonly url: string },
): PageDraft[] {
  return [draftImprint(owner, language), draftWithdrawal(owner, language, url)];
}
