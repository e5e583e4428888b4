/** Writing in the chat, by users and by administrators. */
import type { Clock } from "../../kit/time/clock.ts";
import type { Tx } from "../../store/store.ts";
import type { ShopUser } from "../users/caller.ts";
import { nameAttachments } from "./attachments.ts";
import { createChatLimit } from "./limit.ts";
import { getConversation } from "./conversations.ts";
import { mailChatReply, mailGuest } from "./mail.ts";
import { type MessageInput, checkSubject, findSent, storeMessage } from "./messages.ts";
import type { ShopDeps } from "../base/deps.ts";
import { mailAdmin } from "../mails/mails.ts";
import { conversations } from "./records.ts";
import { readSmtp } from "../site/settings.ts";
import type { ConversationRecord, Guest, MessageRecord } from "./schema.ts";
import type { AddressesResult } from "../users/user-check.ts";

const HOUR_MS = 3_600_000;

/** A message as it is sent in. */
export interface NewMessage {
  readonly body: string;
  readonly clientId?: string | undefined;
  readonly orderId?: string | undefined;
  readonly productId?: string | undefined;
  /** Ids of pictures that were sent before. */
  readonly attachments: readonly string[];
}

/** A message of a guest. */
export interface NewGuestMessage {
  /** Of the conversation. */
  readonly id: string;
  readonly guest: Guest;
  readonly body: string;
  readonly clientId: string | undefined;
  readonly productId?: string | undefined;
  /** Called before a message that is new. */
  readonly count: () => void;
}

/** A message as it was stored, now or when it was sent the first time. */
export interface Posted {
  readonly message: MessageRecord;
  readonly isNew: boolean;
}

/** At most one email per hour and conversation, and none to users who see the reply arrive. */
async function mailUnlessPresent(
  tx: Tx,
  deps: Pick<ShopDeps, "outbox" | "publicUrl" | "box">,
  { conversation, nowMs }: { conversation: ConversationRecord; nowMs: number },
): Promise<void> {
  const { mailedAt } = conversation;
  if (mailedAt !== undefined && nowMs - mailedAt < HOUR_MS) return;
  if (await mailChatReply(tx, deps, conversation))
    await tx.put(conversations, { ...conversation, mailedAt: nowMs });
}

/** Mails the owner about the first unread message of a conversation, and then at most once an hour. */
async function mailOwner(
  tx: Tx,
  deps: Pick<ShopDeps, "outbox" | "clock" | "publicUrl">,
  { conversation, nowMs }: { conversation: ConversationRecord; nowMs: number },
): Promise<void> {
  const { id, username, guest, preview, unreadAdmin, adminMailedAt } = conversation;
  if (unreadAdmin > 1 && adminMailedAt !== undefined && nowMs - adminMailedAt < HOUR_MS) return;
  const isMailed = await mailAdmin(tx, deps, {
    kind: "new_message",
    subject: `a message from ${username}`,
    lines: [
      preview,
      guest?.order === undefined ? "" : `About order ${guest.order.number}`,
      guest === undefined || guest.order !== undefined || guest.provedAt !== undefined
        ? ""
        : "The email address is not verified yet.",
      `Reply in the console: ${deps.publicUrl}/admin/chat/${id}`,
    ],
  });
  if (isMailed) await tx.put(conversations, { ...conversation, adminMailedAt: nowMs });
}

type PostDeps = Pick<ShopDeps, "store" | "outbox" | "publicUrl" | "limits" | "box"> & {
  readonly clock: Clock;
  /** Whether a user waits for news, in any process. */
  readonly isPresent: (userId: string) => boolean;
  /** Signals news of a user's conversation to every process. */
  readonly wake: (userId: string) => void;
};

