/** The support chat. Records as the store keeps them. */
import { z } from "zod";
import { line, text, timeMs } from "../../kit/text/schemas.ts";
import { productImageSchema } from "../products/schema.ts";

export const conversationStatusSchema = z.enum(["open", "resolved"]);

/** Someone who asked without an account. */
export const guestSchema = z.object({
  /** Where replies go. */
  email: z.string(),
  /** Of emails. */
  language: z.string(),
  /** The order on whose page they asked; absent: the contact page, where anyone can enter any address. */
  order: z.object({ id: z.string(), number: z.string() }).optional(),
  /** When a link that was sent to the address was opened. */
  provedAt: timeMs.optional(),
});
export type Guest = z.infer<typeof guestSchema>;

/** One for each user, whose ID it has; one for each order that a guest asks about, and each question of a guest. */
export const conversationRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  /** Absent for guests. */
  userId: z.string().optional(),
  /** The email address of a guest. */
  username: z.string(),
  guest: guestSchema.optional(),
  /** The mailbox of a guest, for the index. */
  mailbox: z.string().optional(),
  status: conversationStatusSchema,
  /** Messages of the user that no administrator read, and the other way round. */
  unreadAdmin: z.number().int().min(0),
  unreadUser: z.number().int().min(0),
  /** "yes" while `unreadAdmin` is not 0, for the index. */
  hasUnread: z.literal("yes").optional(),
  /** Up to which message each side has read: a message's `seq`. */
  readByUser: z.number().int().min(0),
  readByAdmin: z.number().int().min(0),
  /** `seq` of the last message. */
  lastSeq: z.number().int().min(0),
  lastMessageAt: timeMs,
  /** The start of the last message. */
  preview: z.string(),
  assignee: line(120).optional(),
  /** Number of its last change in the whole chat: a client that knows an older number requests what is newer. */
  change: z.number().int().min(1),
  /** The address that the auth center knew as verified when the user wrote, if any, and when it was looked up. */
  replyTo: z.object({ at: timeMs, address: z.string().optional() }).optional(),
  /** The user wants no mails about answers. */
  isReplyMailOff: z.literal(true).optional(),
  /** When a mail about an answer was last written. */
  mailedAt: timeMs.optional(),
  /** When the administrator was last mailed that the user wrote. */
  adminMailedAt: timeMs.optional(),
  createdAt: timeMs,
});
export type ConversationRecord = z.infer<typeof conversationRecordSchema>;

const pictureSchema = productImageSchema.omit({ alt: true });

/** A picture of the chat, for the two sides of its conversation. `hash` names the blob, which holds the id and the picture. */
export const attachmentRecordSchema = pictureSchema.extend({
  id: z.string(),
  version: z.number().int(),
  /** The user's id, or "admin". */
  uploader: z.string(),
  /** The user's id; absent for an administrator's until a message names it. */
  conversationId: z.string().optional(),
  createdAt: timeMs,
  /** Until when a message can name it; absent once one did. Of one that was removed: when its record goes. */
  unusedUntil: timeMs.optional(),
  /** When its bytes were removed: the record is left for a day, for the user's quota. */
  removedAt: timeMs.optional(),
});
export type AttachmentRecord = z.infer<typeof attachmentRecordSchema>;

/** A picture in a message; one without an id is from before they had ids, and is carried over at the next start. */
const messageAttachmentSchema = pictureSchema.extend({
  id: z.string().optional(),
  /** When an administrator removed it. */
  removedAt: timeMs.optional(),
});
export type MessageAttachment = z.infer<typeof messageAttachmentSchema>;

export const messageRecordSchema = z.object({
  /** "msg_" and `seq` in 12 digits: ids sort as messages were stored. */
  id: z.string(),
  version: z.number().int(),
  /** Grows by one with each message of the whole shop, without gaps. */
  seq: z.number().int().min(1),
  conversationId: z.string(),
  sender: z.enum(["user", "admin", "system"]),
  /** Whose unread counter it increases, for the index. */
  reader: z.enum(["user", "admin"]),
  body: text(4_000),
  /** The sender's own id for it, so that it is stored once. */
  clientId: z.string(),
  /** "<conversation>:<sender>:<clientId>". */
  dedupeKey: z.string(),
  orderId: z.string().optional(),
  productId: z.string().optional(),
  attachments: z.array(messageAttachmentSchema).max(5),
  /** `change` of the conversation when it was stored. */
  change: z.number().int().min(1),
  createdAt: timeMs,
});
export type MessageRecord = z.infer<typeof messageRecordSchema>;

/** The numbers of the last message and of the last change of a conversation. */
export const chatHeadRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  seq: z.number().int().min(0),
  changes: z.number().int().min(0),
  /** `seq` of the last message whose pictures are known to have ids. */
  carriedSeq: z.number().int().min(0).optional(),
});
