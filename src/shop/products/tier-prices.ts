/** Prices by quantity: of each unit, from a number of units of one variant on. */
import type { FieldError } from "../../kit/errors.ts";
import type { ProductRecord, TierPrice, Variant } from "./schema.ts";

/** A price with the quantity that it begins at; the first one is that of one unit. */
export interface PriceStep {
  readonly from: number;
  readonly price: number;
}

type Priced = Pick<Variant, "price" | "tierPrices">;

/** All prices of a variant or a product, that of one unit included; undefined where there is only one. */
export function toPriceSteps({ price, tierPrices = [] }: Priced): PriceStep[] | undefined {
  return tierPrices.length === 0 ? undefined : [{ from: 1, price }, ...tierPrices];
}

/** The price of each unit of a quantity. */
export function priceAt(steps: readonly PriceStep[], quantity: number): number | undefined {
  return steps.findLast(({ from }) => from <= quantity)?.price;
}

function check(
  { price, tierPrices = [] }: Priced,
  { minQuantity, maxQuantity }: ProductRecord,
  at: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (index: number, member: keyof TierPrice, message: string): void => {
    errors.push({ pointer: `${at}/tierPrices/${index}/${member}`, code: "invalid", message });
  };
  tierPrices.forEach((tier, index) => {
    const before = tierPrices[index - 1] ?? { from: minQuantity, price };
    if (tier.from <= before.from)
      refuse(index, "from", `must be more than ${before.from}, where the price before it begins`);
    else if (tier.from > maxQuantity)
      refuse(index, "from", `must be at most ${maxQuantity}, the most that one order may have`);
    if (tier.price >= before.price) refuse(index, "price", "must be less than the price of fewer units");
  });
  return errors;
}

/** What is wrong with the prices by quantity of a product. */
export function checkTierPrices(product: ProductRecord): FieldError[] {
  const { variants, tierPrices = [] } = product;
  if (variants.length === 0) return check(product, product, "");
  const own =
    tierPrices.length === 0
      ? []
      : [{ pointer: "/tierPrices", code: "invalid", message: "is set for each variant" }];
  return [...own, ...variants.flatMap((variant, index) => check(variant, product, `/variants/${index}`))];
}
