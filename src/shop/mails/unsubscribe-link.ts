/**
 * URLs in emails that unsubscribe from one kind of notification without a sign-in (RFC 8058), signed so that they
 * cannot be forged.
 */
import { isSameText } from "../../kit/secrets/same-text.ts";
import type { ShopDeps } from "../base/deps.ts";

const PURPOSE = "unsubscribe";

/** Notices that people can switch off by a link. */
export const unsubscribeKinds = [
  "restock",
  "price_drop",
  "chat_reply",
  "checkout_reminder",
  "review_invitation",
  "back_in_stock",
] as const;

/** A notice: of a wish, or of a user's conversation. */
export interface NoticeName {
  readonly kind: (typeof unsubscribeKinds)[number];
  /** Of the wish, the user, or the hash of a mailbox, or the request. */
  readonly id: string;
}

function sign(box: ShopDeps["box"], { kind, id }: NoticeName): string {
  return box.mac(`${kind} ${id}`, PURPOSE);
}

/** The URL of the page for a notification; undefined if the shop's public URL is unknown. */
export function toUnsubscribeUrl(
  { box, publicUrl }: Pick<ShopDeps, "box" | "publicUrl">,
  notice: NoticeName,
): string | undefined {
  if (publicUrl === "") return undefined;
  const { kind, id } = notice;
  return `${publicUrl}/api/unsubscribe/${kind}/${encodeURIComponent(id)}/${sign(box, notice)}`;
}

/** Whether the signature is that of the notice, compared in constant time. */
export function isUnsubscribeToken(box: ShopDeps["box"], notice: NoticeName, token: string): boolean {
  return isSameText(token, sign(box, notice));
}
