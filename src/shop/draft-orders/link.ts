/** The payment link of a draft: its token, and the email that brings it. */
import { isSameText } from "../../kit/secrets/same-text.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { formatTime } from "../base/formats.ts";
import { formatAmount } from "../base/money.ts";
import type { MailPart } from "../mails/mail-layout.ts";
import { findMailWords } from "../mails/mail-words.ts";
import { enqueueTemplate, paragraph, toLink } from "../mails/mails.ts";
import type { MailFilling } from "../mails/templates.ts";
import { nameLine } from "../orders/delivery.ts";
import type { SiteSettings } from "../site/schema.ts";
import type { DraftRecord, Quoted } from "./schema.ts";

const PREFIX = "dt_";
const PURPOSE = "draft-token";

type Opened = Pick<DraftRecord, "id" | "link">;

/** The token of the link that was sent last. */
export function toDraftToken(box: SecretBox, { id, link }: Opened): string {
  return `${PREFIX}${box.mac(`${id} ${link?.renewals ?? 0}`, PURPOSE)}`;
}

/** Whether a token opens a draft, compared in constant time. */
export function isDraftToken(box: SecretBox, draft: Opened, token: string): boolean {
  return draft.link !== undefined && isSameText(token, toDraftToken(box, draft));
}

/** Where the buyer checks and pays the draft. */
export function toDraftUrl(
  { box, publicUrl }: Pick<ShopDeps, "box" | "publicUrl">,
  draft: Opened & Pick<DraftRecord, "number">,
): string {
  return `${publicUrl}/pay/${draft.number}?token=${toDraftToken(box, draft)}`;
}

interface LinkMail {
  readonly number: string;
  readonly quoted: Quoted;
  readonly expiresAt: number;
  readonly url: string;
  readonly message: string;
}

/** Values for the variables of the email. */
export function toLinkFilling(
  { number, quoted, expiresAt, url, message }: LinkMail,
  site: SiteSettings,
): MailFilling {
  const { words, language } = findMailWords(quoted.language);
  const { email, currency, total, shipping, discount, tax, pricesIncludeTax } = quoted;
  const amount = (value: number): string => formatAmount(value, currency, language);
  const onTop = tax !== undefined && pricesIncludeTax !== true ? tax.amount : 0;
  const rows: (readonly [string, string])[] = [
    ...quoted.lines.map(
      (line) => ["", `${line.quantity} × ${nameLine(line)} — ${amount(line.subtotal)}`] as const,
    ),
    ...(discount === 0 ? [] : [[words.discount, amount(-discount)] as const]),
    ...(shipping === 0 ? [] : [[words.shipping, amount(shipping)] as const]),
    ...(onTop === 0 ? [] : [[words.tax, amount(onTop)] as const]),
    [words.total, amount(total)],
  ];
  const until = formatTime(expiresAt, { language, timeZone: site.timeZone });
  const facts = (all: readonly (readonly [string, string])[]): MailPart[] => [{ kind: "facts", rows: all }];
  return {
    values: { shopName: site.name, number, email, total: amount(total) },
    blocks: {
      note: message === "" ? [] : [paragraph(message)],
      order: facts(rows),
      payUntil: facts([[words.payUntil, until]]),
      payLink: toLink(words.reviewAndPay, url),
    },
  };
}

/** Queues the email with the link. */
export async function mailLink(
  tx: Tx,
  { outbox, clock }: Pick<ShopDeps, "outbox" | "clock">,
  { site, thread, ...mail }: LinkMail & { readonly site: SiteSettings; readonly thread: string },
): Promise<void> {
  const { language, email: to } = mail.quoted;
  const filling = toLinkFilling(mail, site);
  await enqueueTemplate(tx, { outbox, clock, site }, { kind: "draft_link", language, thread, to, filling });
}
