/** The mails of accounts: each in its reader's language, as text and HTML, with a button to the page that does the rest. */
import type { MailMessage } from "../../kit/mail/mail.ts";
import type { Language } from "../../kit/text/languages.ts";
import type { CodePurpose } from "../base/code-purpose.ts";
import { type MailContent, layOutMail } from "../../kit/mail/mail-layout.ts";
import type { MailSite } from "./mail-site.ts";
import { type MailTextKey, mailText } from "./mail-texts.ts";

export type OutgoingMail = MailMessage & { readonly kind: string; readonly ttlSeconds?: number };

/** Minutes that codes and reset links are valid; emails wait no longer. */
export const CODE_MINUTES = 10;
export const LINK_MINUTES = 30;

type Content = Pick<MailContent, "title" | "paragraphs" | "code" | "button" | "notes">;

function compose(
  { siteName, language, accent }: MailSite,
  content: Content,
): Pick<MailMessage, "subject" | "text" | "html"> {
  return {
    subject: `${siteName}: ${content.title}`,
    ...layOutMail({ siteName, language, accent, ...content }),
  };
}

/** A button to a page of this center, where its address is known. */
function toButton(
  { publicUrl, language }: MailSite,
  { label, path, query = {} }: { label: MailTextKey; path: string; query?: Readonly<Record<string, string>> },
): Content["button"] {
  if (publicUrl === undefined) return undefined;
  const search = new URLSearchParams(query).toString();
  const address = `${publicUrl}${path}${search === "" ? "" : `?${search}`}`;
  return { label: mailText(language, label), address };
}

const codePages: Readonly<Record<CodePurpose, string>> = {
  verify: "/verify",
  login: "/sign-in/code",
  email: "/account/emails",
  reauth: "/account/confirm",
  identity: "/sign-in/identity/code",
};

/** A code, grouped for reading: "1234 5678". */
export function codeMail(
  to: string,
  options: { site: MailSite; code: string; purpose: CodePurpose; username?: string },
): OutgoingMail {
  const { site, code, purpose, username = "" } = options;
  const { language, siteName } = site;
  const isNamed = purpose === "verify" && username !== "";
  const text: MailTextKey = isNamed ? "code.verify.textAs" : `code.${purpose}.text`;
  return {
    to,
    kind: "code",
    ttlSeconds: CODE_MINUTES * 60,
    ...compose(site, {
      title: mailText(language, `code.${purpose}.title`),
      paragraphs: [mailText(language, text, { site: siteName, name: username })],
      code: `${code.slice(0, 4)} ${code.slice(4)}`,
      button: toButton(site, {
        label: `code.${purpose}.button`,
        path: codePages[purpose],
        query: { email: to, code },
      }),
      notes: [
        mailText(language, "code.note", { minutes: CODE_MINUTES, site: siteName }),
        mailText(language, "code.ignore"),
      ],
    }),
  };
}

/**
 * Where a token is used: the page that the settings name with the token put in, else this center's own; the token
 * alone where neither is known.
 */
export function toLinkText(
  token: string,
  { resetUrl, publicUrl }: { resetUrl: string; publicUrl: string | undefined },
): string {
  if (resetUrl !== "") return resetUrl.replaceAll("{token}", token);
  return publicUrl === undefined ? token : `${publicUrl}/reset?token=${token}`;
}

