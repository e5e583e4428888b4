/** The mail about an answer in the chat. */
import type { Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { readSite, readSmtp } from "../site/settings.ts";
import type { ConversationRecord } from "./schema.ts";
import { toUnsubscribeUrl } from "../mails/unsubscribe-link.ts";

/**
 * Mails a user about an answer at the address that was verified when they wrote, unless there is none or such mails are
 * switched off; says whether a mail was written.
 */
export async function mailChatReply(
  tx: Tx,
  { outbox, publicUrl, box }: Pick<ShopDeps, "outbox" | "publicUrl" | "box">,
  conversation: ConversationRecord,
): Promise<boolean> {
  const { userId, preview, replyTo, isReplyMailOff = false } = conversation;
  const to = replyTo?.address;
  if (to === undefined || isReplyMailOff || !(await readSmtp(tx)).notify.chat_reply) return false;
  const { name } = await readSite(tx);
  const unsubscribe = toUnsubscribeUrl({ box, publicUrl }, { kind: "chat_reply", id: userId });
  const text = [
    `${name}: you have a reply to your message`,
    ...(preview === "" ? [] : [preview]),
    ...(publicUrl === "" ? [] : [`Sign in to read it: ${publicUrl}`]),
    ...(unsubscribe === undefined ? [] : [`Unsubscribe: ${unsubscribe}`]),
  ].join("\n\n");
  const subject = `${name}: reply to your message`;
  await outbox.enqueue(tx, { kind: "chat_reply", to, subject, text, unsubscribe });
  return true;
}
