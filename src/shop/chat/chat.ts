/** The support chat: one conversation for each user, with the shop's administrators. */
import type { Page, Store, Tx } from "../../store/store.ts";
import type { Actor } from "../users/caller.ts";
import { createChatAttachments } from "./attachments.ts";
import {
  type ConversationQuery,
  assign,
  getConversation,
  listConversations,
  markRead,
  setStatus,
} from "./conversations.ts";
import { type ChatFeed, type FeedOptions, openFeed } from "./chat-feed.ts";
import { type ChatHub, type Listener, createChatHub } from "./hub.ts";
import { readNumbers } from "./numbers.ts";
import { createChatPost } from "./post.ts";
import { createQuestions } from "./questions.ts";
import { createChatRemoval } from "./removal.ts";
import type { ShopDeps } from "../base/deps.ts";
import type { ChangeSignals } from "../nodes/change-signals.ts";
import { createPresence } from "../nodes/presence.ts";
import { conversations, messages } from "./records.ts";
import type { ConversationRecord, MessageRecord } from "./schema.ts";

const FOLLOWED_AT_ONCE = 200;

/** Which part of a conversation, and which way from there. */
export interface HistoryQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** "older": the newest first; "newer": the oldest first. */
  readonly order: "older" | "newer";
  /** Only messages with a larger `seq`. */
  readonly after?: number | undefined;
}

/** A page of messages with the conversation as it is in the same view. */
export interface History extends Page<MessageRecord> {
  readonly conversation: ConversationRecord | undefined;
}

export interface WaitOptions {
  readonly waitMs: number;
  /** Ends the wait when the client disconnects. */
  readonly signal: AbortSignal;
}

function readHistory(store: Store, userId: string, query: HistoryQuery): Promise<History> {
  const { limit, cursor, order, after } = query;
  return store.read(async (tx) => {
    const page = await tx.list(messages, "byConversation", {
      prefix: [userId],
      limit,
      reverse: order === "older",
      from: after === undefined ? undefined : [after + 1],
      cursor,
    });
    return { ...page, conversation: await tx.get(conversations, userId) };
  });
}

function createWaiting(store: Store, clock: ShopDeps["clock"], hub: ChatHub) {
  return async (userId: string, query: HistoryQuery, { waitMs, signal }: WaitOptions): Promise<History> => {
    const untilMs = clock.monotonic() + waitMs;
    const place = hub.take({ kind: "user", userId });
    const leave = (): void => place.release();
    signal.addEventListener("abort", leave, { once: true });
    try {
      for (;;) {
        const found = await readHistory(store, userId, query);
        const isEnough = found.items.length > 0 || clock.monotonic() >= untilMs;
        if (isEnough || place.isOver || signal.aborted) return found;
        await place.wait(untilMs);
      }
    } finally {
      signal.removeEventListener("abort", leave);
      place.release();
    }
  };
}

/** Wakes those whose conversations have a newer change than was known at the last call; all at the first one. */
function createFollow(store: Store, hub: ChatHub): () => Promise<void> {
  let known: number | undefined;
  return async () => {
    hub.beat();
    const from = known;
    const { change, changed } = await store.read(async (tx) => {
      const now = await readNumbers(tx);
      if (from === undefined || now.change === from) return { change: now.change, changed: undefined };
      const range = { from: [from + 1], limit: FOLLOWED_AT_ONCE };
      return { change: now.change, changed: await tx.list(conversations, "byChange", range) };
    });
    known = change;
    if (change === from) return;
    if (changed === undefined || changed.nextCursor !== undefined || change < (from ?? 0)) hub.wake();
    else for (const { id } of changed.items) hub.wake(id);
  };
}