/** A link to set a password. `link` is an address, or the bare token where no page is set up. */
export function linkMail(
  to: string,
  options: { site: MailSite; link: string; purpose: "reset" | "set-password"; minutes: number },
): OutgoingMail {
  const { site, link, purpose, minutes } = options;
  const { language, siteName } = site;
  const isAddress = link.includes("://");
  const lifetime =
    minutes >= 120
      ? mailText(language, "link.hours", { hours: Math.round(minutes / 60) })
      : mailText(language, "link.minutes", { minutes });
  return {
    to,
    kind: purpose === "reset" ? "reset-link" : "set-password-link",
    ttlSeconds: minutes * 60,
    ...compose(site, {
      title: mailText(language, `link.${purpose}.title`),
      paragraphs: [mailText(language, `link.${purpose}.text`, { site: siteName })],
      code: isAddress ? undefined : link,
      button: isAddress ? { label: mailText(language, `link.${purpose}.button`), address: link } : undefined,
      notes: [
        ...(isAddress ? [] : [mailText(language, "link.token", { site: siteName })]),
        lifetime,
        mailText(language, "link.ignore"),
      ],
    }),
  };
}

/** A day in UTC as people write it; with `timeZone` the time there as well. */
function toDay(language: Language, at: number, timeZone?: string): string {
  const time = { hour: "2-digit", minute: "2-digit", timeZoneName: "short" } as const;
  return new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    timeZone: timeZone ?? "UTC",
    year: "numeric",
    month: "long",
    day: "numeric",
    ...(timeZone === undefined ? {} : time),
  }).format(at);
}

/** An invite to register with its code; `expiresAt` as people write a day. */
export function inviteMail(
  to: string,
  { site, code, expiresAt }: { site: MailSite; code: string; expiresAt?: number | undefined },
): OutgoingMail {
  const { language, siteName } = site;
  return {
    to,
    kind: "invite",
    ...compose(site, {
      title: mailText(language, "invite.title"),
      paragraphs: [mailText(language, "invite.text", { site: siteName })],
      code,
      button: toButton(site, { label: "invite.button", path: "/sign-up", query: { invite: code } }),
      notes:
        expiresAt === undefined
          ? []
          : [mailText(language, "invite.until", { day: toDay(language, expiresAt) })],
    }),
  };
}

/** Events that owners are notified about, with the page that helps. */
export const noticePages = {
  "already-registered": ["button.signIn", "/sign-in"],
  "refresh-reused": ["button.sessions", "/account/sessions"],
  "password-changed": ["button.security", "/account/security"],
  "primary-email-changed": ["button.emails", "/account/emails"],
  "email-added": ["button.emails", "/account/emails"],
  "email-removed": ["button.emails", "/account/emails"],
  "recovery-removed": ["button.emails", "/account/emails"],
  "address-elsewhere": ["button.emails", "/account/emails"],
  "no-password": ["button.forgot", "/forgot"],
  "second-factor-added": ["button.security", "/account/security"],
  "second-factor-removed": ["button.security", "/account/security"],
  "passkey-added": ["button.passkeys", "/account/security/passkeys"],
  "passkey-removed": ["button.passkeys", "/account/security/passkeys"],
  "recovery-code-used": ["button.security", "/account/security"],
  "upstream-linked": ["button.security", "/account/security"],
  "upstream-unlinked": ["button.security", "/account/security"],
  "deletion-scheduled": ["button.restore", "/restore"],
  impersonated: ["button.activity", "/account/activity"],
  "role-changed": ["button.signIn", "/sign-in"],
  approved: ["button.signIn", "/sign-in"],
  refused: undefined,
  suspended: undefined,
  restored: ["button.signIn", "/sign-in"],
} as const satisfies Readonly<Record<string, readonly [label: MailTextKey, path: string] | undefined>>;

export type Notice = keyof typeof noticePages;

/** Details of a notification. */
export interface NoticeDetails {
  readonly reason?: string | undefined;
  /** When what it tells of ends; epoch milliseconds. */
  readonly until?: number | undefined;
  /** Which provider it is about. */
  readonly provider?: string | undefined;
}

