/** Mails about wishes and to the administrator, written in the transaction of what they are about. */
import { outboxCollection } from "../../records/outbox-record.ts";
import { toMailedAddresses } from "../site/page-urls.ts";
import type { Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { type MailDocument, type MailPart, layOut, toOneLine } from "./mail-layout.ts";
import { toDraft } from "./drafts.ts";
import { findMailWords } from "./mail-words.ts";
import { toAccent } from "../../kit/brand/accent.ts";
import type { TemplateKind } from "./template-kinds.ts";
import { type MailFilling, fillMail, readTemplate } from "./templates.ts";
import { formatAmount } from "../base/money.ts";
import { type MailKind, type SiteSettings, toAddresses } from "../site/schema.ts";
import { readSite, readSmtp } from "../site/settings.ts";
import { toUnsubscribeUrl } from "./unsubscribe-link.ts";

export type MailDeps = Pick<ShopDeps, "outbox" | "publicUrl" | "clock">;

/** Headers take 500 characters; a subject that long is none. */
const MAX_SUBJECT = 250;

export const paragraph = (text: string): MailPart => ({ kind: "paragraph", text });

/** A link, or nothing without an address. */
export function toLink(label: string, address: string | undefined): MailPart[] {
  return address === undefined || address === "" ? [] : [{ kind: "link", label, address }];
}

/** The address of a page of the shop, absolute where the shop knows its own. */
export function toAddress(publicUrl: string, address: string): string {
  return address.startsWith("/") ? `${publicUrl}${address}` : address;
}

/** Parts of an email about the shop; its subject begins with the shop's name. */
interface SiteMail extends Omit<MailDocument, "shopName" | "accent"> {
  readonly kind: string;
  readonly to: string;
  readonly subject: string;
  readonly thread?: string;
  readonly unsubscribe?: string | undefined;
  /** Written in place of an email that must not be sent. */
  readonly isDecoy?: boolean;
  /** Ids of invoices that go with it, as far as they are e-invoices. */
  readonly documents?: readonly string[] | undefined;
}

function toSubject({ name }: SiteSettings, subject: string): string {
  return toOneLine(`${name}: ${subject}`, MAX_SUBJECT);
}

/** The shade of the shop's color that can be read; undefined for the product's own. */
function toMailAccent({ branding: { color } }: SiteSettings): string | undefined {
  return color === "" ? undefined : toAccent(color).light;
}

/** A mail as it would be sent. */
export function composeMail(
  site: SiteSettings,
  {
    language,
    title,
    parts,
    cutNote,
    subject,
  }: Omit<MailDocument, "shopName" | "accent"> & { readonly subject: string },
): { subject: string; text: string; html?: string } {
  return {
    subject: toSubject(site, subject),
    ...layOut({ language, shopName: site.name, title, parts, cutNote, accent: toMailAccent(site) }),
  };
}

/** Queues a mail, which is laid out when it is sent. */
export async function enqueueMail(
  tx: Tx,
  { outbox, clock, site }: Pick<MailDeps, "outbox" | "clock"> & { readonly site: SiteSettings },
  { language, title, parts, cutNote, subject, documents, ...mail }: SiteMail,
): Promise<void> {
  const accent = toMailAccent(site);
  const whole = { language, shopName: site.name, title, parts, cutNote, documents, accent };
  const draft = await toDraft(tx, whole, clock.now());
  const laidOut =
    draft === undefined
      ? composeMail(site, { language, title, parts, cutNote, subject })
      : { subject: toSubject(site, subject), text: "", draft };
  // Not a spread: docs/decisions/078-members-before-the-copy.md.
  await outbox.enqueue(tx, Object.assign({}, mail, laidOut));
}

/** A mail with the words of its kind, which owners of shops can change. */
interface TemplateMail extends Omit<SiteMail, "kind" | "title" | "parts" | "cutNote" | "subject"> {
  readonly kind: TemplateKind;
  /** What the mail is called in the outbox, if not like its template. */
  readonly sentAs?: string;
  readonly filling: MailFilling;
}

/** Queues a mail in the language that is next to the wanted one. */
export async function enqueueTemplate(
  tx: Tx,
  deps: Parameters<typeof enqueueMail>[1],
  { kind, sentAs, filling, language: wanted, ...mail }: TemplateMail,
): Promise<void> {
  const { words, language } = findMailWords(wanted);
  const filled = fillMail(await readTemplate(tx, kind, language), filling);
  await enqueueMail(tx, deps, { ...mail, ...filled, kind: sentAs ?? kind, language, cutNote: words.cut });
}

/** A change to something on a wishlist. */
export interface WishMail {
  readonly kind: "restock" | "price_drop";
  readonly wishId: string;
  readonly to: string;
  readonly language: string;
  readonly title: string;
  readonly slug: string;
  readonly price: number;
  readonly priceBefore: number;
  readonly currency: string;
}

/** Values for the variables of an email about a wish. */
export function toWishFilling(
  mail: WishMail,
  options: {
    readonly site: SiteSettings;
    readonly publicUrl: string;
    readonly unsubscribe: string | undefined;
  },
): MailFilling {
  const { site, publicUrl, unsubscribe } = options;
  const { words, language } = findMailWords(mail.language);
  const amount = (value: number): string => formatAmount(value, mail.currency, language);
  const [price, priceBefore] = [amount(mail.price), amount(mail.priceBefore)];
  const rows: [string, string][] = [
    [words.product, mail.title],
    [words.price, price],
  ];
  if (mail.kind === "price_drop") rows.push([words.priceBefore, priceBefore]);
  const { product } = toMailedAddresses(site, publicUrl);
  const page = product.replaceAll("{slug}", encodeURIComponent(mail.slug));
  return {
    values: { shopName: site.name, product: mail.title, price, priceBefore },
    blocks: {
      details: [{ kind: "facts", rows }],
      productLink: toLink(mail.title, toAddress(publicUrl, page)),
      unsubscribe: [paragraph(words.unsubscribe), ...toLink(words.unsubscribeLink, unsubscribe)],
    },
  };
}

/** Mails a user about a change to something on their wishlist, unless mails of this kind are switched off. */
export async function mailWish(
  tx: Tx,
  { outbox, publicUrl, clock, box }: MailDeps & Pick<ShopDeps, "box">,
  mail: WishMail,
): Promise<void> {
  const { kind, to } = mail;
  const { notify } = await readSmtp(tx);
  if (!notify[kind]) return;
  const site = await readSite(tx);
  const unsubscribe = toUnsubscribeUrl({ box, publicUrl }, { kind, id: mail.wishId });
  const filling = toWishFilling(mail, { site, publicUrl, unsubscribe });
  const { language } = mail;
  await enqueueTemplate(tx, { outbox, clock, site }, { kind, to, language, unsubscribe, filling });
}

/** Mails of one kind that may wait for the administrator; what comes beyond them is seen in the lists. */
const MAX_WAITING = 30;
/** Kinds that are never left out: something is to be done within days, or lost. */
const urgent: ReadonlySet<AdminMailKind> = new Set(["admin_attention", "dispute"]);

/** Kinds of mails to the owner of the shop. */
export type AdminMailKind = Extract<
  MailKind,
  "admin_attention" | "new_order" | "new_message" | "low_stock" | "withdrawal" | "dispute"
>;

/** Mails the administrators, when there are addresses for it and such mails are wanted. Returns whether a mail was written. */
export async function mailAdmin(
  tx: Tx,
  { outbox, clock }: Pick<MailDeps, "outbox" | "clock">,
  mail: { subject: string; lines: readonly string[]; kind?: AdminMailKind },
): Promise<boolean> {
  const { subject, lines, kind = "admin_attention" } = mail;
  const { adminAddress, notify } = await readSmtp(tx);
  const recipients = toAddresses(adminAddress);
  if (recipients.length === 0 || !notify[kind]) return false;
  const waiting = { prefix: [kind, "waiting"] };
  const most = MAX_WAITING * recipients.length;
  if (!urgent.has(kind) && (await tx.count(outboxCollection, "byKindState", waiting)) >= most) return false;
  const site = await readSite(tx);
  const parts = lines.filter((text) => text !== "").map(paragraph);
  const cutNote = "The text was shortened to fit into an email.";
  const mails = { kind, subject, language: "en", title: subject, parts, cutNote };
  for (const to of recipients) await enqueueMail(tx, { outbox, clock, site }, { ...mails, to });
  return true;
}
