/**
 * Legal parts of the email that confirms a contract (Article 8(7) of Directive 2011/83/EU): an email is a durable
 * medium.
 */
import { toMailedAddresses } from "../site/page-urls.ts";
import { isEuOn } from "../eu/schema.ts";
import { getPage } from "../legal/legal-pages.ts";
import { formatTime, keepFormats } from "../base/formats.ts";
import { type LegalTexts, findLegalTexts } from "../mails/legal-words.ts";
import type { MailPart } from "../mails/mail-layout.ts";
import { paragraph, toAddress } from "../mails/mails.ts";
import type { SiteSettings } from "../site/schema.ts";
import type { OrderRecord } from "./schema.ts";

interface LegalOptions {
  readonly site: SiteSettings;
  readonly publicUrl: string;
}

/** The seller in a line: name, address, e-mail address. */
function nameSeller({ seller, name, contact }: SiteSettings): string {
  const { line1, line2, postalCode, city, country } = seller;
  const place = [postalCode, city].filter((part) => part !== "").join(" ");
  const email = seller.email || contact.email;
  return [seller.name || name, line1, line2, place, country, email].filter((part) => part !== "").join(", ");
}

function toSeller(site: SiteSettings, t: LegalTexts): MailPart {
  const { vatId, phone } = site.seller;
  const rows: [string, string][] = [[t("seller"), nameSeller(site)]];
  if (vatId !== "") rows.push([t("vatId"), vatId]);
  const number = phone || site.contact.phone;
  if (number !== "") rows.push(["", number]);
  return { kind: "facts", rows };
}

/** The confirmation of a consent, without which the right of withdrawal would stay (Article 16(m)(iii)). */
function toConsent({ consents, language }: OrderRecord, site: SiteSettings, t: LegalTexts): MailPart[] {
  const given = consents?.digitalContent;
  if (given === undefined) return [];
  const time = formatTime(given.at, { language, timeZone: site.timeZone });
  return [paragraph(`${t("agreed", { time })}:\n“${given.wording}”\n${t("waived")}`)];
}

function findPage(site: SiteSettings, slug: string, language: string) {
  return site.pages.some((page) => page.slug === slug) ? getPage(site, slug, language) : undefined;
}

/** Filled in once for all orders, as long as settings stay as they are. */
const texts = keepFormats<string>();

/** The page of the shop, or else the instructions of the law, and the form. */
function toWithdrawal(order: OrderRecord, { site, publicUrl }: LegalOptions, t: LegalTexts): MailPart[] {
  if (order.lines.every(({ withdrawal }) => withdrawal === undefined || withdrawal === "excluded")) return [];
  const { eu } = site;
  const trader = nameSeller(site);
  const { withdrawal } = toMailedAddresses(site, publicUrl);
  const url = withdrawal === "" ? "" : toAddress(publicUrl, withdrawal);
  const online = url === "" ? "" : t("online", { url });
  const page = findPage(site, "withdrawal", order.language);
  const days = eu.withdrawalDays;
  const key = JSON.stringify([t("withdrawal"), days, trader, online]);
  const instructions =
    page?.body ?? texts(`instructions ${key}`, () => t("instructions", { days, trader, online }));
  const form = texts(`form ${key}`, () => t("formBody", { trader }));
  return [
    { kind: "document", title: page?.title ?? t("withdrawal"), markdown: instructions },
    { kind: "document", title: t("form"), markdown: form, values: { number: order.number } },
  ];
}

/** Seller, consents, withdrawal and terms; nothing where the law is not on. */
export function toLegalParts(order: OrderRecord, options: LegalOptions): MailPart[] {
  const { site } = options;
  if (!isEuOn(site)) return [];
  const t = findLegalTexts(order.language);
  const terms = findPage(site, "terms", order.language);
  return [
    toSeller(site, t),
    ...toConsent(order, site, t),
    ...toWithdrawal(order, options, t),
    ...(terms === undefined ? [] : [{ kind: "document", title: terms.title, markdown: terms.body } as const]),
  ];
}
