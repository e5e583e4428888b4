/** Consents required before ordering, and their form in the order. */
import { AppError, type FieldError } from "../../kit/errors.ts";
import { isDigital } from "../eu/right-of-withdrawal.ts";
import { isEuOn } from "../eu/schema.ts";
import { findEuWords } from "../eu/words.ts";
import { findPageVersion } from "../legal/legal-pages.ts";
import { findMailWords } from "../mails/mail-words.ts";
import type { OrderLine, OrderRecord } from "../orders/schema.ts";
import type { SiteSettings } from "../site/schema.ts";
import type { PricedLine, Totals } from "./pricing.ts";
import type { PreviewInput } from "./schema.ts";

/** One thing to agree to, in the words to show. */
export interface ConsentNeed {
  readonly name: "digitalContent" | "terms";
  readonly wording: string;
}

interface Wanted {
  readonly site: SiteSettings;
  readonly lines: readonly PricedLine[];
  readonly language: string;
}

/** The same with what it costs. */
interface OrderedAt extends Wanted {
  readonly totals: Pick<Totals, "total">;
}

/** Digital content with a right of withdrawal, which ends when it is handed over. */
function needsConsent({ line, product }: PricedLine): boolean {
  return isDigital(line) && product.excludedFromWithdrawal !== true;
}

/** Consents required for an order of these lines. */
export function listConsents({ site, lines, language }: Wanted): ConsentNeed[] {
  if (!isEuOn(site)) return [];
  const words = findEuWords(language);
  const needs: ConsentNeed[] = [];
  if (lines.some(needsConsent)) needs.push({ name: "digitalContent", wording: words.digitalContent });
  if (site.eu.termsConsent) needs.push({ name: "terms", wording: words.terms });
  return needs;
}

/** Throws `invalid` for what has to be agreed to and was not. */
export function assertConsents(wanted: Wanted, { consents }: PreviewInput): void {
  const errors = listConsents(wanted).flatMap(({ name, wording }): FieldError[] =>
    consents?.[name] === true
      ? []
      : [{ pointer: `/consents/${name}`, code: "required", message: `must be true for "${wording}"` }],
  );
  if (errors.length > 0) throw new AppError("invalid", "A required consent is missing", { errors });
}

/** The order button required by law: undefined for a free order. */
export function findOrderButton({ site, totals, language }: OrderedAt): string | undefined {
  return isEuOn(site) && totals.total > 0 ? findEuWords(language).orderButton : undefined;
}

/** What the box for a reminder says. */
export function toReminderWording(language: string): string {
  const { words } = findMailWords(language);
  return words.reminderConsent;
}

/** Whether the buyer wants an email if the order is not paid, and the shop sends such. */
export function takesReminder(
  { checkoutReminders }: Pick<SiteSettings, "checkoutReminders">,
  given: PreviewInput["consents"],
): boolean {
  return checkoutReminders.enabled && given?.reminder === true;
}

/** What the box for an invitation to review says. */
export function toReviewWording(language: string): string {
  const { words } = findMailWords(language);
  return words.reviewConsent;
}

/** Whether the shop asks buyers for reviews by email. */
export function asksForReviews({ reviews }: Pick<SiteSettings, "reviews">): boolean {
  return reviews.isOn && reviews.invite;
}

/** Consents as the order stores them; undefined where the law is not on. */
export function toConsents(
  wanted: OrderedAt,
  { given, atMs }: { readonly given: PreviewInput["consents"]; readonly atMs: number },
): OrderRecord["consents"] {
  const { site, language } = wanted;
  const reminder = takesReminder(site, given)
    ? { at: atMs, wording: toReminderWording(language) }
    : undefined;
  const review =
    asksForReviews(site) && given?.review === true
      ? { at: atMs, wording: toReviewWording(language) }
      : undefined;
  if (!isEuOn(site)) return (reminder ?? review) && { reminder, review };
  const words = findEuWords(language);
  const isAsked = listConsents(wanted).some(({ name }) => name === "digitalContent");
  const pageVersion = findPageVersion(site.pages, "terms");
  const wording = given?.terms === true ? words.terms : undefined;
  return {
    orderButton: findOrderButton(wanted),
    reminder,
    review,
    digitalContent:
      isAsked && given?.digitalContent === true ? { at: atMs, wording: words.digitalContent } : undefined,
    terms: pageVersion === undefined ? undefined : { at: atMs, pageVersion, wording },
  };
}

function toWithdrawal(priced: PricedLine | undefined): OrderLine["withdrawal"] {
  if (priced === undefined || priced.product.excludedFromWithdrawal === true) return "excluded";
  return needsConsent(priced) ? "waived" : "open";
}

/** The lines of an order, in the order of the wanted ones, with their rights of withdrawal; as they are where the law is not on. */
export function withWithdrawal(lines: OrderLine[], wanted: Wanted): OrderLine[] {
  if (!isEuOn(wanted.site)) return lines;
  // Not a spread: docs/decisions/078-members-before-the-copy.md.
  return lines.map((line, index) =>
    Object.assign({}, line, { withdrawal: toWithdrawal(wanted.lines[index]) }),
  );
}
