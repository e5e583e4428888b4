/** Products whose buyers choose the price: the price of the product or its variant is the suggested one. */
import type { FieldError } from "../../kit/errors.ts";
import type { ProductRecord } from "./schema.ts";

type Open = Pick<ProductRecord, "payWhatYouWant">;

/** Why buyers cannot pay a price; undefined if they can. */
export function findPriceFault(
  { payWhatYouWant }: Open,
  unitPrice: number,
): "fixed_price" | "price_too_low" | "price_too_high" | undefined {
  if (payWhatYouWant === undefined) return "fixed_price";
  const { minimum, maximum = unitPrice } = payWhatYouWant;
  if (unitPrice < minimum) return "price_too_low";
  return unitPrice > maximum ? "price_too_high" : undefined;
}

/** The nearest price to one that was chosen earlier; undefined where buyers choose none, or did not. */
export function toChosenPrice({ payWhatYouWant }: Open, chosen: number | undefined): number | undefined {
  if (payWhatYouWant === undefined || chosen === undefined) return undefined;
  const { minimum, maximum = chosen } = payWhatYouWant;
  return Math.max(minimum, Math.min(maximum, chosen));
}

function refuse(pointer: string, message: string): FieldError {
  return { pointer, code: "invalid", message };
}

/** What is wrong with the bounds of a product, or with what does not go with them. */
export function checkPayWhatYouWant(product: ProductRecord): FieldError[] {
  const { payWhatYouWant, variants, compareAtPrice } = product;
  if (payWhatYouWant === undefined) return [];
  const { minimum, maximum = Number.MAX_SAFE_INTEGER } = payWhatYouWant;
  if (product.deliveryType === "gift_card")
    return [refuse("/payWhatYouWant", "is not allowed for gift cards, which have amounts to choose from")];
  if (maximum < minimum) return [refuse("/payWhatYouWant/maximum", "must not be less than minimum")];
  const sold = variants.length === 0 ? [product] : variants;
  const errors = sold.flatMap(({ price, ...one }, index): FieldError[] => {
    const at = variants.length === 0 ? "" : `/variants/${index}`;
    const bounds =
      "is the suggested price: it must be between the lowest and the highest price that buyers can pay";
    return [
      ...(price < minimum || price > maximum ? [refuse(`${at}/price`, bounds)] : []),
      ...(one.tierPrices === undefined
        ? []
        : [refuse(`${at}/tierPrices`, "is not allowed with payWhatYouWant")]),
      ...(one.compareAtPrice === undefined
        ? []
        : [refuse(`${at}/compareAtPrice`, "is not allowed with payWhatYouWant")]),
    ];
  });
  const own = variants.length > 0 && compareAtPrice !== undefined;
  return own ? [...errors, refuse("/compareAtPrice", "is not allowed with payWhatYouWant")] : errors;
}
