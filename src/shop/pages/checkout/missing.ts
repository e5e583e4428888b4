/** Missing input that is only checked when everything else is valid: the buyer sees all errors at once. */
import type { Fault } from "../../../html/faults.ts";
import { needsPostalCode } from "../../base/countries.ts";
import { needsRegion } from "../../base/regions.ts";
import { type CheckoutView, isSentAny } from "./checkout-view.ts";

/** The postal code, and boxes that are not ticked. */
export function listMissing({
  visit: { t },
  state: { values },
  preview,
  found,
}: Pick<CheckoutView, "visit" | "state" | "preview" | "found">): Fault[] {
  const code = "shippingAddress.postalCode";
  const lacksCode =
    isSentAny({ found }) && needsPostalCode(values["country"] ?? "") && (values[code] ?? "").trim() === "";
  const region = "shippingAddress.region";
  const lacksRegion =
    isSentAny({ found }) && needsRegion(values["country"] ?? "") && (values[region] ?? "").trim() === "";
  const consents = (preview?.consents ?? []).filter(({ name }) => values[`consents.${name}`] === undefined);
  return [
    ...(lacksCode ? [{ field: code, text: t(`fault.${code}`) }] : []),
    ...(lacksRegion ? [{ field: region, text: t(`fault.${region}`) }] : []),
    ...consents.map(({ name }) => ({ field: `consents.${name}`, text: t(`fault.consents.${name}`) })),
  ];
}