/** Notifies an owner about their account. */
export function noticeMail(
  user: { readonly email: string; readonly username: string; readonly timeZone?: string },
  { site, notice, reason, until, provider = "" }: NoticeDetails & { site: MailSite; notice: Notice },
): OutgoingMail {
  const { language } = site;
  const [label, path] = noticePages[notice] ?? [];
  return {
    to: user.email,
    kind: "notice",
    ...compose(site, {
      title: mailText(language, `notice.${notice}.title`, { provider }),
      paragraphs: [
        mailText(language, "notice.hello", { name: user.username }),
        mailText(language, `notice.${notice}.text`, { provider }),
        ...(reason === undefined ? [] : [mailText(language, "notice.reason", { reason })]),
        ...(until === undefined
          ? []
          : [mailText(language, "notice.until", { day: toDay(language, until, user.timeZone ?? "UTC") })]),
      ],
      button: label === undefined || path === undefined ? undefined : toButton(site, { label, path }),
      notes: [],
    }),
  };
}

/** Notifies an administrator about pending approvals: their number, and the names of some recent ones. */
export function waitingMail(
  to: string,
  { site, names, count }: { site: MailSite; names: readonly string[]; count: number },
): OutgoingMail {
  const { language, siteName } = site;
  return {
    to,
    kind: "waiting-accounts",
    ...compose(site, {
      title: mailText(language, "waiting.title"),
      paragraphs: [
        mailText(language, "waiting.text", { count, site: siteName }),
        mailText(language, "waiting.new", { names: names.join(", ") }),
      ],
      button: toButton(site, { label: "waiting.button", path: "/admin/approvals" }),
      notes: [mailText(language, "waiting.note")],
    }),
  };
}

/** Changes that one mail names; the audit has the others. */
const MAX_CHANGES = 20;

/** Events that administrators are notified about: an audit entry with the relevant changes. */
export interface ToldChange {
  readonly entry: {
    readonly at: number;
    readonly actor: string;
    readonly action: string;
    readonly target: string;
    readonly clientId: string;
    readonly network?: string | undefined;
  };
  readonly changes: readonly string[];
}

function toChangeLine({ language }: MailSite, { entry, changes }: ToldChange): string {
  const { at, actor, action, target, clientId, network = "" } = entry;
  const known = changeTexts.find((name) => name === action);
  const what = known === undefined ? action : mailText(language, `changes.${known}`);
  const detail = changes.length === 0 ? "" : ` (${changes.join(", ")})`;
  const place = [network, clientId === "unknown" ? "" : clientId].filter((part) => part !== "").join(", ");
  const time = new Date(at).toISOString().slice(0, 16).replace("T", " ");
  const values = { actor, place: place === "" ? "–" : place, time };
  return `${what}: ${target}${detail}. ${mailText(language, "changes.by", values)}`;
}

const changeTexts = [
  ...(["client.create", "client.change", "resource.create", "resource.change"] as const),
  ...(["group.change", "api-key.create", "api-key.change", "role.create", "role.change"] as const),
  ...(["user.change", "user.roles", "group.roles", "settings.registration"] as const),
] as const;

/** Notifies an administrator about changes that grant something. */
export function changesMail(
  to: string,
  { site, changes }: { site: MailSite; changes: readonly ToldChange[] },
): OutgoingMail {
  const { language, siteName } = site;
  const more = changes.length - MAX_CHANGES;
  return {
    to,
    kind: "admin-changes",
    ...compose(site, {
      title: mailText(language, "changes.title"),
      paragraphs: [
        mailText(language, "changes.text", { site: siteName }),
        ...changes.slice(0, MAX_CHANGES).map((change) => toChangeLine(site, change)),
        ...(more > 0 ? [mailText(language, "changes.more", { count: more })] : []),
      ],
      button: toButton(site, { label: "changes.button", path: "/admin/audit" }),
      notes: [mailText(language, "changes.note")],
    }),
  };
}

/** A mail with which an administrator tries the settings. */
export function testMail(to: string, site: MailSite): MailMessage {
  const { language, siteName } = site;
  return {
    to,
    ...compose(site, {
      title: mailText(language, "test.title"),
      paragraphs: [mailText(language, "test.text", { site: siteName })],
      notes: [],
    }),
  };
}
