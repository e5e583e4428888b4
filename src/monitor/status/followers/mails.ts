/** Mails to those who follow a page, each in its reader's language. */
import { type MailContent, layOutMail } from "../../../kit/mail/mail-layout.ts";
import type { MailMessage } from "../../../kit/mail/mail.ts";
import type { Language } from "../../../kit/text/languages.ts";
import { statusTexts } from "../status-texts.ts";
import type { AnnouncementRecord, SubscriberRecord } from "./schema.ts";
import { toUnsubscribeUrl } from "./links.ts";

/** Characters of an update that a mail has; the page has all. */
const MAX_TEXT = 10_000;
const MAX_SUBJECT = 200;
/** Components that a mail names. */
const MAX_ROWS = 50;

/** How mails of a page look. */
export interface MailLook {
  readonly pageTitle: string;
  /** The colour of buttons, "#rrggbb". */
  readonly accent: string;
  /** The time zone for times, which is shown with them. */
  readonly timeZone: string;
}

function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}

/** Asks an address whether it wants to follow; or confirms that it does. */
export function askingMail(
  { to, language, isKnown }: { readonly to: string; readonly language: Language; readonly isKnown: boolean },
  { look, url }: { readonly look: MailLook; readonly url: string },
): MailMessage & { readonly kind: string } {
  const t = statusTexts(language);
  const say = (part: "title" | "text" | "button" | "note"): string =>
    t(isKnown ? `known.${part}` : `confirm.${part}`, { page: look.pageTitle });
  const title = say("title");
  return {
    to,
    kind: "status-confirm",
    subject: clip(title, MAX_SUBJECT),
    ...layOutMail({
      language,
      siteName: look.pageTitle,
      accent: look.accent,
      title,
      paragraphs: [say("text")],
      button: { label: say("button"), address: url },
      notes: [say("note")],
    }),
  };
}

/** A time with its zone, as people write it. */
function toTime(at: number, { language, timeZone }: { language: Language; timeZone: string }): string {
  const locale = language === "en" ? "en-GB" : language;
  const format = { dateStyle: undefined, year: "numeric", month: "long", day: "numeric" } as const;
  const time = { hour: "2-digit", minute: "2-digit", timeZoneName: "short", timeZone } as const;
  return new Intl.DateTimeFormat(locale, { ...format, ...time }).format(at);
}

/** The subject of an announcement in the outbox before its layout: its recipient and the link to unsubscribe. */
export function announcementSubject(
  announcement: Pick<AnnouncementRecord, "title" | "step">,
  { pageTitle, language }: { readonly pageTitle: string; readonly language: Language },
): string {
  const step = statusTexts(language)(`step.${announcement.step}`);
  return `${clip(pageTitle, 60)}: ${clip(announcement.title, MAX_SUBJECT - 80)} (${step})`;
}

/** The announcement's text for a follower. */
export function layOutAnnouncement(
  announcement: AnnouncementRecord,
  {
    subscriber,
    look,
    pageUrl,
    subscriptionUrl,
  }: {
    readonly subscriber: Pick<SubscriberRecord, "language">;
    readonly look: MailLook;
    readonly pageUrl: string;
    readonly subscriptionUrl: string;
  },
): Pick<MailMessage, "text" | "html"> {
  const { language } = subscriber;
  const t = statusTexts(language);
  const { event, step, title, text, plannedFrom, plannedTo, components } = announcement;
  const zone = { language, timeZone: look.timeZone };
  const isPlanned = plannedFrom !== undefined && plannedTo !== undefined && event !== "maintenance.completed";
  const times = isPlanned
    ? [t("mail.window", { from: toTime(plannedFrom, zone), to: toTime(plannedTo, zone) })]
    : [];
  const content: MailContent = {
    language,
    siteName: look.pageTitle,
    accent: look.accent,
    title,
    paragraphs: [
      `${t(`lead.${event}`)} ${t(`step.${step}`)}.`,
      ...times,
      ...clip(text, MAX_TEXT)
        .split(/\n{2,}/u)
        .filter((part) => part.trim() !== ""),
    ],
    rows: components.slice(0, MAX_ROWS).map(({ name, status }) => [name, t(`status.${status}`)] as const),
    button: { label: t("mail.open"), address: `${pageUrl}/incidents/${announcement.postId}` },
    notes: [t("mail.why", { page: look.pageTitle })],
    links: [
      { label: t("mail.change"), address: subscriptionUrl },
      { label: t("mail.end"), address: toUnsubscribeUrl(subscriptionUrl) },
    ],
  };
  return layOutMail(content);
}
