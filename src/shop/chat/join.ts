/** Conversations of guests that become part of the conversation of their account. */
import { listEvery } from "../../store/every-page.ts";
import type { Tx } from "../../store/store.ts";
import type { ShopUser } from "../users/caller.ts";
import { takeNumbers } from "./numbers.ts";
import { attachments, conversations, messages } from "./records.ts";
import type { ConversationRecord, MessageRecord } from "./schema.ts";

/** Conversations of one mailbox that are joined at once. */
const MOST = 50;

/** Up to where a side has read both: never past a message that it has not seen. */
function toRead(parts: readonly { readonly read: number; readonly unread: number }[]): number {
  const unseen = parts.filter(({ unread }) => unread > 0).map(({ read }) => read);
  return unseen.length > 0 ? Math.min(...unseen) : Math.max(...parts.map(({ read }) => read));
}

/** The numbers of two conversations in one; unread messages are counted when all are there. */
function merge(
  guests: ConversationRecord,
  own: ConversationRecord | undefined,
  { id: userId, username }: Pick<ShopUser, "id" | "username">,
): Omit<ConversationRecord, "version"> {
  const both = own === undefined ? [guests] : [own, guests];
  const newest = own !== undefined && own.lastSeq > guests.lastSeq ? own : guests;
  return {
    ...own,
    id: userId,
    userId,
    username,
    status: both.some(({ status }) => status === "open") ? "open" : "resolved",
    unreadAdmin: 0,
    unreadUser: 0,
    readByUser: toRead(both.map(({ readByUser: read, unreadUser: unread }) => ({ read, unread }))),
    readByAdmin: toRead(both.map(({ readByAdmin: read, unreadAdmin: unread }) => ({ read, unread }))),
    lastSeq: newest.lastSeq,
    lastMessageAt: newest.lastMessageAt,
    preview: newest.preview,
    assignee: own?.assignee ?? guests.assignee,
    change: newest.change,
    createdAt: Math.min(...both.map(({ createdAt }) => createdAt)),
  };
}

async function moveMessage(tx: Tx, message: MessageRecord, userId: string): Promise<void> {
  const { id, sender } = message;
  for (const { id: pictureId } of message.attachments) {
    const picture = pictureId === undefined ? undefined : await tx.get(attachments, pictureId);
    if (picture !== undefined) await tx.put(attachments, { ...picture, conversationId: userId });
  }
  await tx.put(messages, { ...message, conversationId: userId, dedupeKey: `${userId}:${sender}:${id}` });
}

async function joinOne(
  tx: Tx,
  guests: ConversationRecord,
  user: Pick<ShopUser, "id" | "username">,
): Promise<void> {
  const range = { prefix: [guests.id] };
  for (const message of await listEvery(tx, messages, { index: "byConversation", range }))
    await moveMessage(tx, message, user.id);
  const before = await tx.get(conversations, user.id);
  const merged = merge(guests, before, user);
  const unreadOf = (side: "user" | "admin", read: number): Promise<number> =>
    tx.count(messages, "byReader", { prefix: [user.id, side], from: [read + 1] });
  const unreadAdmin = await unreadOf("admin", merged.readByAdmin);
  const { change } = await takeNumbers(tx, "conversation");
  const joined = {
    ...merged,
    unreadAdmin,
    unreadUser: await unreadOf("user", merged.readByUser),
    hasUnread: unreadAdmin > 0 ? ("yes" as const) : undefined,
    change,
  };
  if (before === undefined) await tx.insert(conversations, joined);
  else await tx.put(conversations, { ...joined, version: before.version });
  await tx.remove(conversations, guests.id);
}

/** Joins the conversations of mailboxes that an email's link has proved; gives their IDs. */
export async function joinGuests(
  tx: Tx,
  user: Pick<ShopUser, "id" | "username">,
  mailboxes: readonly string[],
): Promise<string[]> {
  const joined: string[] = [];
  for (const mailbox of new Set(mailboxes)) {
    const { items } = await tx.list(conversations, "byMailbox", { prefix: [mailbox], limit: MOST });
    for (const guests of items) {
      if (guests.guest?.provedAt === undefined) continue;
      await joinOne(tx, guests, user);
      joined.push(guests.id);
    }
  }
  return joined;
}
