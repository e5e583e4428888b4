/** The chat's words in requests and answers. */
import { z } from "@hono/zod-openapi";
import { viewOf } from "../../kit/http/view.ts";
import { line, text } from "../../kit/text/schemas.ts";
import { toCarriedId } from "./carry-over.ts";
import {
  type ConversationRecord,
  type MessageAttachment,
  type MessageRecord,
  attachmentRecordSchema,
  conversationRecordSchema,
  messageRecordSchema,
} from "./schema.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";

const MAX_BODY = 4_000;
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

export const exampleMessageBody = {
  body: "Is the red mug dishwasher-safe?",
  clientId: "7d9f2a4e-1",
  productId: "prd_01jd5v6m0c8f3k2n7q4x9y1z5a",
};

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

const attachment = viewOf(attachmentRecordSchema, ["id", "mediaType", "width", "height", "bytes"]);
export const attachmentSchema = z
  .object({
    ...attachment.shape,
    url: z.string().optional().openapi({
      description:
        "For the two sides of the conversation, with their credentials; absent once it was removed",
    }),
  })
  .openapi("ChatAttachment");

const message = viewOf(
  messageRecordSchema,
  ["id", "seq", "conversationId", "sender", "body", "clientId", "orderId", "productId"],
  ["createdAt"],
);
export const messageSchema = z
  .object({
    ...message.shape,
    seq: seqSchema.openapi({ description: "Grows by one with each message of the whole shop" }),
    conversationId: z.string().openapi({ description: "The user's id" }),
    attachments: z.array(attachmentSchema),
  })
  .openapi("ChatMessage");

const state = viewOf(
  conversationRecordSchema,
  ["status", "unreadUser", "unreadAdmin", "readByUser", "readByAdmin", "lastSeq"],
  ["lastMessageAt"],
);
const stateShape = {
  ...state.shape,
  unreadUser: z.number().int().openapi({ description: "Messages that the user has not read" }),
  unreadAdmin: z.number().int().openapi({ description: "Messages that no administrator has read" }),
  readByUser: seqSchema.openapi({ description: "`seq` up to which the user has read" }),
  lastSeq: seqSchema.openapi({ description: "`seq` of the last message, 0 before the first" }),
  lastMessageAt: isoTimeSchema.optional(),
};

export const conversationStateSchema = z.object(stateShape).openapi("ChatConversationState");

const conversation = viewOf(
  conversationRecordSchema,
  ["id", "userId", "username", "preview", "assignee"],
  ["lastMessageAt", "createdAt"],
);

/** A conversation as administrators see it. */
export const conversationSchema = z
  .object({
    ...stateShape,
    ...conversation.shape,
    id: z.string().openapi({ description: "The user's id" }),
    username: z.string().openapi({ description: '"" until the user has written' }),
    userPresent: z
      .boolean()
      .optional()
      .openapi({ description: "Whether the user has the chat open; only where conversations are asked for" }),
  })
  .openapi("ChatConversation");

export const exampleAttachment: z.infer<typeof attachmentSchema> = {
  id: "att_01jd5v6m0c8f3k2n7q4x9y1z5a",
  mediaType: "image/png",
  width: 640,
  height: 480,
  bytes: 20_480,
  url: "/api/chat/attachments/att_01jd5v6m0c8f3k2n7q4x9y1z5a",
};

export type MessageView = z.infer<typeof messageSchema>;
export type ConversationState = z.infer<typeof conversationStateSchema>;
export type ConversationView = z.infer<typeof conversationSchema>;

const exampleTime = "2026-01-31T12:00:00.000+00:00";

export const exampleState: ConversationState = {
  status: "open",
  unreadUser: 0,
  unreadAdmin: 1,
  readByUser: 0,
  readByAdmin: 0,
  lastSeq: 12,
  lastMessageAt: exampleTime,
};

export const exampleMessage: MessageView = {
  id: "msg_000000000012",
  seq: 12,
  conversationId: "usr_01jd5v6m0c8f3k2n7q4x9y1z5a",
  sender: "user",
  ...exampleMessageBody,
  attachments: [],
  createdAt: exampleTime,
};

export const exampleConversation: ConversationView = {
  id: "usr_01jd5v6m0c8f3k2n7q4x9y1z5a",
  userId: "usr_01jd5v6m0c8f3k2n7q4x9y1z5a",
  username: "ann",
  ...exampleState,
  lastMessageAt: exampleTime,
  preview: exampleMessageBody.body,
  createdAt: exampleTime,
};

/** A kept picture with where it is served. */
export function toAttachmentView(
  picture: MessageAttachment & { readonly id: string },
): z.infer<typeof attachmentSchema> {
  const shown = attachment.show(picture);
  return picture.removedAt === undefined ? { ...shown, url: `/api/chat/attachments/${picture.id}` } : shown;
}

/** A stored message as both sides see it. */
export function toMessageView(record: MessageRecord): MessageView {
  const attachments = record.attachments.map((picture, index) =>
    toAttachmentView({ ...picture, id: picture.id ?? toCarriedId(record.id, index) }),
  );
  return { ...message.show(record), attachments };
}

/** A user's conversation, also one that has not begun. */
export function toStateView(conversation: ConversationRecord | undefined): ConversationState {
  if (conversation === undefined)
    return { status: "open", unreadUser: 0, unreadAdmin: 0, readByUser: 0, readByAdmin: 0, lastSeq: 0 };
  return state.show(conversation);
}

export function toConversationView(record: ConversationRecord): ConversationView {
  return { ...toStateView(record), ...conversation.show(record) };
}
