/** What requests and answers have of the chat. */
import { z } from "@hono/zod-openapi";
import { pageSchema } from "../../kit/http/paging.ts";
import { viewOf } from "../../kit/http/view.ts";
import { line, text } from "../../kit/text/schemas.ts";
import { attachmentRecordSchema, conversationRecordSchema, messageRecordSchema } from "./schema.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";

export const MAX_BODY = 4_000;
const MAX_ATTACHMENTS = 5;

const attachmentIdSchema = z.string().regex(/^att_\w{1,60}$/u, "must be the id of a picture");
const seqSchema = z.number().int().min(0);

/** The number of a message in a query. */
export const seqQuerySchema = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** A message as it is sent in. */
export const newMessageSchema = z
  .strictObject({
    body: text(MAX_BODY).default("").openapi({ description: "May be empty beside attachments" }),
    clientId: z
      .string()
      .regex(
        /^(?!msg_)[\w.:-]{1,100}$/u,
        "must be 1 to 100 letters, digits, . _ : -, and not begin with msg_",
      )
      .optional()
      .openapi({ description: "Your own id for it: sent again under the same, it is stored once" }),
    orderId: line(100).min(1).optional(),
    productId: line(100).min(1).optional(),
    attachments: z.array(attachmentIdSchema).max(MAX_ATTACHMENTS).default([]),
  })
  .refine(({ body, attachments }) => body.trim() !== "" || attachments.length > 0, {
    path: ["body"],
    error: "must have something in it, unless there are attachments",
  })
  .refine(({ attachments }) => new Set(attachments).size === attachments.length, {
    path: ["attachments"],
    error: "must have each picture once",
  });

/** How far a side has read. */
export const readSchema = z.strictObject({
  upTo: z
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .openapi({ description: "`seq` of the last message that was read; without it, all" }),
});

export const attachmentView = viewOf(attachmentRecordSchema, ["id", "mediaType", "width", "height", "bytes"]);
export const attachmentSchema = z
  .object({
    ...attachmentView.shape,
    url: z.string().optional().openapi({
      description:
        "For the two sides of the conversation, with their credentials; absent once it was removed",
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
    seq: seqSchema.openapi({ description: "Grows by one with each message of the whole shop" }),
    conversationId: z.string().openapi({ description: "The user's id" }),
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
  unreadUser: z.number().int().openapi({ description: "Messages that the user has not read" }),
  unreadAdmin: z.number().int().openapi({ description: "Messages that no administrator has read" }),
  readByUser: seqSchema.openapi({ description: "`seq` up to which the user has read" }),
  lastSeq: seqSchema.openapi({ description: "`seq` of the last message, 0 before the first" }),
  lastMessageAt: isoTimeSchema.optional(),
};

export const conversationStateSchema = z.object(stateShape).openapi("ChatConversationState");

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
    id: z.string().openapi({ description: "The user's id" }),
    username: z.string().openapi({ description: '"" until the user has written' }),
    userPresent: z
      .boolean()
      .optional()
      .openapi({ description: "Whether the user has the chat open; only where conversations are asked for" }),
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
