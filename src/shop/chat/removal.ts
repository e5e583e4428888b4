/** Removals by administrators: a picture, or a whole conversation with everything in it. */
import { writeAudit } from "../../records/audit.ts";
import { AppError } from "../../kit/errors.ts";
import { pagesOf } from "../../store/every-page.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { Actor } from "../users/caller.ts";
import { attachments, conversations, messages } from "./records.ts";
import { type AttachmentDeps, markRemoved, removeMarked } from "./attachments.ts";
import { getConversation } from "./conversations.ts";
import type { AttachmentRecord, MessageRecord } from "./schema.ts";

const PAGE = 100;

/** The messages of a conversation that name a picture; it is the same for both sides, and in more than one at times. */
async function findNaming(tx: ReadTx, conversationId: string, id: string): Promise<MessageRecord[]> {
  const found: MessageRecord[] = [];
  const walk = { index: "byConversation", range: { prefix: [conversationId] }, pageSize: PAGE } as const;
  for await (const page of pagesOf(tx, messages, walk))
    found.push(...page.filter((message) => message.attachments.some((picture) => picture.id === id)));
  return found;
}

async function strike(
  tx: Tx,
  message: MessageRecord,
  { id, nowMs }: { id: string; nowMs: number },
): Promise<void> {
  const struck = message.attachments.map((picture) =>
    picture.id === id ? { ...picture, removedAt: nowMs } : picture,
  );
  await tx.put(messages, { ...message, attachments: struck });
}

/** Marks what one page of messages names, and removes the messages. */
async function removePage(
  tx: Tx,
  { userId, nowMs }: { readonly userId: string; readonly nowMs: number },
): Promise<{ messages: number; marked: AttachmentRecord[] }> {
  const page = await tx.list(messages, "byConversation", { prefix: [userId], limit: PAGE });
  const marked: AttachmentRecord[] = [];
  for (const message of page.items) {
    for (const { id } of message.attachments) {
      const record = id === undefined ? undefined : await tx.get(attachments, id);
      if (record === undefined || record.removedAt !== undefined) continue;
      await markRemoved(tx, record, nowMs);
      marked.push(record);
    }
    await tx.remove(messages, message.id);
  }
  return { messages: page.items.length, marked };
}

/** Marks what the user sent in and no message named. */
async function markUnsent(tx: Tx, userId: string, nowMs: number): Promise<AttachmentRecord[]> {
  const { items } = await tx.list(attachments, "byUploader", { prefix: [userId], limit: 1_000 });
  const left = items.filter(({ removedAt }) => removedAt === undefined);
  for (const record of left) await markRemoved(tx, record, nowMs);
  return left;
}

/** Creates the removal of pictures and conversations. */
export function createChatRemoval(deps: AttachmentDeps, wake: (userId: string) => void) {
  const { store, clock } = deps;
  return {
    /** Removes any picture; the messages that named it say so from then on. @throws AppError `not_found` */
    removePicture: async (id: string, actor: Actor): Promise<void> => {
      const { record, conversationId } = await store.transact(async (tx) => {
        const record = await tx.get(attachments, id);
        if (record === undefined || record.removedAt !== undefined)
          throw new AppError("not_found", `The image "${id}" does not exist`);
        const nowMs = clock.now();
        await markRemoved(tx, record, nowMs);
        const { conversationId } = record;
        const naming = conversationId === undefined ? [] : await findNaming(tx, conversationId, id);
        for (const message of naming) await strike(tx, message, { id, nowMs });
        const target = conversationId ?? id;
        const changes = [`picture: ${id}`];
        await writeAudit(tx, { actor, action: "chat.picture.remove", target, changes }, clock);
        return { record, conversationId };
      });
      await removeMarked(deps, [record]);
      if (conversationId !== undefined) wake(conversationId);
    },
    /** Removes a conversation with its messages and pictures, page by page; begun and not ended, it can be repeated. @throws AppError `not_found` */
    removeConversation: async (userId: string, actor: Actor): Promise<void> => {
      await store.transact(async (tx) => {
        await getConversation(tx, userId);
        await writeAudit(tx, { actor, action: "chat.remove", target: userId }, clock);
      });
      for (let isMore = true; isMore;) {
        const gone = await store.transact((tx) => removePage(tx, { userId, nowMs: clock.now() }));
        await removeMarked(deps, gone.marked);
        isMore = gone.messages === PAGE;
      }
      const unsent = await store.transact(async (tx) => {
        // Messages that were written meanwhile stay.
        const left = await tx.count(messages, "byConversation", { prefix: [userId] });
        if (left === 0) await tx.remove(conversations, userId);
        return markUnsent(tx, userId, clock.now());
      });
      await removeMarked(deps, unsent);
      wake(userId);
    },
  };
}
