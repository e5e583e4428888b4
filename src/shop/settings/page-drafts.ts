/** First drafts of legal pages from what the settings say already; the owner reads, completes and keeps them. */
import { fillText } from "../../kit/text/fill-text.ts";
import { findLegalWords } from "../mails/legal-words.ts";
import type { SiteSettings } from "../site/schema.ts";

/** Languages that drafts are written in. */
export const draftLanguages = ["en", "zh", "de"] as const;
export type DraftLanguage = (typeof draftLanguages)[number];

/** A page as it could begin; what the settings do not say stands in brackets. */
export interface PageDraft {
  readonly slug: string;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
}

const imprintWords = {
  en: {
    title: "Imprint",
    contact: "Contact",
    email: "E-mail",
    phone: "Telephone",
    register: "Register",
    vatId: "VAT number",
    taxNumber: "Tax number",
    name: "[name of the seller]",
    address: "[full address]",
    noEmail: "[e-mail address]",
  },
  zh: {
    title: "经营者信息",
    contact: "联系方式",
    email: "邮箱",
    phone: "电话",
    register: "注册登记",
    vatId: "增值税号",
    taxNumber: "税号",
    name: "[经营者名称]",
    address: "[完整地址]",
    noEmail: "[邮箱地址]",
  },
  de: {
    title: "Impressum",
    contact: "Kontakt",
    email: "E-Mail",
    phone: "Telefon",
    register: "Registereintrag",
    vatId: "USt-IdNr.",
    taxNumber: "Steuernummer",
    name: "[Name des Anbieters]",
    address: "[vollständige Anschrift]",
    noEmail: "[E-Mail-Adresse]",
  },
} as const satisfies Record<DraftLanguage, Record<string, string>>;

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
  const words = imprintWords[language];
  const { seller, contact } = owner;
  const address = toAddressLines(owner, language);
  const row = (label: string, value: string): string => (value === "" ? "" : `${label}: ${value}`);
  const blocks = [
    toBlock([seller.name || words.name, ...(address.length === 0 ? [words.address] : address)]),
    `## ${words.contact}`,
    toBlock([
      row(words.email, seller.email || contact.email || words.noEmail),
      row(words.phone, seller.phone || contact.phone),
    ]),
    row(words.register, seller.register),
    toBlock([row(words.vatId, seller.vatId), row(words.taxNumber, seller.taxNumber)]),
  ];
  return { slug: "imprint", title: words.title, body: blocks.filter((block) => block !== "").join("\n\n") };
}

/** The model instructions of Annex I to Directive 2011/83/EU. */
function draftWithdrawal(owner: Owner, language: DraftLanguage, url: string): PageDraft {
  const words = findLegalWords(language);
  const { seller, contact, eu } = owner;
  const trader = [
    seller.name || imprintWords[language].name,
    ...toAddressLines(owner, language),
    seller.email || contact.email || imprintWords[language].noEmail,
  ].join(", ");
  const online = url === "" ? "" : fillText(words.online, { url });
  const body = fillText(words.instructions, { days: eu.withdrawalDays, trader, online });
  return { slug: "withdrawal", title: words.withdrawal, body };
}

/** Drafts of the pages that can be written from settings: `url` is where buyers withdraw, "" where nowhere. */
export function draftPages(
  owner: Owner,
  { language, url }: { readonly language: DraftLanguage; readonly url: string },
): PageDraft[] {
  return [draftImprint(owner, language), draftWithdrawal(owner, language, url)];
}
