/** Gift cards by their codes, as buyers type them. */
import { AppError } from "../../kit/errors.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { ReadTx } from "../../store/store.ts";
import { ShopError } from "../base/errors.ts";
import { toDecimal } from "../base/money.ts";
import { type CardGuesses, toCodeKey, toMac } from "./codes.ts";
import { giftCards } from "./records.ts";
import type { GiftCardRecord } from "./schema.ts";

/** "unknown" is also the answer for a card that was disabled: guesses reveal nothing. */
type Refusal = "unknown" | "expired" | "empty" | "currency" | "twice" | "not_needed";

const messages: Readonly<Record<Exclude<Refusal, "currency">, string>> = {
  unknown: "This gift card code is invalid. Check the code and try again",
  expired: "This gift card has expired",
  empty: "This gift card has no balance left",
  twice: "This gift card is already applied",
  not_needed:
    "This gift card is not needed: nothing is left to pay with it. Gift cards cannot pay for gift cards",
};

/** Throws `gift_card_invalid` with the place of the code. */
export function refuseCard(reason: Refusal, index: number, message = ""): never {
  const words = reason === "currency" ? message : messages[reason];
  throw new ShopError("gift_card_invalid", words, {
    details: { reason, index },
    errors: [{ pointer: `/giftCardCodes/${index}`, code: reason, message: words }],
  });
}

export interface CardSearch {
  readonly box: SecretBox;
  readonly guesses: CardGuesses;
  /** The network address of the buyer. */
  readonly address: string;
  readonly nowMs: number;
}

/** Whether a card can pay at a time, its balance aside. */
export function isUsable(
  { disabledAt, expiresAt = Infinity }: Pick<GiftCardRecord, "disabledAt" | "expiresAt">,
  nowMs: number,
): boolean {
  return disabledAt === undefined && nowMs < expiresAt;
}

/**
 * The card of a code, also one that is empty or expired.
 * @throws AppError `gift_card_invalid` for an unknown or disabled one, `rate_limited` after many of them
 */
export async function findCard(
  tx: ReadTx,
  code: string,
  { box, guesses, address }: CardSearch,
  index = 0,
): Promise<GiftCardRecord> {
  const card = toCodeKey(code) === "" ? undefined : await tx.by(giftCards, "byMac", [toMac(box, code)]);
  // In one turn with counting, so that many guesses at once are no more than the limit.
  const guesser = addressKey(address);
  for (const limit of [guesses.own.check(guesser), guesses.all.check("all")]) {
    if (limit.allowed) continue;
    const message = "Too many invalid gift card codes. Try again later, or order without a gift card";
    throw new AppError("rate_limited", message, { retryAfterSeconds: limit.retryAfterSeconds });
  }
  if (card === undefined || card.disabledAt !== undefined) {
    guesses.own.hit(guesser);
    guesses.all.hit("all");
    return refuseCard("unknown", index);
  }
  return card;
}

/** A card with the amount that it pays. */
export interface CardShare {
  readonly card: GiftCardRecord;
  readonly amount: number;
}

/**
 * The cards of codes, each with its share of an amount: the first one pays first.
 * @throws AppError `gift_card_invalid`, `rate_limited`
 */
export async function findShares(
  tx: ReadTx,
  {
    codes,
    currency,
    amount,
    ...search
  }: CardSearch & {
    readonly codes: readonly string[];
    readonly currency: string;
    /** What gift cards can pay for. */
    readonly amount: number;
  },
): Promise<CardShare[]> {
  const shares: CardShare[] = [];
  let left = amount;
  for (const [index, code] of codes.entries()) {
    const card = await findCard(tx, code, search, index);
    if (shares.some((share) => share.card.id === card.id)) refuseCard("twice", index);
    if (!isUsable(card, search.nowMs)) refuseCard("expired", index);
    if (card.currency !== currency) {
      const money = `${toDecimal(card.balance, card.currency)} ${card.currency}`;
      const message = `This gift card is worth ${money} and cannot pay for an order in ${currency}`;
      refuseCard("currency", index, message);
    }
    if (card.balance === 0) refuseCard("empty", index);
    if (left === 0) refuseCard("not_needed", index);
    const share = Math.min(left, card.balance);
    shares.push({ card, amount: share });
    left -= share;
  }
  return shares;
}
