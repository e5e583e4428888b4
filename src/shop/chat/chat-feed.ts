/** A stream of the chat, read from the store page by page on demand. */
import type { Clock } from "../../kit/time/clock.ts";
import type { ReadTx, Store } from "../../store/store.ts";
import type { Listener, Place } from "./hub.ts";
import { type ChatNumbers, readNumbers } from "./numbers.ts";
import { conversations, messages } from "./records.ts";
import type { ConversationRecord, MessageRecord } from "./schema.ts";

const PAGE = 50;
/** Unread conversations that an administrator's stream begins with, at most. */
const FIRST_CONVERSATIONS = 100;
const HEARTBEAT_MS = 15_000;
const RECHECK_MS = 60_000;

/** One batch of a stream; without content it is a heartbeat. */
export interface FeedBatch {
  readonly messages: readonly MessageRecord[];
  /** As they are now; undefined is a conversation that has not begun. */
  readonly conversations: readonly (ConversationRecord | undefined)[];
}

export interface FeedOptions {
  /** `seq` of the last message that the reader has; without it the stream begins now. */
  readonly lastSeq?: number | undefined;
  /** Checked every 60 s; without it, there is no check. */
  readonly isAllowed?: (() => Promise<boolean>) | undefined;
}

interface Position extends ChatNumbers {
  readonly isFirst: boolean;
}

async function findStart(tx: ReadTx, lastSeq: number | undefined): Promise<Position> {
  const now = await readNumbers(tx);
  if (lastSeq === undefined) return { ...now, isFirst: true };
  // A number from before a backup was put back: from now on, rather than never.
  const seq = Math.min(lastSeq, now.seq);
  const last = await tx.by(messages, "bySeq", [seq]);
  return { seq, change: last?.change ?? 0, isFirst: true };
}

/** The state first, then messages, then the state again when all messages are out. */
async function readForUser(
  tx: ReadTx,
  position: Position,
  userId: string,
): Promise<{ batch: FeedBatch; position: Position }> {
  const conversation = await tx.get(conversations, userId);
  const change = conversation?.change ?? 0;
  if (position.isFirst)
    return {
      batch: { messages: [], conversations: [conversation] },
      position: { seq: position.seq, change, isFirst: false },
    };
  const from = [position.seq + 1];
  const page = await tx.list(messages, "byConversation", { prefix: [userId], from, limit: PAGE });
  const seq = page.items.at(-1)?.seq ?? position.seq;
  const isBehind = page.nextCursor !== undefined || change <= position.change;
  return {
    batch: { messages: page.items, conversations: isBehind ? [] : [conversation] },
    position: { seq, change: isBehind ? position.change : change, isFirst: false },
  };
}

async function readForAdmin(
  tx: ReadTx,
  position: Position,
): Promise<{ batch: FeedBatch; position: Position }> {
  if (position.isFirst) {
    const options = { prefix: ["yes"], limit: FIRST_CONVERSATIONS, reverse: true };
    const unread = await tx.list(conversations, "byUnread", options);
    return {
      batch: { messages: [], conversations: unread.items },
      position: { ...position, isFirst: false },
    };
  }
  const page = await tx.list(messages, "inOrder", { from: [position.seq + 1], limit: PAGE });
  const seq = page.items.at(-1)?.seq ?? position.seq;
  if (page.nextCursor !== undefined)
    return { batch: { messages: page.items, conversations: [] }, position: { ...position, seq } };
  const changed = await tx.list(conversations, "byChange", { from: [position.change + 1], limit: PAGE });
  const change = changed.items.at(-1)?.change ?? position.change;
  return {
    batch: { messages: page.items, conversations: changed.items },
    position: { seq, change, isFirst: false },
  };
}

export type ChatFeed = Awaited<ReturnType<typeof openFeed>>;

/** Opens a feed on a place of the hub, which it gives back when it ends. Rejects when the store cannot be read. */
export async function openFeed(
  { store, clock, place }: { store: Store; clock: Pick<Clock, "monotonic">; place: Place },
  { listener, lastSeq, isAllowed }: FeedOptions & { readonly listener: Listener },
) {
  let position = await store.read((tx) => findStart(tx, lastSeq));
  let beatAt = clock.monotonic() + HEARTBEAT_MS;
  let checkAt = isAllowed === undefined ? Number.POSITIVE_INFINITY : clock.monotonic() + RECHECK_MS;

  /** Also before anything is sent to a reader who was disconnected for long. */
  async function recheck(): Promise<void> {
    if (isAllowed === undefined || clock.monotonic() < checkAt) return;
    checkAt = clock.monotonic() + RECHECK_MS;
    if (!(await isAllowed())) place.release();
  }

  async function readBatch(): Promise<FeedBatch | undefined> {
    const start = position;
    const found = await store.read((tx) =>
      listener.kind === "user" ? readForUser(tx, start, listener.userId) : readForAdmin(tx, start),
    );
    position = found.position;
    const isEmpty = found.batch.messages.length + found.batch.conversations.length === 0;
    // The state that a stream begins with may be empty; messages that were missed come all the same.
    if (isEmpty && start.isFirst) return readBatch();
    if (isEmpty && clock.monotonic() < beatAt) return undefined;
    beatAt = clock.monotonic() + HEARTBEAT_MS;
    return found.batch;
  }

  return {
    /** The next batch, when there is one; undefined when the stream is over. Rejects when the store cannot be read. */
    next: async (): Promise<FeedBatch | undefined> => {
      while (!place.isOver) {
        await recheck();
        if (place.isOver) break;
        const batch = await readBatch();
        if (batch !== undefined) return batch;
        await place.wait(Math.min(beatAt, checkAt));
      }
      return undefined;
    },
    /** Ends it. */
    close: (): void => place.release(),
  };
}
