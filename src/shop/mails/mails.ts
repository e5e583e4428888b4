/** Mails to wishers and to the administrator, written in the transaction of what they are about. */
import { outboxCollection } from "../../records/outbox.ts";
import type { Tx } from "../../store/store.ts";
import type { ShopDeps } from "../deps.ts";
import { type MailPart, layOut, toOneLine } from "./mail-layout.ts";
import { findMailWords } from "./mail-words.ts";
import { formatAmount } from "../money.ts";
import { readSite, readSmtp } from "../site/settings.ts";
import { toUnsubscribeUrl } from "./unsubscribe-link.ts";

export type MailDeps = Pick<ShopDeps, "outbox" | "publicUrl">;

/** Headers take 500 characters; a subject that long is none. */
export const MAX_SUBJECT = 250;

export const paragraph = (text: string): MailPart => ({ kind: "paragraph", text });

/** The address of a page of the shop, absolute where the shop knows its own. */
export function toAddress(publicUrl: string, address: string): string {
  return address.startsWith("/") ? `${publicUrl}${address}` : address;
}

/** What a wisher is told of a product. */
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

/** Tells a user of a change to something on their wishlist, unless mails of this kind are switched off. */
export async function mailWish(
  tx: Tx,
  { outbox, publicUrl, box }: MailDeps & Pick<ShopDeps, "box">,
  mail: WishMail,
): Promise<void> {
  const { notify } = await readSmtp(tx);
  if (!notify[mail.kind]) return;
  const site = await readSite(tx);
  const { words, language } = findMailWords(mail.language);
  const [title, intro] = words[mail.kind];
  const amount = (value: number): string => formatAmount(value, mail.currency, language);
  const template = site.productUrlTemplate;
  const address = template.replaceAll("{slug}", encodeURIComponent(mail.slug));
  const unsubscribe = toUnsubscribeUrl({ box, publicUrl }, { kind: mail.kind, id: mail.wishId });
  const before = [words.priceBefore, amount(mail.priceBefore)] as const;
  const parts: MailPart[] = [
    paragraph(intro),
    {
      kind: "facts",
      rows: [
        [words.product, mail.title],
        [words.price, amount(mail.price)],
        ...(mail.kind === "price_drop" ? [before] : []),
      ],
    },
    ...(template === ""
      ? []
      : [{ kind: "link", label: mail.title, address: toAddress(publicUrl, address) } as const]),
    paragraph(words.unsubscribe),
    ...(unsubscribe === undefined
      ? []
      : [{ kind: "link", label: words.unsubscribeLink, address: unsubscribe } as const]),
  ];
  await outbox.enqueue(tx, {
    kind: mail.kind,
    to: mail.to,
    subject: toOneLine(`${site.name}: ${title} — ${mail.title}`, MAX_SUBJECT),
    unsubscribe,
    ...layOut({ language, shopName: site.name, title, parts, cutNote: words.cut }),
  });
}

/** Notices of one kind that may wait for the administrator; what comes beyond them is seen in the lists. */
const MAX_WAITING_NOTICES = 30;

/** Tells the administrator, when there is an address for it and such mails are wanted. Says whether a mail was written. */
export async function mailAdmin(
  tx: Tx,
  { outbox }: Pick<MailDeps, "outbox">,
  mail: { subject: string; lines: readonly string[]; kind?: "admin_attention" | "new_order" | "new_message" },
): Promise<boolean> {
  const { subject, lines, kind = "admin_attention" } = mail;
  const { adminAddress, notify } = await readSmtp(tx);
  if (adminAddress === "" || !notify[kind]) return false;
  const waiting = { prefix: [kind, "waiting"] };
  if (
    kind !== "admin_attention" &&
    (await tx.count(outboxCollection, "byKindState", waiting)) >= MAX_WAITING_NOTICES
  )
    return false;
  const site = await readSite(tx);
  await outbox.enqueue(tx, {
    kind,
    to: adminAddress,
    subject: toOneLine(`${site.name}: ${subject}`, MAX_SUBJECT),
    ...layOut({
      language: "en",
      shopName: site.name,
      title: subject,
      parts: lines.filter((text) => text !== "").map(paragraph),
      cutNote: "There is more than fits into a mail.",
    }),
  });
  return true;
}
