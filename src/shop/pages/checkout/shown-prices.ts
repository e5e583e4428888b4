/** The prices in the checkout form: as many as can be computed, whatever part of it is invalid. */
import type { AppError } from "../../../kit/errors.ts";
import { toAppError } from "../../../kit/http/problem.ts";
import { parseInput } from "../../../html/sent-form.ts";
import type { Checkout } from "../../checkout/checkout.ts";
import type { Preview } from "../../checkout/preview.ts";
import { type PreviewInput, previewBodySchema } from "../../checkout/schema.ts";
import type { Caller } from "../../users/caller.ts";

export interface ShownPrices {
  /** Absent if no price can be computed, such as for a product that is no longer sold. */
  readonly preview: Preview | undefined;
  /** Errors on the way. */
  readonly errors: readonly AppError[];
}

/** Refusals that say something about what was typed, or about the shop; others are failures. */
const told = new Set([
  "invalid",
  "coupon_invalid",
  "gift_card_invalid",
  "rate_limited",
  "quantity_limit",
  "checkout_closed",
  "unauthenticated",
  // The input is still shown.
  "store_unavailable",
]);
const places = ["country", "shippingAddress", "billingAddress"];
const leftOut: Readonly<Record<string, readonly string[]>> = {
  couponCode: ["couponCode"],
  giftCardCodes: ["giftCardCodes"],
  shippingMethodId: ["shippingMethodId"],
  vatId: ["vatId"],
  country: places,
  shippingAddress: places,
  billingAddress: places,
};

/** Members without which the price can be computed. */
function findBlamed({ code, errors }: AppError): readonly string[] {
  if (code === "rate_limited") return ["couponCode", "giftCardCodes"];
  return errors.flatMap(({ pointer }) => leftOut[pointer.split("/")[1] ?? ""] ?? []);
}

/** Prices of what is wanted, without the parts that are refused. */
export async function readPrices(
  checkout: Pick<Checkout, "preview">,
  input: unknown,
  caller: Caller,
): Promise<ShownPrices> {
  const errors: AppError[] = [];
  const left = new Set<string>();
  for (;;) {
    try {
      const wanted: PreviewInput = parseInput(previewBodySchema, input);
      const members = Object.entries(wanted).filter(([name]) => !left.has(name));
      const preview = await checkout.preview({ items: wanted.items, ...Object.fromEntries(members) }, caller);
      return { preview, errors };
    } catch (error) {
      const known = toAppError(error);
      if (!told.has(known.code)) throw error;
      const blamed = findBlamed(known).filter((name) => !left.has(name));
      // Another method is ticked then, at the price that is shown.
      if (!blamed.every((name) => name === "shippingMethodId") || blamed.length === 0) errors.push(known);
      if (blamed.length === 0) return { preview: undefined, errors };
      for (const name of blamed) left.add(name);
    }
  }
}