/** Where answers may be mailed, asked once an hour at most; undefined when it need not, or cannot, be known now. */
async function askReplyTo(
  { store, clock }: PostDeps,
  userId: string,
  readAddresses: () => Promise<AddressesResult>,
): Promise<ConversationRecord["replyTo"]> {
  const at = clock.now();
  const isDue = await store.read(async (tx) => {
    if (!(await readSmtp(tx)).notify.chat_reply) return false;
    const asked = (await tx.get(conversations, userId))?.replyTo?.at;
    return asked === undefined || at - asked >= HOUR_MS;
  });
  const result = isDue ? await readAddresses() : undefined;
  if (result?.status !== "known") return undefined;
  const [address] = result.addresses;
  return address === undefined ? { at } : { at, address };
}

/** Everything of a message but what is looked up for it. */
type Draft = Omit<MessageInput, "attachments" | "nowMs" | "sender"> & { readonly sender: "user" | "admin" };

interface SendOptions {
  readonly pictures: readonly string[];
  readonly beforeNew?: () => void;
  readonly readAddresses?: () => Promise<AddressesResult>;
}

function createSender(deps: PostDeps): (draft: Draft, options: SendOptions) => Promise<Posted> {
  const { store, clock, wake } = deps;
  return async (draft, { pictures, beforeNew, readAddresses }) => {
    const sent = { ...draft, attachments: pictures };
    const isByAdmin = draft.sender === "admin";
    const before = await store.read(async (tx) => {
      if (isByAdmin) await getConversation(tx, draft.userId);
      return findSent(tx, sent);
    });
    if (before !== undefined) return { message: before, isNew: false };
    beforeNew?.();
    const replyTo =
      readAddresses === undefined ? undefined : await askReplyTo(deps, draft.userId, readAddresses);
    const isPresent = deps.isPresent(draft.userId);
    const nowMs = clock.now();
    const posted = await store.transact(async (tx): Promise<Posted> => {
      const again = await findSent(tx, sent);
      if (again !== undefined) return { message: again, isNew: false };
      await checkSubject(tx, draft);
      const attachments = await nameAttachments(tx, pictures, { ...draft, nowMs });
      const { message, conversation } = await storeMessage(tx, { ...draft, attachments, nowMs, replyTo });
      if (!isByAdmin) await mailOwner(tx, deps, { conversation, nowMs });
      else if (conversation.guest !== undefined) await mailGuest(tx, deps, { conversation, message });
      else if (!isPresent) await mailUnlessPresent(tx, deps, { conversation, nowMs });
      return { message, isNew: true };
    });
    if (posted.isNew) wake(draft.userId);
    return posted;
  };
}

/** Creates the writing side of the chat. */
export function createChatPost(deps: PostDeps) {
  const countMessage = createChatLimit(deps.limits, "chat-messages");
  const send = createSender(deps);
  return {
    /**
     * A user writes. `readAddresses` is called now and then, for emails about replies; the message is stored whatever
     * it returns. @throws AppError `conflict` when the clientId belongs to another message, `rate_limited` beyond 20 a
     * minute, `invalid` for a picture, order or product that is not there
     */
    byUser: (
      { id: userId, username }: ShopUser,
      {
        attachments: pictures,
        readAddresses,
        ...message
      }: NewMessage & { readonly readAddresses: () => Promise<AddressesResult> },
    ): Promise<Posted> =>
      send(
        { ...message, userId, username, sender: "user" },
        { pictures, beforeNew: () => countMessage(userId), readAddresses },
      ),
    /** A guest writes. @throws AppError `conflict` as for a user, `invalid` for a product that is not there */
    byGuest: ({ id, guest, count, ...message }: NewGuestMessage): Promise<Posted> =>
      send(
        {
          ...message,
          userId: id,
          username: guest.email,
          guest,
          sender: "user",
          orderId: guest.order?.id,
        },
        { pictures: [], beforeNew: count },
      ),
    /** An administrator answers. @throws AppError `not_found`, `conflict`, `invalid` */
    byAdmin: (userId: string, { attachments: pictures, ...message }: NewMessage): Promise<Posted> =>
      send({ ...message, userId, sender: "admin" }, { pictures }),
  };
}
