/** What the buyer of a gift card chose: its amount, and who gets it when. */
import { toDecimal, parseDecimal } from "../base/money.ts";
import { AMOUNT_INPUT, giftInputs, isDay } from "../products/gift-inputs.ts";
import type { ProductRecord } from "../products/schema.ts";

interface Problem {
  readonly key: string;
  readonly message: string;
}

/** The amount of a card, or why there is none; neither for other products and fixed amounts. */
export interface ChosenAmount {
  readonly amount?: number | undefined;
  readonly problem?: Problem | undefined;
}

type Card = Pick<ProductRecord, "deliveryType" | "giftCard" | "currency">;

/** Reads "25" or "25,50". A preview without an amount shows the price of the product. */
export function readGiftAmount(
  { deliveryType, giftCard, currency }: Card,
  answers: Readonly<Record<string, string>>,
  isPreview: boolean,
): ChosenAmount {
  const open = giftCard?.openAmount;
  if (deliveryType !== "gift_card" || open === undefined) return {};
  const typed = (Object.hasOwn(answers, AMOUNT_INPUT) ? (answers[AMOUNT_INPUT] ?? "") : "").trim();
  // The field itself is required when the order is placed.
  if (typed === "") return {};
  const amount = parseDecimal(typed.replace(",", "."), currency);
  const { minimum, maximum } = open;
  if (amount !== undefined && amount >= minimum && amount <= maximum) return { amount };
  if (isPreview) return {};
  const range = `${toDecimal(minimum, currency)}–${toDecimal(maximum, currency)} ${currency}`;
  return { problem: { key: AMOUNT_INPUT, message: `must be an amount of ${range}, such as 25 or 25.50` } };
}

/** Everything that is wrong with what was chosen. */
export function checkGift(
  { deliveryType }: Card,
  inputs: Readonly<Record<string, string>>,
  { problem }: ChosenAmount,
): Problem[] {
  const problems = problem === undefined ? [] : [problem];
  const { [giftInputs.email]: email, [giftInputs.day]: day } = inputs;
  if (deliveryType !== "gift_card") return problems;
  if (day !== undefined && !isDay(day))
    problems.push({ key: giftInputs.day, message: "must be a day such as 2026-12-24" });
  if (day !== undefined && email === undefined)
    problems.push({ key: giftInputs.email, message: "is needed to send the card on a day" });
  return problems;
}
