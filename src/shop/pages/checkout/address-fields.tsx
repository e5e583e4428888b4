/** @jsxImportSource hono/jsx */
/** Fields of an address, and of the country that tax and shipping depend on. */
import { Choice, Field } from "../../../html/form.tsx";
import type { FormState } from "../../../html/faults.ts";
import { findAddressForm, namePart } from "../../base/address-formats.ts";
import { needsPostalCode } from "../../base/countries.ts";
import { type Region, isListedRegion, listRegions, needsRegion } from "../../base/regions.ts";
import type { Texts } from "../texts.ts";
import type { Country } from "../pieces/countries.ts";
import type { AddressName, AddressPart } from "./sent-checkout.ts";

interface AddressProps {
  readonly name: AddressName;
  readonly state: FormState;
  readonly t: Texts;
}

/** Tokens of WCAG 1.3.5. */
const tokens: Readonly<Record<AddressPart, string>> = {
  name: "name",
  company: "organization",
  line1: "address-line1",
  line2: "address-line2",
  postalCode: "postal-code",
  city: "address-level2",
  region: "address-level1",
  phone: "tel",
};

/** The country that an address of the form is in. */
function findCountry(name: AddressName, { values }: FormState): string {
  const country = values["country"] ?? "";
  return name === "shippingAddress" ? country : values["billingAddress.country"] || country;
}

/** The state of a country whose addresses name one: a list, with what was entered before it was known. */
function RegionChoice({
  name,
  state,
  t,
  label,
  country,
  regions,
}: AddressProps & {
  readonly label: string;
  readonly country: string;
  readonly regions: readonly Region[];
}) {
  const field = `${name}.region`;
  const typed = state.values[field] ?? "";
  const isOther = typed !== "" && !isListedRegion(typed);
  return (
    <Choice
      name={field}
      label={label}
      state={state}
      value=""
      options={[
        { value: "", label: t("checkout.choose") },
        ...regions.map(({ value, name: named }) => ({
          value,
          label: toRegionLabel({ value, name: named }, { country, language: t.language }),
        })),
        ...(isOther ? [{ value: typed, label: typed }] : []),
      ]}
      autocomplete={`${name === "shippingAddress" ? "shipping" : "billing"} ${tokens.region}`}
    />
  );
}

const abbreviated = new Set(["AU", "BR", "CA", "ES", "IT", "MX", "US"]);
const readInChinese = new Set(["CN", "JP", "TW"]);

/** The name of a state; with what the address has, where that is another script. */
function toRegionLabel(
  { value, name }: Region,
  { country, language }: { readonly country: string; readonly language: string },
): string {
  if (language === "zh" && readInChinese.has(country)) return value;
  return value === name || abbreviated.has(country) ? name : `${name} (${value})`;
}

/** The fields but for the country, in the order of the country. */
export function AddressFields({ name, state, t }: AddressProps) {
  const section = name === "shippingAddress" ? "shipping" : "billing";
  const isNeeded = name === "shippingAddress";
  const country = findCountry(name, state);
  const { parts, isPlaceFirst } = findAddressForm(country);
  const regions = listRegions(country);
  const toLabel = (part: AddressPart, isOptional: boolean): string => {
    const own =
      part === "postalCode" || part === "city" || part === "region" ? namePart(part, country) : part;
    const label = t.find(`address.${own}`) ?? t(`address.${part}`);
    return isOptional ? t("address.optional", { label }) : label;
  };
  const field = (part: AddressPart, kind: "needed" | "optional" = "optional") => (
    <Field
      name={`${name}.${part}`}
      label={toLabel(part, kind === "optional")}
      state={state}
      autocomplete={`${section} ${tokens[part]}`}
      required={kind === "needed" && isNeeded}
    />
  );
  const isTyped = (part: AddressPart): boolean => {
    const typed = state.values[`${name}.${part}`] ?? "";
    return typed !== "" && !(part === "region" && isListedRegion(typed));
  };
  const asked = [
    ...parts,
    ...(["city", "postalCode", "region"] as const).filter(
      (part) => !parts.includes(part) && (part === "city" || isTyped(part)),
    ),
  ];
  const place = asked.map((part) => {
    if (part === "city") return field(part, "needed");
    if (part === "postalCode") return field(part, needsPostalCode(country) ? "needed" : "optional");
    if (regions === undefined) return field(part);
    const label = toLabel(part, !isNeeded || !needsRegion(country));
    return <RegionChoice name={name} state={state} t={t} label={label} country={country} regions={regions} />;
  });
  const isCodeFirst = asked[0] === "postalCode";
  const rows = (
    <>
      <div class={isCodeFirst ? "field-pair" : "field-pair is-even"}>{place.slice(0, 2)}</div>
      {place.slice(2)}
    </>
  );
  return (
    <div class="stack" id={`address-${section}`} data-of={country}>
      {field("name", "needed")}
      {field("company")}
      {isPlaceFirst ? rows : <></>}
      {field("line1", "needed")}
      {field("line2")}
      {isPlaceFirst ? <></> : rows}
      {name === "shippingAddress" ? field("phone") : <></>}
    </div>
  );
}

interface CountryProps {
  readonly name: string;
  readonly label: string;
  readonly state: FormState;
  readonly countries: readonly Country[];
  readonly value: string;
  readonly hint?: string;
  /** The first option, before a choice. */
  readonly none: string;
  readonly autocomplete: string;
}

export function CountryField({
  name,
  label,
  state,
  countries,
  value,
  hint,
  none,
  autocomplete,
}: CountryProps) {
  const options = [{ value: "", label: none }, ...countries];
  return (
    <Choice
      name={name}
      label={label}
      state={state}
      options={options}
      value={value}
      autocomplete={autocomplete}
      {...(hint === undefined ? {} : { hint })}
      updates
    />
  );
}
