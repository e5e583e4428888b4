import { defineCollection } from "../../store/store.ts";
import {
  conversationRecordSchema,
  messageRecordSchema,
  attachmentRecordSchema,
  chatHeadRecordSchema,
} from "./schema.ts";

export const conversations = defineCollection({
  name: "conversations",
  revision: 1,
  schema: conversationRecordSchema,
  ordered: {
    byLast: ["lastMessageAt"],
    byStatus: ["status", "lastMessageAt"],
    byUnread: ["hasUnread", "lastMessageAt"],
    byAssignee: ["assignee", "lastMessageAt"],
    byChange: ["change"],
    byMailbox: ["mailbox"],
  },
});

export const messages = defineCollection({
  name: "messages",
  revision: 1,
  schema: messageRecordSchema,
  unique: { bySeq: ["seq"], byDedupe: ["dedupeKey"] },
  ordered: {
    byConversation: ["conversationId", "seq"],
    byReader: ["conversationId", "reader", "seq"],
    inOrder: ["seq"],
  },
});

export const attachments = defineCollection({
  name: "attachments",
  revision: 1,
  schema: attachmentRecordSchema,
  ordered: { byUploader: ["uploader", "createdAt"], byUnused: ["unusedUntil"] },
});

export const chatHead = defineCollection({ name: "chatHead", revision: 1, schema: chatHeadRecordSchema });
