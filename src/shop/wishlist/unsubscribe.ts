/** Unsubscribes, and subscribes again, the holder of a signed URL from an email. */
import { AppError } from "../../kit/errors.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { conversations } from "../chat/records.ts";
import { products } from "../products/records.ts";
import { stockRequests } from "../stock-requests/records.ts";
import { isStopped, setStopped } from "../reminders/consent.ts";
import { wishes } from "./records.ts";
import type { WishRecord } from "./schema.ts";
import { isUnsubscribeToken, type NoticeName } from "../mails/unsubscribe-link.ts";

export interface NoticeState {
  readonly isOn: boolean;
  readonly language: string;
  /** The wish's product; absent if it was deleted. */
  readonly title?: string | undefined;
}

const fields = { restock: "notifyRestock", price_drop: "notifyPriceDrop" } as const;

async function read(tx: ReadTx, { kind, id }: NoticeName): Promise<NoticeState> {
  if (kind === "chat_reply") {
    const conversation = await tx.get(conversations, id);
    return { isOn: conversation !== undefined && conversation.isReplyMailOff !== true, language: "en" };
  }
  if (kind === "checkout_reminder" || kind === "review_invitation")
    return { isOn: !(await isStopped(tx, id)), language: "en" };
  if (kind === "back_in_stock")
    return { isOn: (await tx.get(stockRequests, id)) !== undefined, language: "en" };
  const wish = await tx.get(wishes, id);
  if (wish === undefined) return { isOn: false, language: "en" };
  const product = await tx.get(products, wish.productId);
  const title = product?.translations[wish.language]?.title ?? product?.title;
  return { isOn: wish[fields[kind]], language: wish.language, title };
}

function withNotice(
  wish: WishRecord,
  field: (typeof fields)[keyof typeof fields],
  isOn: boolean,
): WishRecord {
  const next = { ...wish, [field]: isOn && wish.isEmailVerified === true };
  return { ...next, watched: next.notifyRestock || next.notifyPriceDrop ? "yes" : undefined };
}

async function write(tx: Tx, { kind, id }: NoticeName, isOn: boolean, atMs: number): Promise<void> {
  if (kind === "checkout_reminder" || kind === "review_invitation") return setStopped(tx, id, { isOn, atMs });
  if (kind === "back_in_stock") {
    if (!isOn) await tx.remove(stockRequests, id);
    return;
  }
  if (kind === "chat_reply") {
    const conversation = await tx.get(conversations, id);
    if (conversation !== undefined)
      await tx.put(conversations, { ...conversation, isReplyMailOff: isOn ? undefined : true });
    return;
  }
  const wish = await tx.get(wishes, id);
  if (wish !== undefined) await tx.put(wishes, withNotice(wish, fields[kind], isOn));
}

export function createUnsubscribe({ store, box, clock }: Pick<ShopDeps, "store" | "box" | "clock">) {
  function check(notice: NoticeName, token: string): void {
    if (isUnsubscribeToken(box, notice, token)) return;
    throw new AppError("not_found", "The link is incomplete. Copy the whole link from the email");
  }
  return {
    /** @throws AppError `not_found` for a wrong signature */
    find: async (notice: NoticeName, token: string): Promise<NoticeState> => {
      check(notice, token);
      return store.read((tx) => read(tx, notice));
    },
    /** A deleted wish stays off. @throws AppError `not_found` for a wrong signature */
    set: async (notice: NoticeName, token: string, isOn: boolean): Promise<NoticeState> => {
      check(notice, token);
      return store.transact(async (tx) => {
        await write(tx, notice, isOn, clock.now());
        return read(tx, notice);
      });
    },
  };
}
