/** @jsxImportSource hono/jsx */
/** Fields of an address, and of the country that tax and shipping depend on. */
import { Choice, Field } from "../../../html/form.tsx";
import type { FormState } from "../../../html/faults.ts";
import { needsPostalCode } from "../../base/countries.ts";
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

/** The fields but for the country. */
export function AddressFields({ name, state, t }: AddressProps) {
  const section = name === "shippingAddress" ? "shipping" : "billing";
  const isNeeded = name === "shippingAddress";
  const hasCode = isNeeded && needsPostalCode(state.values["country"] ?? "");
  const field = (part: AddressPart, kind: "needed" | "optional" = "optional") => (
    <Field
      name={`${name}.${part}`}
      label={
        kind !== "optional" ? t(`address.${part}`) : t("address.optional", { label: t(`address.${part}`) })
      }
      state={state}
      autocomplete={`${section} ${tokens[part]}`}
      required={kind === "needed" && isNeeded}
    />
  );
  return (
    <>
      {field("name", "needed")}
      {field("company")}
      {field("line1", "needed")}
      {field("line2")}
      <div class="field-pair">
        {field("postalCode", hasCode ? "needed" : "optional")}
        {field("city", "needed")}
      </div>
      {field("region")}
      {name === "shippingAddress" ? field("phone") : <></>}
    </>
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
