/** What is left on a gift card, for who has its code. */
import type { ShopDeps } from "../base/deps.ts";
import type { CardGuesses } from "./codes.ts";
import { findCard } from "./find-cards.ts";
import type { GiftCardRecord } from "./schema.ts";

export type FindBalance = (code: string, clientAddress: string) => Promise<GiftCardRecord>;

/** Creates the look-up. It throws `gift_card_invalid` for a code of no card, `rate_limited` after many of them. */
export function createFindBalance(
  { store, box, clock }: Pick<ShopDeps, "store" | "box" | "clock">,
  guesses: CardGuesses,
): FindBalance {
  return (code, address) =>
    store.read((tx) => findCard(tx, code, { box, guesses, address, nowMs: clock.now() }));
}
