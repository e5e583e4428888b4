/** The mail about an answer in the chat. Hidden here: where it goes, for the auth center tells no addresses. */
import type { Tx } from "../store/store.ts";
import type { ShopDeps } from "./deps.ts";
import { orders } from "./records.ts";
import { readSite, readSmtp } from "./settings.ts";

/**
 * Tells a user of an answer at the address of their newest order, unless there is none or such mails are switched
 * off; says whether a mail was written.
 */
export async function mailChatReply(
  tx: Tx,
  { outbox, publicUrl }: Pick<ShopDeps, "outbox" | "publicUrl">,
  { userId, preview }: { readonly userId: string; readonly preview: string },
): Promise<boolean> {
  if (!(await readSmtp(tx)).notify.chat_reply) return false;
  const newest = await tx.list(orders, "byUser", { prefix: [userId], limit: 1, reverse: true });
  const to = newest.items[0]?.email;
  if (to === undefined) return false;
  const { name } = await readSite(tx);
  const text = [
    `${name}: there is an answer to your message`,
    ...(preview === "" ? [] : [preview]),
    ...(publicUrl === "" ? [] : [`Sign in to read it: ${publicUrl}`]),
  ].join("\n\n");
  await outbox.enqueue(tx, { kind: "chat_reply", to, subject: `${name}: an answer to your message`, text });
  return true;
}
