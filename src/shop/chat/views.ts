/** Records of the chat as answers have them, and examples for the documentation. */
import type { z } from "zod";
import {
  type ConversationState,
  type ConversationView,
  type MessageView,
  type attachmentSchema,
  attachmentView,
  conversationView,
  messageView,
  stateView,
} from "./answer-schema.ts";
import { toCarriedId } from "./carry-over.ts";
import type { ConversationRecord, MessageAttachment, MessageRecord } from "./schema.ts";

export const exampleMessageBody = {
  body: "Is the red mug dishwasher-safe?",
  clientId: "7d9f2a4e-1",
  productId: "prd_01jd5v6m0c8f3k2n7q4x9y1z5a",
};

export const exampleAttachment: z.infer<typeof attachmentSchema> = {
  id: "att_01jd5v6m0c8f3k2n7q4x9y1z5a",
  mediaType: "image/png",
  width: 640,
  height: 480,
  bytes: 20_480,
  url: "/api/chat/attachments/att_01jd5v6m0c8f3k2n7q4x9y1z5a",
};

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
  const shown = attachmentView.show(picture);
  return picture.removedAt === undefined ? { ...shown, url: `/api/chat/attachments/${picture.id}` } : shown;
}

/** A stored message as both sides see it. */
export function toMessageView(record: MessageRecord): MessageView {
  const attachments = record.attachments.map((picture, index) =>
    toAttachmentView({ ...picture, id: picture.id ?? toCarriedId(record.id, index) }),
  );
  return { ...messageView.show(record), attachments };
}

/** A user's conversation, also one that has not begun. */
export function toStateView(conversation: ConversationRecord | undefined): ConversationState {
  if (conversation === undefined)
    return { status: "open", unreadUser: 0, unreadAdmin: 0, readByUser: 0, readByAdmin: 0, lastSeq: 0 };
  return stateView.show(conversation);
}

export function toConversationView(record: ConversationRecord): ConversationView {
  const { guest } = record;
  const view = { ...toStateView(record), ...conversationView.show(record) };
  if (guest === undefined) return view;
  const { email, provedAt, order } = guest;
  const shown = {
    email,
    emailVerified: provedAt !== undefined,
    orderId: order?.id,
    orderNumber: order?.number,
  };
  return { ...view, guest: shown };
}
