/** What opens a guest's conversation: the link of an email, and signed URLs of its pictures. */
import { isSameText } from "../../kit/secrets/same-text.ts";
import type { ShopDeps } from "../base/deps.ts";
import type { ConversationRecord } from "./schema.ts";

const PREFIX = "qt_";
const PURPOSE = "question-token";
const PICTURE_PURPOSE = "question-picture";

type Linked = Pick<ConversationRecord, "id" | "guest">;

/** Proves the mailbox, for it is only ever emailed. Another address of the guest has another token. */
export function toGuestToken(box: ShopDeps["box"], { id, guest }: Linked): string {
  return `${PREFIX}${box.mac(`${id} ${guest?.email ?? ""}`, PURPOSE)}`;
}

/** Compared in constant time. */
export function isGuestToken(box: ShopDeps["box"], conversation: Linked, token: string): boolean {
  return conversation.guest !== undefined && isSameText(token, toGuestToken(box, conversation));
}

/** The URL in emails about replies. */
export function toGuestUrl(
  { box, publicUrl }: Pick<ShopDeps, "box" | "publicUrl">,
  conversation: Linked,
): string {
  return `${publicUrl}/questions/${conversation.id}?token=${toGuestToken(box, conversation)}`;
}

/** The key of a picture's URL, for pages of guests. */
export function toPictureKey(box: ShopDeps["box"], pictureId: string): string {
  return box.mac(pictureId, PICTURE_PURPOSE);
}

/** Compared in constant time. */
export function isPictureKey(box: ShopDeps["box"], pictureId: string, key: string): boolean {
  return isSameText(key, toPictureKey(box, pictureId));
}
