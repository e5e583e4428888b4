/** The price of shipping: which methods serve an order, and which is used. */
import { AppError } from "../../kit/errors.ts";
import type { ShippingMethod } from "../site/selling-schema.ts";

export interface Parcel {
  /** The destination; undefined if unknown. */
  readonly country: string | undefined;
  /** All goods of the order, after discounts. */
  readonly value: number;
  /** Of what is sent. */
  readonly grams: number;
  readonly language: string;
}

/** A method with what it costs for a parcel. */
export interface ShippingQuote {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly deliveryTime: string;
  readonly price: number;
}

/** Whether a method sends to a country. */
export function sendsTo({ countries, excludedCountries }: ShippingMethod, country: string): boolean {
  return (countries.length === 0 || countries.includes(country)) && !excludedCountries.includes(country);
}

/** The words of a method in a language of the shop. */
export function wordsOf(
  method: ShippingMethod,
  language: string,
): Pick<ShippingQuote, "title" | "description" | "deliveryTime"> {
  const { title, description, deliveryTime } = { ...method, ...method.translations[language] };
  return { title, description, deliveryTime };
}

function findPrice(method: ShippingMethod, { value, grams }: Parcel): number | undefined {
  const { by, limit = Number.POSITIVE_INFINITY, steps, freeFrom = Number.POSITIVE_INFINITY } = method;
  const measure = by === "weight" ? grams : value;
  if (measure > limit) return undefined;
  if (value >= freeFrom) return 0;
  return steps.findLast(({ from }) => from <= measure)?.price;
}

/** Methods in the seller's order: those of the same place in the order that they were made in. */
export function sortMethods(methods: readonly ShippingMethod[]): ShippingMethod[] {
  return methods.toSorted((a, b) => a.sortOrder - b.sortOrder);
}

/** Methods that are switched on, in their order. */
export function listEnabled(methods: readonly ShippingMethod[]): ShippingMethod[] {
  return sortMethods(methods).filter(({ enabled }) => enabled);
}

/** The price of each method that serves a parcel; while the country is unknown, of those that may. */
export function listQuotes(methods: readonly ShippingMethod[], parcel: Parcel): ShippingQuote[] {
  const { country } = parcel;
  return listEnabled(methods).flatMap((method) => {
    if (country !== undefined && !sendsTo(method, country)) return [];
    const price = findPrice(method, parcel);
    return price === undefined ? [] : [{ id: method.id, ...wordsOf(method, parcel.language), price }];
  });
}

function refuse(methods: readonly ShippingMethod[], { country }: Parcel): never {
  const isServed = country === undefined || listEnabled(methods).some((method) => sendsTo(method, country));
  const message = isServed
    ? "The order is too heavy or too large for all shipping methods. Reduce the quantities"
    : `The shop does not ship to ${country}`;
  throw new AppError("invalid", message, {
    errors: [
      {
        pointer: "/shippingAddress/country",
        code: "no_shipping_method",
        message: "no shipping method is available for this country",
      },
    ],
  });
}

/** The method that was chosen, or the cheapest one. Throws `invalid` where there is none, or not that one. */
export function chooseQuote(
  quotes: readonly ShippingQuote[],
  {
    chosen,
    methods,
    parcel,
  }: {
    readonly chosen: string | undefined;
    readonly methods: readonly ShippingMethod[];
    readonly parcel: Parcel;
  },
): ShippingQuote {
  if (quotes.length === 0) refuse(methods, parcel);
  if (chosen === undefined) return quotes.reduce((best, quote) => (quote.price < best.price ? quote : best));
  const found = quotes.find(({ id }) => id === chosen);
  if (found !== undefined) return found;
  throw new AppError("invalid", "A shipping method is required. Choose one for this order", {
    errors: [
      {
        pointer: "/shippingMethodId",
        code: "invalid",
        message: `must be one of ${quotes.map(({ id }) => id).join(", ")}`,
      },
    ],
  });
}
