/** Input that looks mistyped though it may be right: the buyer is warned once, and ordering again goes through. */
import type { Fault } from "../../../html/faults.ts";
import { nameCountries } from "../../base/countries.ts";
import type { CheckoutView } from "./checkout-view.ts";
import { findMailSlip } from "./mail-slips.ts";
import { findPostalExample } from "./postal-codes.ts";

type Values = Readonly<Record<string, string>>;

/** Begins the value of the button that takes what was probably meant; the field follows. */
const USE = "use:";
/** Hidden field with the warnings that the buyer has seen. */
export const ASKED = "asked";

export interface Doubt extends Fault {
  readonly field: string;
  /** The input. */
  readonly typed: string;
}

type About = Pick<CheckoutView, "visit" | "found"> & { readonly values: Values };

/** Fields with an email address: the buyer's own, and those that products ask for. */
function listMailFields({ found }: About): string[] {
  const asked = found.flatMap((item, index) =>
    (item?.product.inputs ?? [])
      .filter(({ kind }) => kind === "email")
      .map(({ key }) => `items.${index}.inputs.${key}`),
  );
  return ["contact.email", ...asked];
}

function findMailDoubt({ visit: { t }, values }: Omit<About, "found">, field: string): Doubt[] {
  const typed = (values[field] ?? "").trim();
  const slip = findMailSlip(typed);
  if (slip === undefined) return [];
  const { meant } = slip;
  if (meant === undefined) return [{ field, typed, text: t("checkout.emailUnusual", { email: typed }) }];
  const answer = { value: USE + field, text: t("checkout.useEmail", { email: meant }) };
  return [{ field, typed, text: t("checkout.emailMeant", { email: typed, meant }), answer }];
}

function findCodeDoubt({ visit: { t, language }, values }: About, name: string, country: string): Doubt[] {
  const field = `${name}.postalCode`;
  const typed = (values[field] ?? "").trim();
  const example = typed === "" ? undefined : findPostalExample(country, typed);
  if (example === undefined) return [];
  const named = nameCountries([country], language)[country] ?? country;
  return [{ field, typed, text: t("checkout.postalUnusual", { code: typed, country: named, example }) }];
}

function isUnasked({ values }: Pick<About, "values">): (doubt: Doubt) => boolean {
  const asked = new Set((values[ASKED] ?? "").split("\n"));
  return ({ typed }) => !asked.has(typed);
}

/** Email addresses that look mistyped, except for what was confirmed. */
export function findMailDoubts(about: Omit<About, "found">, fields: readonly string[]): Doubt[] {
  return fields.flatMap((field) => findMailDoubt(about, field)).filter(isUnasked(about));
}

/** All that looks mistyped, except for what the buyer has confirmed. */
export function listDoubts(about: About): Doubt[] {
  const { values } = about;
  const country = values["country"] ?? "";
  const billing = values["billingAddress.country"] ?? "";
  const doubts = [
    ...findMailDoubts(about, listMailFields(about)),
    ...findCodeDoubt(about, "shippingAddress", country),
    ...findCodeDoubt(about, "billingAddress", billing === "" ? country : billing),
  ];
  return doubts.filter(isUnasked(about));
}

/** The values with the current warnings, so that the same input is accepted next time. */
export function withAsked(values: Values, doubts: readonly Doubt[]): Values {
  if (doubts.length === 0) return values;
  const all = [values[ASKED] ?? "", ...doubts.map(({ typed }) => typed)];
  return { ...values, [ASKED]: all.filter((typed) => typed !== "").join("\n") };
}

/** The values with the address that was meant, when its button was pressed. */
export function takeMeant(values: Values): Values | undefined {
  const pressed = values["do"] ?? "";
  if (!pressed.startsWith(USE)) return undefined;
  const field = pressed.slice(USE.length);
  const meant = findMailSlip((values[field] ?? "").trim())?.meant;
  return meant === undefined ? values : { ...values, [field]: meant };
}
