/** The input of the checkout form: fields are named as the members of the API's body, joined by dots. */
import { MAX_CARDS, MAX_CODE } from "../../gift-cards/schema.ts";
import { AMOUNT_INPUT } from "../../products/gift-inputs.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { toChosenPrice } from "../../products/pay-what-you-want.ts";
import type { Visit } from "../visit.tsx";
import { type CartLine, parseCart } from "../cart-cookie.ts";

type Values = Readonly<Record<string, string>>;

/** Members of an address but its country. */
export const addressParts = [
  "name",
  "company",
  "line1",
  "line2",
  "postalCode",
  "city",
  "region",
  "phone",
] as const;
export type AddressPart = (typeof addressParts)[number];
export type AddressName = "shippingAddress" | "billingAddress";

/** The items as shown, whatever the cart has become in another tab. */
export function readItems(
  values: Values,
  visit: Pick<Visit, "cart">,
  catalogue: Pick<Catalogue, "find">,
): readonly CartLine[] {
  const lines = values["items"] === undefined ? visit.cart : parseCart(values["items"]);
  return lines.map((line) => {
    const product = catalogue.find(line.productId)?.product ?? {};
    return { ...line, unitPrice: toChosenPrice(product, line.unitPrice) };
  });
}

function isTyped(values: Values, name: AddressName): boolean {
  return addressParts.some((part) => (values[`${name}.${part}`] ?? "").trim() !== "");
}

/** An address as it was typed: what was left empty is absent. */
export function toAddress(values: Values, name: AddressName, country: string): Record<string, string> {
  const address: Record<string, string> = { country, name: "", line1: "", city: "" };
  for (const part of addressParts) {
    const typed = (values[`${name}.${part}`] ?? "").trim();
    if (typed !== "") address[part] = typed;
  }
  return address;
}

function toInputs(values: Values, index: number): Record<string, string> {
  const prefix = `items.${index}.inputs.`;
  const own = Object.entries(values).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value]));
}

function orAbsent(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}

/** Where the invoice goes: absent when nothing of it was typed. */
function toBilling(values: Values): Record<string, string> | undefined {
  const country = orAbsent(values["billingAddress.country"]) ?? values["country"] ?? "";
  return isTyped(values, "billingAddress") ? toAddress(values, "billingAddress", country) : undefined;
}

/** Codes of gift cards, which are typed into one field. */
export function toCodes(typed: string | undefined): string[] | undefined {
  const codes = (typed ?? "").split(/[,;\n]/u).map((code) => code.trim());
  const given = codes.filter((code) => code !== "").slice(0, MAX_CARDS);
  return given.length === 0 ? undefined : given.map((code) => code.slice(0, MAX_CODE));
}

/** What prices depend on: the amount of a gift card. */
function toPricedItem(item: CartLine, values: Values, index: number): object {
  const amount = toInputs(values, index)[AMOUNT_INPUT];
  return amount === undefined ? item : { ...item, inputs: { [AMOUNT_INPUT]: amount.slice(0, 20) } };
}

interface SentParts {
  readonly items: readonly CartLine[];
  readonly language: string;
}

/** The body of an order, before it is looked at. */
export function toOrderInput(values: Values, { items, language }: SentParts): unknown {
  const country = orAbsent(values["country"]);
  const isSent = values["shippingAddress.name"] !== undefined;
  return {
    items: items.map((item, index) => ({ ...item, inputs: toInputs(values, index) })),
    contact: { email: values["contact.email"] ?? "" },
    couponCode: orAbsent(values["couponCode"]),
    giftCardCodes: toCodes(values["giftCardCodes"]),
    shippingAddress: isSent ? toAddress(values, "shippingAddress", country ?? "") : undefined,
    billingAddress: toBilling(values),
    country,
    vatId: orAbsent(values["vatId"]),
    buyerReference: orAbsent(values["buyerReference"]),
    orderReference: orAbsent(values["orderReference"]),
    note: values["note"] ?? "",
    shippingMethodId: orAbsent(values["shippingMethodId"]),
    paymentMethod: orAbsent(values["paymentMethod"]),
    consents: {
      digitalContent: values["consents.digitalContent"] !== undefined,
      terms: values["consents.terms"] !== undefined,
      reminder: values["consents.reminder"] !== undefined,
      review: values["consents.review"] !== undefined,
    },
    expectedTotal: Number(values["expectedTotal"]),
    language,
  };
}

/** As much of an address as prices depend on: where it is, and whether it is a company's. */
function toPlace(values: Values, name: AddressName, country: string): Record<string, string> {
  const isCompany = (values[`${name}.company`] ?? "").trim() !== "";
  const postalCode = (values[`${name}.postalCode`] ?? "").trim().slice(0, 20);
  return { country, name: "-", line1: "-", city: "-", company: isCompany ? "-" : "", postalCode };
}

/** The input that prices depend on, while the rest may be incomplete. */
export function toPriceInput(values: Values, { items, language }: SentParts): unknown {
  const country = orAbsent(values["country"]);
  const billing = toBilling(values)?.["country"];
  return {
    items: items.map((item, index) => toPricedItem(item, values, index)),
    couponCode: orAbsent(values["couponCode"]),
    giftCardCodes: toCodes(values["giftCardCodes"]),
    country: country === undefined ? undefined : country,
    shippingAddress: country === undefined ? undefined : toPlace(values, "shippingAddress", country),
    billingAddress:
      billing === undefined || billing === "" ? undefined : toPlace(values, "billingAddress", billing),
    vatId: orAbsent(values["vatId"]),
    shippingMethodId: orAbsent(values["shippingMethodId"]),
    language,
  };
}