/** Changes of conversations; streams learn of each when it is durable. */
function createChanges({ store, clock }: Pick<ShopDeps, "store" | "clock">, wake: (userId: string) => void) {
  async function change<R>(userId: string, work: (tx: Tx) => Promise<R>): Promise<R> {
    const result = await store.transact(work);
    wake(userId);
    return result;
  }
  return {
    /** A user has read up to a message, by default the last one. */
    readByUser: (userId: string, upTo?: number): Promise<ConversationRecord | undefined> =>
      change(userId, async (tx) => {
        const conversation = await tx.get(conversations, userId);
        return conversation && markRead(tx, conversation, { side: "user", upTo });
      }),
    /** Throws `not_found`. */
    readByAdmin: (userId: string, upTo?: number): Promise<ConversationRecord> =>
      change(userId, async (tx) => markRead(tx, await getConversation(tx, userId), { side: "admin", upTo })),
    /** Throws `not_found`. */
    setStatus: (
      userId: string,
      status: ConversationRecord["status"],
      actor: Actor,
    ): Promise<ConversationRecord> =>
      change(userId, (tx) => setStatus(tx, { id: userId, status }, { actor, clock })),
    /** `null`: unassigned. Throws `not_found`. */
    assign: (userId: string, assignee: string | null, actor: Actor): Promise<ConversationRecord> =>
      change(userId, (tx) => assign(tx, { id: userId, assignee }, { actor, clock })),
  };
}

/** Represents administrators among present users; no user's ID is empty. */
const STAFF = "";

/** Those who wait in this process, woken by news of any process, and who waits at others. */
function openHub(
  { bus, clock }: Pick<ShopDeps, "bus" | "clock">,
  signals: Pick<ChangeSignals, "send" | "listen">,
) {
  const hub = createChatHub(clock, () => presence.changed());
  const listPresent = (): string[] => [...(hub.isStaffed() ? [STAFF] : []), ...hub.users()];
  const presence = createPresence({ bus, clock, users: listPresent });
  signals.listen("chat", (userIds) => {
    if (userIds === undefined) hub.wake();
    else for (const userId of userIds) hub.wake(userId);
  });
  return {
    hub: {
      ...hub,
      beat: () => {
        hub.beat();
        presence.beat();
      },
      close: () => {
        hub.close();
        presence.close();
      },
    },
    isPresent: (userId: string): boolean => hub.isPresent(userId) || presence.isElsewhere(userId),
    isStaffed: (): boolean => hub.isStaffed() || presence.isElsewhere(STAFF),
    wake: (userId: string): void => {
      hub.wake(userId);
      signals.send("chat", [userId]);
    },
  };
}

export type Chat = ReturnType<typeof createChat>;

/** Creates the chat of a process. */
export function createChat(deps: ShopDeps, signals: Pick<ChangeSignals, "send" | "listen">) {
  const { store, clock } = deps;
  const { hub, isPresent, isStaffed, wake } = openHub(deps, signals);
  const post = createChatPost({ ...deps, isPresent, wake });
  return {
    /** Whether a user has the chat open, in any process. */
    isPresent,
    /** Whether an administrator has. */
    isStaffed,
    ...createChanges(deps, wake),
    post,
    questions: createQuestions(deps, { post: post.byGuest, wake }),
    attachments: createChatAttachments(deps),
    ...createChatRemoval(deps, wake),
    /** A user's messages; none while there is no conversation. Throws `bad_cursor`. */
    history: (userId: string, query: HistoryQuery): Promise<History> => readHistory(store, userId, query),
    /** The same, as soon as there is a message; at the latest, and then empty, at the first `beat()` after `waitMs`. Throws `rate_limited`. */
    waitForHistory: createWaiting(store, clock, hub),
    /** Throws `bad_cursor`. */
    list: (query: ConversationQuery): Promise<Page<ConversationRecord>> =>
      store.read((tx) => listConversations(tx, query)),
    /** Throws `not_found`. */
    get: (userId: string): Promise<ConversationRecord> => store.read((tx) => getConversation(tx, userId)),
    /** Opens a stream. Throws `rate_limited`, `unavailable` while the service stops. */
    open: async (listener: Listener, options: FeedOptions): Promise<ChatFeed> => {
      const place = hub.take(listener);
      try {
        return await openFeed({ store, clock, place }, { listener, ...options });
      } catch (error) {
        place.release();
        throw error;
      }
    },
    /** Streams and waiting requests that are open in this process. */
    openPlaces: (): number => hub.count(),
    /** Wakes streams at once for what `postSystemMessage` stored; call it after the commit. */
    wake,
    /** Called each second: time goes on for streams and waiting requests. */
    beat: (): void => hub.beat(),
    /** Reads what other processes stored, for signals that were lost, and is a beat too; called each second, or seldom with a bus. */
    follow: createFollow(store, hub),
    /** Ends all streams and waiting requests; call it before the listener is closed. */
    close: (): void => hub.close(),
  };
}
