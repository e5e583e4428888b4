/** Requests and responses of the chat. */
import { z } from "@hono/zod-openapi";
import { pageSchema } from "../../kit/http/paging.ts";
import { viewOf } from "../../kit/http/view.ts";
import { line, text } from "../../kit/text/schemas.ts";
import { attachmentRecordSchema, conversationRecordSchema, messageRecordSchema } from "./schema.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";

export const MAX_BODY = 4_000;
export const MAX_ATTACHMENTS = 5;

const attachmentIdSchema = z.string().regex(/^att_\w{1,60}$/u, "must be the ID of an image");
const seqSchema = z.number().int().min(0);

/** The number of a message in a query. */
export const seqQuerySchema = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** The sender's own ID for a message. */
export const clientIdSchema = z
  .string()
  .regex(/^(?!msg_)[\w.:-]{1,100}$/u, "must be 1 to 100 letters, digits, . _ : -, and not start with msg_")
  .openapi({ description: "Client-generated ID. A repeat with the same ID is stored only once" });

/** A message as it is sent in. */
export const newMessageSchema = z
  .strictObject({
    body: text(MAX_BODY)
      .default("")
      .openapi({ description: "Text of the message; can be empty if there are attachments" }),
    clientId: clientIdSchema.optional(),
    orderId: line(100).min(1).optional(),
    productId: line(100).min(1).optional(),
    attachments: z.array(attachmentIdSchema).max(MAX_ATTACHMENTS).default([]),
  })
  .refine(({ body, attachments }) => body.trim() !== "" || attachments.length > 0, {
    path: ["body"],
    error: "must not be empty without attachments",
  })
  .refine(({ attachments }) => new Set(attachments).size === attachments.length, {
    path: ["attachments"],
    error: "must not repeat an image",
  });

/** How far a side has read. */
export const readSchema = z.strictObject({
  upTo: z
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .openapi({ description: "`seq` of the last read message. Default: all" }),
});

export const attachmentView = viewOf(attachmentRecordSchema, ["id", "mediaType", "width", "height", "bytes"]);
export const attachmentSchema = z
  .object({
    ...attachmentView.shape,
    url: z.string().optional().openapi({
      description:
        "URL of the image, for the two participants of the conversation; absent after the image was deleted",
    }),
  })
  .openapi("ChatAttachment");

export const messageView = viewOf(
  messageRecordSchema,
  ["id", "seq", "conversationId", "sender", "body", "clientId", "orderId", "productId"],
  ["createdAt"],
);
export const messageSchema = z
  .object({
    ...messageView.shape,
    seq: seqSchema.openapi({ description: "Sequence number over all messages of the shop" }),
    conversationId: z
      .string()
      .openapi({ description: "ID of the conversation: of the user, or of a guest, gst_…" }),
    attachments: z.array(attachmentSchema),
  })
  .openapi("ChatMessage");

export const stateView = viewOf(
  conversationRecordSchema,
  ["status", "unreadUser", "unreadAdmin", "readByUser", "readByAdmin", "lastSeq"],
  ["lastMessageAt"],
);
const stateShape = {
  ...stateView.shape,
  unreadUser: z.number().int().openapi({ description: "Number of messages not read by the user" }),
  unreadAdmin: z.number().int().openapi({ description: "Number of messages not read by an administrator" }),
  readByUser: seqSchema.openapi({ description: "`seq` of the last message read by the user" }),
  lastSeq: seqSchema.openapi({ description: "`seq` of the last message; 0 without messages" }),
  lastMessageAt: isoTimeSchema.optional(),
};

export const conversationStateSchema = z.object(stateShape).openapi("ChatConversationState");

/** A page of messages with the state of its conversation. */
export const historySchema = pageSchema(messageSchema)
  .extend({ conversation: conversationStateSchema })
  .openapi("ChatHistory");

const guestViewSchema = z
  .object({
    email: z.string(),
    emailVerified: z
      .boolean()
      .openapi({ description: "Whether the link of a reply, which only this mailbox got, was opened" }),
    orderId: z.string().optional().openapi({ description: "The order on whose page the guest asked" }),
    orderNumber: z.string().optional(),
  })
  .openapi("ChatGuest");

export const conversationView = viewOf(
  conversationRecordSchema,
  ["id", "userId", "username", "preview", "assignee"],
  ["lastMessageAt", "createdAt"],
);

/** A conversation as administrators see it. */
export const conversationSchema = z
  .object({
    ...stateShape,
    ...conversationView.shape,
    id: z.string().openapi({ description: "ID of the user; of guests, gst_…" }),
    userId: z.string().optional().openapi({ description: "Absent for guests" }),
    username: z
      .string()
      .openapi({ description: '"" until the user has written; the email address of a guest' }),
    guest: guestViewSchema.optional().openapi({ description: "Who asked without an account" }),
    userPresent: z
      .boolean()
      .optional()
      .openapi({ description: "Whether the user has the chat open; only in responses about conversations" }),
  })
  .openapi("ChatConversation");

export type MessageView = z.infer<typeof messageSchema>;
export type ConversationState = z.infer<typeof conversationStateSchema>;
export type ConversationView = z.infer<typeof conversationSchema>;

/** A page of messages with its conversation. */
export const adminHistorySchema = pageSchema(messageSchema)
  .extend({ conversation: conversationSchema })
  .openapi("AdminChatHistory");
export type AdminHistory = z.infer<typeof adminHistorySchema>;
