/**
 * Questions of guests, from the page of an order or from the contact page. They are conversations of the chat: staff
 * replies there, and the guest gets each reply by email.
 */
import { AppError } from "../../kit/errors.ts";
import { type RateLimit, addressKey } from "../../kit/limits/rate-limit.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { ShopDeps } from "../base/deps.ts";
import { toMailbox } from "../base/mailbox.ts";
import type { OrderRecord } from "../orders/schema.ts";
import type { AddressesResult } from "../users/user-check.ts";
import type { ShopUser } from "../users/caller.ts";
import { isGuestToken } from "./guest-links.ts";
import { joinGuests } from "./join.ts";
import type { NewGuestMessage, Posted } from "./post.ts";
import { conversations } from "./records.ts";
import type { ConversationRecord } from "./schema.ts";

const HOUR_MS = 3_600_000;
const ASKED_FROM_ADDRESS = 10;
const ASKED_FOR_MAILBOX = 5;
const WRITTEN_IN_CONVERSATION = 20;
/** Questions of the contact page in an hour, of all guests. */
const ASKED_IN_ALL = 200;

/** A question from the contact page. */
export interface Question {
  readonly email: string;
  readonly body: string;
  readonly language: string;
  readonly clientId?: string | undefined;
  readonly productId?: string | undefined;
}

/** What a guest writes in a conversation of theirs. */
export type GuestMessage = Pick<Question, "body" | "clientId"> & { readonly language: string };

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "limits">;

/** The conversation about an order that a guest placed. */
export function toOrderConversationId(orderId: string): string {
  return `gst_${orderId}`;
}

function createCount({ limits }: Pick<Deps, "limits">) {
  const hour = (name: string, limit: number): RateLimit =>
    limits.create(`questions-${name}`, { limit, windowMs: HOUR_MS });
  const byAddress = hour("address", ASKED_FROM_ADDRESS);
  const byMailbox = hour("mailbox", ASKED_FOR_MAILBOX);
  const byConversation = hour("conversation", WRITTEN_IN_CONVERSATION);
  const all = hour("all", ASKED_IN_ALL);
  const assert = (limit: RateLimit, key: string): void => {
    const { allowed, retryAfterSeconds } = limit.hit(key);
    if (allowed) return;
    throw new AppError("rate_limited", "Too many messages within an hour. Try again later", {
      retryAfterSeconds,
    });
  };
  return {
    asked: (email: string, clientAddress: string): void => {
      assert(byAddress, addressKey(clientAddress));
      assert(byMailbox, toMailbox(email));
      assert(all, "");
    },
    written: (id: string): void => assert(byConversation, id),
  };
}

type Read = (request: () => Promise<AddressesResult>, user: ShopUser) => Promise<void>;

/** Joins what a user asked as a guest with their conversation, once an hour at most. */
function createJoining({ store, limits }: Pick<Deps, "store" | "limits">, wake: (id: string) => void): Read {
  const looked = limits.create("questions-join", { limit: 1, windowMs: HOUR_MS });
  return async (readAddresses, user) => {
    const { items } = await store.read((tx) => tx.list(conversations, "byMailbox", { limit: 1 }));
    if (items.length === 0 || !looked.hit(user.id).allowed) return;
    const known = await readAddresses();
    if (known.status !== "known") return;
    const mailboxes = known.addresses.map((address) => toMailbox(address));
    const joined = await store.transact((tx) => joinGuests(tx, user, mailboxes));
    for (const id of joined) wake(id);
    if (joined.length > 0) wake(user.id);
  };
}

/** Creates the guests' side of the chat. */
export function createQuestions(
  deps: Deps,
  {
    post,
    wake,
  }: { readonly post: (message: NewGuestMessage) => Promise<Posted>; readonly wake: (id: string) => void },
) {
  const { store, clock, box } = deps;
  const count = createCount(deps);

  async function open(id: string, token: string): Promise<ConversationRecord> {
    const found = await store.read((tx) => tx.get(conversations, id));
    if (found !== undefined && isGuestToken(box, found, token)) return found;
    throw new AppError("not_found", "This conversation does not exist, or its link has expired");
  }

  return {
    /** Begins a conversation. @throws AppError `rate_limited`, `invalid` for a product that is not there */
    ask: async ({ email, language, ...message }: Question, clientAddress: string): Promise<void> => {
      await post({
        ...message,
        id: newId("gst", clock.now()),
        clientId: message.clientId,
        guest: { email, language },
        count: () => count.asked(email, clientAddress),
      });
    },
    /** The buyer of an order writes about it. @throws AppError `rate_limited`, `conflict` */
    askAboutOrder: (
      { id: orderId, number, email }: Pick<OrderRecord, "id" | "number" | "email">,
      { language, body, clientId }: GuestMessage,
    ): Promise<Posted> => {
      const id = toOrderConversationId(orderId);
      const guest = { email, language, order: { id: orderId, number } };
      return post({ id, guest, body, clientId, count: () => count.written(id) });
    },
    /** A conversation for the holder of its token. @throws AppError `not_found` */
    open,
    /** The same for the link of an email, which proves the mailbox. @throws AppError `not_found` */
    openByLink: async (id: string, token: string): Promise<ConversationRecord> => {
      const found = await open(id, token);
      if (found.guest === undefined || found.guest.provedAt !== undefined) return found;
      const proved = await store.transact(async (tx) => {
        const before = await tx.get(conversations, id);
        if (before?.guest === undefined || !isGuestToken(box, before, token)) return found;
        return tx.put(conversations, { ...before, guest: { ...before.guest, provedAt: clock.now() } });
      });
      wake(id);
      return proved;
    },
    /** The holder of the token writes. @throws AppError `not_found`, `rate_limited`, `conflict` */
    write: async (id: string, token: string, { language, body, clientId }: GuestMessage): Promise<Posted> => {
      const { guest } = await open(id, token);
      if (guest === undefined) throw new AppError("not_found", "This conversation does not exist");
      return post({ id, guest: { ...guest, language }, body, clientId, count: () => count.written(id) });
    },
    /** Joins what a user asked as a guest, at addresses that the auth center knows as verified. */
    join: createJoining(deps, wake),
  };
}

export type Questions = ReturnType<typeof createQuestions>;
