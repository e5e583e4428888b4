/** The link that brings back the cart of an order, or the order itself while it can be paid. */
import { isSameText } from "../../kit/secrets/same-text.ts";
import type { ShopDeps } from "../base/deps.ts";

const PURPOSE = "restore-cart";
export const RESTORE_PATH = "/restore-cart";

/** Undefined if the shop's public URL is unknown. */
export function toRestoreUrl(
  { box, publicUrl }: Pick<ShopDeps, "box" | "publicUrl">,
  orderId: string,
): string | undefined {
  if (publicUrl === "") return undefined;
  return `${publicUrl}${RESTORE_PATH}?order=${orderId}&token=${box.mac(orderId, PURPOSE)}`;
}

/** Whether a token is that of the order, compared in constant time. */
export function isRestoreToken(box: ShopDeps["box"], orderId: string, token: string): boolean {
  return isSameText(token, box.mac(orderId, PURPOSE));
}
