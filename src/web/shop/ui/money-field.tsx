/** A field for an amount, with its currency beside it. */
import type { JSX } from "preact";
import { exponentOf } from "../../../shop/base/money.ts";
import { text } from "../../app/texts.ts";
import { UnitField } from "../../ui/forms/unit-field.tsx";
import { readMoney } from "./money.ts";

/** Amounts of three decimals that services such as Stripe cannot charge. */
function isUnusual(typed: string, currency: string): boolean {
  return exponentOf(currency) === 3 && (readMoney(typed, currency) ?? 0) % 10 !== 0;
}

/** The field; what is typed becomes minor units by `readMoney`. */
export function MoneyField({
  hint,
  currency,
  ...props
}: Omit<Parameters<typeof UnitField>[0], "unit"> & { currency: string }): JSX.Element {
  const own = isUnusual(props.value, currency) ? text("shop.ui.threeDecimals", { currency }) : hint;
  return <UnitField {...props} hint={own} unit={currency} />;
}
