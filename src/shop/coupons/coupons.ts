/** Coupons in orders: whether one may be used, taken with an order and given back with it. */
import { AppError } from "../../kit/errors.ts";
import { ShopError } from "../base/errors.ts";
import { type RateLimit, addressKey } from "../../kit/limits/rate-limit.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { LimitSource } from "../../bus/shared-limit.ts";
import { toMailbox } from "../base/mailbox.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { type DiscountedLine, findUnmet } from "./discounts.ts";
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

/** The part of an order that identifies its discounts and their user. */
interface DiscountedOrder extends CouponUser {
  readonly couponId?: string | undefined;
  readonly discounts?: readonly { readonly id: string }[] | undefined;
}

/** The id of the record that counts one person's uses. */
function toUseId(box: SecretBox, couponId: string, { userId, emailLower }: CouponUser): string {
  return `${couponId}:${userId ?? box.lookup(toMailbox(emailLower), "coupon-use")}`;
}

/**
 * "unusable" is the answer for every code that cannot be used now, whether it exists or not: guesses reveal nothing.
 */
type Refusal = "unusable" | "minimum" | "quantity" | "country" | "used_by_you" | "scope" | "currency";

const messages: Readonly<Record<Refusal, string>> = {
  unusable: "This coupon is invalid or expired",
  minimum: "The order does not reach the minimum for this coupon",
  quantity: "The order has too few units for this coupon",
  country: "This coupon is not valid for the country of the order",
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

function isForeign({ currency: own, kind, minimum, cap }: CouponRecord, currency: string): boolean {
  const hasAmount = kind === "fixed" || minimum > 0 || (kind === "shipping" && cap !== undefined);
  return own !== currency && hasAmount;
}

/** What is missing, for the error. */
function toNeed({ minimum, minimumQuantity }: CouponRecord, unmet: Refusal): Record<string, unknown> {
  if (unmet === "minimum") return { minimum };
  return unmet === "quantity" ? { minimumQuantity } : {};
}

/** Whether a person has used it as often as one may. */
async function isUsedUp(
  tx: ReadTx,
  box: SecretBox,
  { coupon, user }: { readonly coupon: CouponRecord; readonly user: CouponUser },
): Promise<boolean> {
  if (coupon.maxUsesPerUser === undefined) return false;
  const uses = await tx.get(couponUses, toUseId(box, coupon.id, user));
  return (uses?.uses ?? 0) >= coupon.maxUsesPerUser;
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
    readonly lines: readonly DiscountedLine[];
    readonly country: string | undefined;
    /** The country may be unknown. */
    readonly isPreview: boolean;
    readonly currency: string;
    readonly nowMs: number;
    readonly user: CouponUser;
  },
): Promise<CouponRecord> {
  const { box, guesses, lines, currency, nowMs, country, isPreview } = use;
  const coupon = await tx.by(coupons, "byCode", [toCouponKey(use.code)]);
  // In one turn with counting, so that many guesses at once are no more than the limit.
  const guesser = addressKey(use.address);
  const { allowed, retryAfterSeconds } = guesses.check(guesser);
  if (!allowed) {
    const message = "Too many invalid coupon codes. Try again later, or order without a coupon";
    throw new AppError("rate_limited", message, { retryAfterSeconds });
  }
  if (coupon === undefined || coupon.automatic === true || !isUsable(coupon, nowMs)) {
    guesses.hit(guesser);
    return refuse("unusable");
  }
  if (isForeign(coupon, currency)) refuse("currency");
  const unmet = findUnmet(coupon, lines, country);
  const isOpen = unmet === "country" && country === undefined && isPreview;
  if (unmet !== undefined && !isOpen) refuse(unmet, toNeed(coupon, unmet));
  if (await isUsedUp(tx, box, { coupon, user: use.user })) refuse("used_by_you");
  return coupon;
}

/** The automatic discounts that these lines may have now. */
export async function listAutomatic(
  tx: ReadTx,
  ids: readonly string[],
  use: {
    readonly box: SecretBox;
    readonly lines: readonly DiscountedLine[];
    readonly country: string | undefined;
    readonly currency: string;
    readonly nowMs: number;
    readonly user: CouponUser;
  },
): Promise<CouponRecord[]> {
  const found: CouponRecord[] = [];
  for (const id of ids) {
    const coupon = await tx.get(coupons, id);
    if (coupon?.automatic !== true || !isUsable(coupon, use.nowMs)) continue;
    if (isForeign(coupon, use.currency) || findUnmet(coupon, use.lines, use.country) !== undefined) continue;
    if (!(await isUsedUp(tx, use.box, { coupon, user: use.user }))) found.push(coupon);
  }
  return found;
}

/** The discounts of an order, each once; older orders have the coupon alone. */
export function listDiscountIds({ couponId, discounts }: DiscountedOrder): string[] {
  if (discounts !== undefined) return discounts.map(({ id }) => id);
  return couponId === undefined ? [] : [couponId];
}

async function move(
  tx: Tx,
  box: SecretBox,
  { id: couponId, user, by }: { readonly id: string; readonly user: CouponUser; readonly by: 1 | -1 },
): Promise<void> {
  // It may have been removed since.
  if ((await tx.get(coupons, couponId)) === undefined) return;
  await tx.adjust(coupons, couponId, { field: "used", by });
  const id = toUseId(box, couponId, user);
  const before = await tx.get(couponUses, id);
  if (before === undefined) {
    if (by > 0) await tx.insert(couponUses, { id, couponId, uses: 1 });
    return;
  }
  if (before.uses + by <= 0) await tx.remove(couponUses, id);
  else await tx.put(couponUses, { ...before, uses: before.uses + by });
}

/**
 * Counts a use of each discount of an order, in the transaction of the order. Also of an order that was paid after all,
 * beyond the limits of its discounts: its price was promised.
 */
export async function takeDiscounts(
  tx: Tx,
  { box }: { readonly box: SecretBox },
  order: DiscountedOrder,
): Promise<void> {
  for (const id of listDiscountIds(order)) await move(tx, box, { id, user: order, by: 1 });
}

/** Releases the uses of an order that will not be paid. */
export async function giveDiscountsBack(
  tx: Tx,
  { box }: { readonly box: SecretBox },
  order: DiscountedOrder,
): Promise<void> {
  for (const id of listDiscountIds(order)) await move(tx, box, { id, user: order, by: -1 });
}

/** Counts what an edit of an order gained and lost. */
export async function moveDiscounts(
  tx: Tx,
  deps: { readonly box: SecretBox },
  { before, after }: { readonly before: DiscountedOrder; readonly after: DiscountedOrder },
): Promise<void> {
  const [old, now] = [listDiscountIds(before), listDiscountIds(after)];
  const pick = (ids: readonly string[], others: readonly string[]) =>
    ids.filter((id) => !others.includes(id)).map((id) => ({ id }));
  await giveDiscountsBack(tx, deps, { ...before, discounts: pick(old, now) });
  await takeDiscounts(tx, deps, { ...after, discounts: pick(now, old) });
}
