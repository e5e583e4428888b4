/** Emails about replies in the chat. */
import type { Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { findMailWords } from "../mails/mail-words.ts";
import { enqueueTemplate, paragraph, toLink } from "../mails/mails.ts";
import type { MailFilling } from "../mails/templates.ts";
import type { SiteSettings } from "../site/schema.ts";
import { readSite, readSmtp } from "../site/settings.ts";
import { toGuestUrl } from "./guest-links.ts";
import { toMailbox } from "../base/mailbox.ts";
import { orders } from "../orders/records.ts";
import { conversations, messages } from "./records.ts";
import type { ConversationRecord, Guest, MessageRecord } from "./schema.ts";
import { toUnsubscribeUrl } from "../mails/unsubscribe-link.ts";

const KIND = "question_reply";

/**
 * Mails a user about an answer at the address that was verified when they wrote, unless there is none or such mails are
 * switched off; says whether a mail was written.
 */
export async function mailChatReply(
  tx: Tx,
  { outbox, publicUrl, box }: Pick<ShopDeps, "outbox" | "publicUrl" | "box">,
  conversation: ConversationRecord,
): Promise<boolean> {
  const { id, preview, replyTo, isReplyMailOff = false } = conversation;
  const to = replyTo?.address;
  if (to === undefined || isReplyMailOff || !(await readSmtp(tx)).notify.chat_reply) return false;
  const { name } = await readSite(tx);
  const unsubscribe = toUnsubscribeUrl({ box, publicUrl }, { kind: "chat_reply", id });
  const text = [
    `${name}: you have a reply to your message`,
    ...(preview === "" ? [] : [preview]),
    ...(publicUrl === "" ? [] : [`Sign in to read it: ${publicUrl}/chat`]),
    ...(unsubscribe === undefined ? [] : [`Unsubscribe: ${unsubscribe}`]),
  ].join("\n\n");
  const subject = `${name}: reply to your message`;
  await outbox.enqueue(tx, { kind: "chat_reply", to, subject, text, unsubscribe });
  return true;
}

/** A reply, and what it is about. */
export interface GuestReply {
  readonly question: string;
  readonly reply: string;
  /** Opens the conversation; "" while the shop does not know its own URL. */
  readonly url: string;
  readonly language: string;
}

/** Values for the variables of the email about a reply to a guest. */
export function toReplyFilling(
  { question, reply, url, language }: GuestReply,
  { name }: Pick<SiteSettings, "name">,
): MailFilling {
  const { words } = findMailWords(language);
  return {
    values: { shopName: name },
    blocks: {
      reply: reply === "" ? [] : [paragraph(reply)],
      question: question === "" ? [] : [{ kind: "facts", rows: [[words.yourQuestion, question]] }],
      conversationLink: toLink(words.openConversation, url),
    },
  };
}

/** The guest, at the email address that their order has now: what was proved of the former counts for nothing. */
async function readGuest(tx: Tx, conversation: ConversationRecord): Promise<Guest | undefined> {
  const { guest } = conversation;
  const order = guest?.order && (await tx.get(orders, guest.order.id));
  if (guest === undefined || order === undefined || order.email === guest.email) return guest;
  const moved = { ...guest, email: order.email, provedAt: undefined };
  const named = { username: order.email, mailbox: toMailbox(order.email), guest: moved };
  await tx.put(conversations, { ...conversation, ...named });
  return moved;
}

/** Mails a guest every reply: there is no other way to learn of it, and the link in it proves the mailbox. */
export async function mailGuest(
  tx: Tx,
  { outbox, clock, publicUrl, box }: Pick<ShopDeps, "outbox" | "clock" | "publicUrl" | "box">,
  { conversation, message }: { readonly conversation: ConversationRecord; readonly message: MessageRecord },
): Promise<void> {
  const { id } = conversation;
  const guest = await readGuest(tx, conversation);
  if (guest === undefined) return;
  const site = await readSite(tx);
  const asked = await tx.list(messages, "byReader", { prefix: [id, "admin"], reverse: true, limit: 1 });
  const about = {
    question: asked.items[0]?.body ?? "",
    reply: message.body,
    url: publicUrl === "" ? "" : toGuestUrl({ box, publicUrl }, { id, guest }),
    language: guest.language,
  };
  const mail = { kind: KIND, language: guest.language, thread: id, to: guest.email } as const;
  await enqueueTemplate(tx, { outbox, clock, site }, { ...mail, filling: toReplyFilling(about, site) });
}
