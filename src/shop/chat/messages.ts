/** Messages of the chat as they are stored. */
import type { ReadTx, Tx } from "../../store/store.ts";
import { AppError } from "../../kit/errors.ts";
import { takeNumbers } from "./numbers.ts";
import { conversations, messages } from "./records.ts";
import { orders } from "../orders/records.ts";
import { products } from "../products/records.ts";
import { toMailbox } from "../base/mailbox.ts";
import type { ConversationRecord, Guest, MessageAttachment, MessageRecord } from "./schema.ts";

const ID_DIGITS = 12;
/** Characters of a message that a list of conversations shows. */
const PREVIEW_LENGTH = 120;

export interface MessageInput {
  /** The conversation: the ID of its user, or of a guest's question. */
  readonly userId: string;
  /** The guest who writes. */
  readonly guest?: Guest | undefined;
  /** As the auth center calls the user; absent when it is not known now. */
  readonly username?: string | undefined;
  readonly sender: MessageRecord["sender"];
  readonly body: string;
  /** The sender's own id for it; absent when it is not sent again. */
  readonly clientId?: string | undefined;
  readonly orderId?: string | undefined;
  readonly productId?: string | undefined;
  readonly attachments: readonly MessageAttachment[];
  /** Where replies may be emailed, if that was looked up now. */
  readonly replyTo?: ConversationRecord["replyTo"];
  readonly nowMs: number;
}

/** The part to compare with a stored message of the same sender and ID. */
export type MessageContent = Pick<MessageInput, "body" | "orderId" | "productId"> & {
  /** Ids of pictures. */
  readonly attachments: readonly string[];
};

/** The message that a sender stored under `clientId`. Throws `conflict` when it says something else. */
export async function findSent(
  tx: ReadTx,
  sent: MessageContent & Pick<MessageInput, "userId" | "sender" | "clientId">,
): Promise<MessageRecord | undefined> {
  if (sent.clientId === undefined) return undefined;
  const key = `${sent.userId}:${sent.sender}:${sent.clientId}`;
  const known = await tx.by(messages, "byDedupe", [key]);
  if (known === undefined) return undefined;
  const isSame =
    known.body === sent.body &&
    known.orderId === sent.orderId &&
    known.productId === sent.productId &&
    known.attachments.map(({ id }) => id).join() === sent.attachments.join();
  if (isSame) return known;
  throw new AppError("conflict", `The clientId "${sent.clientId}" is already used for another message`);
}

/** Checks what a message is about. Throws `invalid` unless the order is the user's and the product can be seen. */
export async function checkSubject(
  tx: ReadTx,
  { userId, guest, orderId, productId }: Pick<MessageInput, "userId" | "guest" | "orderId" | "productId">,
): Promise<void> {
  const errors = [];
  const isOwn = guest?.order !== undefined && guest.order.id === orderId;
  if (orderId !== undefined && !isOwn && (await tx.get(orders, orderId))?.userId !== userId)
    errors.push({ pointer: "/orderId", code: "unknown", message: "must be an order of this user" });
  if (productId !== undefined && (await tx.get(products, productId))?.status !== "published")
    errors.push({ pointer: "/productId", code: "unknown", message: "must be a published product" });
  if (errors.length > 0)
    throw new AppError("invalid", "The message refers to an order or product that does not exist", {
      errors,
    });
}

function toPreview(body: string): string {
  // By code points: half a pair is no text that a store takes.
  return Array.from(body.replaceAll(/\s+/gu, " ").trim()).slice(0, PREVIEW_LENGTH).join("");
}

async function insertMessage(tx: Tx, input: MessageInput): Promise<MessageRecord> {
  const { userId, sender, body, orderId, productId, nowMs } = input;
  const { seq, change } = await takeNumbers(tx, "message");
  const id = `msg_${String(seq).padStart(ID_DIGITS, "0")}`;
  const clientId = input.clientId ?? id;
  return tx.insert(messages, {
    id,
    seq,
    conversationId: userId,
    sender,
    reader: sender === "user" ? "admin" : "user",
    body,
    clientId,
    // Ids of messages are no sender's own: they begin with what no clientId of an edge may begin with.
    dedupeKey: `${userId}:${sender}:${clientId}`,
    orderId,
    productId,
    attachments: [...input.attachments],
    change,
    createdAt: nowMs,
  });
}

/** What was proved of another address counts for nothing. */
function toProvedAt({ email, provedAt }: Guest, before: Guest | undefined): number | undefined {
  return provedAt ?? (before?.email === email ? before.provedAt : undefined);
}

function toConversation(
  input: MessageInput,
  { before, message }: { before: ConversationRecord | undefined; message: MessageRecord },
): Omit<ConversationRecord, "version"> {
  const { userId, username, sender, nowMs, guest = before?.guest } = input;
  const isForAdmin = message.reader === "admin";
  const unreadAdmin = (before?.unreadAdmin ?? 0) + (isForAdmin ? 1 : 0);
  return {
    ...before,
    id: userId,
    userId: guest === undefined ? userId : undefined,
    username: username ?? before?.username ?? "",
    guest: guest && { ...guest, provedAt: toProvedAt(guest, before?.guest) },
    mailbox: guest && toMailbox(guest.email),
    // Users who write again still need help.
    status: sender === "user" ? "open" : (before?.status ?? "open"),
    unreadAdmin,
    unreadUser: (before?.unreadUser ?? 0) + (isForAdmin ? 0 : 1),
    hasUnread: unreadAdmin > 0 ? "yes" : undefined,
    readByUser: before?.readByUser ?? 0,
    readByAdmin: before?.readByAdmin ?? 0,
    lastSeq: message.seq,
    lastMessageAt: nowMs,
    preview: toPreview(message.body),
    change: message.change,
    replyTo: input.replyTo ?? before?.replyTo,
    createdAt: before?.createdAt ?? nowMs,
  };
}

/** Stores a message and what it changes of its conversation, which begins with it when there is none. */
export async function storeMessage(
  tx: Tx,
  input: MessageInput,
): Promise<{ message: MessageRecord; conversation: ConversationRecord }> {
  const message = await insertMessage(tx, input);
  const before = await tx.get(conversations, input.userId);
  const after = toConversation(input, { before, message });
  const conversation =
    before === undefined
      ? await tx.insert(conversations, after)
      : await tx.put(conversations, { ...after, version: before.version });
  return { message, conversation };
}

/**
 * Stores a message of the shop itself in the transaction of what it is about, such as that an order was sent. A
 * conversation begins with it when there is none. Streams see it at the next `follow()`, or after `chat.wake(userId)`.
 */
export async function postSystemMessage(
  tx: Tx,
  news: Pick<MessageInput, "userId" | "body" | "orderId" | "nowMs">,
): Promise<MessageRecord> {
  return (await storeMessage(tx, { ...news, sender: "system", attachments: [] })).message;
}
