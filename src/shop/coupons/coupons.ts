/** Coupons in orders: whether one may be used, taken with an order and given back with it. */
import { AppError } from "../../kit/errors.ts";
import { ShopError } from "../base/errors.ts";
import { type RateLimit, addressKey } from "../../kit/limits/rate-limit.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { LimitSource } from "../../bus/shared-limit.ts";
import { toMailbox } from "../base/mailbox.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { ProductRecord } from "../products/schema.ts";
import { coupons, couponUses } from "./records.ts";
import type { CouponRecord } from "./schema.ts";

/** The form in which codes are compared: capitals, trimmed. */
export function toCouponKey(code: string): string {
  return code.normalize("NFKC").trim().toUpperCase();
}

/** The user of a coupon: an account, or for guests the order's email address. */
export interface CouponUser {
  readonly userId?: string | undefined;
  readonly emailLower: string;
}

/** The part of an order that identifies its coupon's user. */
interface CouponOrder extends CouponUser {
  readonly couponId?: string | undefined;
}

type Scoped = Pick<ProductRecord, "id" | "categoryId">;

/** Whether a coupon applies to a product. */
export function isInScope(
  coupon: Pick<CouponRecord, "productIds" | "categoryIds">,
  product: Scoped,
): boolean {
  const { productIds, categoryIds } = coupon;
  if (productIds.length === 0 && categoryIds.length === 0) return true;
  return (
    productIds.includes(product.id) ||
    (product.categoryId !== undefined && categoryIds.includes(product.categoryId))
  );
}

/** The discount of a coupon on the sum of the lines in its scope; never more than that sum. Percentages round half up. */
export function toDiscount(coupon: Pick<CouponRecord, "kind" | "value" | "cap">, sum: number): number {
  const wanted =
    coupon.kind === "fixed" ? coupon.value : Number((BigInt(sum) * BigInt(coupon.value) + 5_000n) / 10_000n);
  return Math.min(wanted, sum, coupon.kind === "percent" ? (coupon.cap ?? sum) : sum);
}

/** The id of the record that counts one person's uses. */
function toUseId(box: SecretBox, couponId: string, { userId, emailLower }: CouponUser): string {
  return `${couponId}:${userId ?? box.mac(toMailbox(emailLower), "coupon-use")}`;
}

/**
 * "unusable" is the answer for every code that cannot be used now, whether it exists or not: guesses reveal nothing.
 */
type Refusal = "unusable" | "minimum" | "used_by_you" | "scope" | "currency";

const messages: Readonly<Record<Refusal, string>> = {
  unusable: "This coupon is invalid or expired",
  minimum: "The order does not reach the minimum for this coupon",
  used_by_you: "You have reached the usage limit of this coupon",
  scope: "This coupon is not valid for these products",
  currency: "This coupon is for another currency",
};

const GUESSES = 20;
const GUESS_WINDOW_MS = 15 * 60_000;

/** Codes that could not be used, by network address. */
export type CouponGuesses = RateLimit;

/** Creates the limit of wrong codes, which holds over all processes of the shop. */
export function createCouponGuesses({ limits }: { readonly limits: LimitSource }): CouponGuesses {
  return limits.create("coupon-codes", { limit: GUESSES, windowMs: GUESS_WINDOW_MS });
}

function refuse(reason: Refusal, details: Record<string, unknown> = {}): never {
  throw new ShopError("coupon_invalid", messages[reason], {
    details: { reason, ...details },
    errors: [{ pointer: "/couponCode", code: reason, message: messages[reason] }],
  });
}

function isUsable(coupon: CouponRecord, nowMs: number): boolean {
  const { enabled, startsAt = nowMs, endsAt = nowMs + 1, maxUses, used } = coupon;
  return enabled && nowMs >= startsAt && nowMs < endsAt && (maxUses === undefined || used < maxUses);
}

/**
 * The coupon of a code, when these lines may use it now. Nothing is taken yet.
 * @throws AppError `coupon_invalid` with `reason`, `rate_limited` after many codes that could not be used
 */
export async function findCoupon(
  tx: ReadTx,
  use: {
    readonly box: SecretBox;
    readonly guesses: CouponGuesses;
    readonly code: string;
    /** The network address of who asks. */
    readonly address: string;
    readonly lines: readonly { readonly line: { readonly subtotal: number }; readonly product: Scoped }[];
    readonly currency: string;
    readonly nowMs: number;
    readonly user: CouponUser;
  },
): Promise<CouponRecord> {
  const { box, guesses, lines, currency, nowMs } = use;
  const coupon = await tx.by(coupons, "byCode", [toCouponKey(use.code)]);
  // In one turn with counting, so that many guesses at once are no more than the limit.
  const guesser = addressKey(use.address);
  const { allowed, retryAfterSeconds } = guesses.check(guesser);
  if (!allowed) {
    const message = "Too many invalid coupon codes. Try again later, or order without a coupon";
    throw new AppError("rate_limited", message, { retryAfterSeconds });
  }
  if (coupon === undefined || !isUsable(coupon, nowMs)) {
    guesses.hit(guesser);
    return refuse("unusable");
  }
  if (coupon.currency !== currency && (coupon.kind === "fixed" || coupon.minimum > 0)) refuse("currency");
  const inScope = lines.filter(({ product }) => isInScope(coupon, product));
  if (inScope.length === 0) refuse("scope");
  const sum = inScope.reduce((all, { line }) => all + line.subtotal, 0);
  if (sum < coupon.minimum) refuse("minimum", { minimum: coupon.minimum });
  if (coupon.maxUsesPerUser !== undefined) {
    const uses = await tx.get(couponUses, toUseId(box, coupon.id, use.user));
    if ((uses?.uses ?? 0) >= coupon.maxUsesPerUser) refuse("used_by_you");
  }
  return coupon;
}

/** Counts a use, in the transaction of the order. */
export async function takeCoupon(
  tx: Tx,
  { box }: { readonly box: SecretBox },
  { coupon, user }: { coupon: CouponRecord; user: CouponUser },
): Promise<void> {
  await tx.adjust(coupons, coupon.id, { field: "used", by: 1 });
  const id = toUseId(box, coupon.id, user);
  const before = await tx.get(couponUses, id);
  if (before === undefined) await tx.insert(couponUses, { id, couponId: coupon.id, uses: 1 });
  else await tx.put(couponUses, { ...before, uses: before.uses + 1 });
}

/** Releases the use of an order that will not be paid; nothing happens without a coupon. */
export async function giveCouponBack(
  tx: Tx,
  { box }: { readonly box: SecretBox },
  order: CouponOrder,
): Promise<void> {
  if (order.couponId === undefined) return;
  // The coupon may have been removed since.
  if ((await tx.get(coupons, order.couponId)) === undefined) return;
  await tx.adjust(coupons, order.couponId, { field: "used", by: -1 });
  const id = toUseId(box, order.couponId, order);
  const uses = await tx.get(couponUses, id);
  if (uses === undefined) return;
  if (uses.uses <= 1) await tx.remove(couponUses, id);
  else await tx.put(couponUses, { ...uses, uses: uses.uses - 1 });
}

/** Counts the use again of an order that was paid after all, also beyond the coupon's limits: its price was promised. */
export async function retakeCoupon(
  tx: Tx,
  deps: { readonly box: SecretBox },
  order: CouponOrder,
): Promise<void> {
  const coupon = order.couponId === undefined ? undefined : await tx.get(coupons, order.couponId);
  if (coupon !== undefined) await takeCoupon(tx, deps, { coupon, user: order });
}
