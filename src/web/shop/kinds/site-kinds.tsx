/** A kind of field that the settings of the shop share: weights. */
import type { FieldJson } from "../../../kit/fields/field-json.ts";
import { parseAmount } from "../../ui/forms/money.ts";
import { type At, type Kind, toText } from "../../ui/resource/kind.ts";
import { MoneyField } from "../ui/money-field.tsx";
import { type Goods, moneyKind } from "./goods-kinds.tsx";

/** Weights in kilograms have three digits after the point. */
const KILO_DIGITS = 3;

/** An amount, or a weight where the form is by weight (`by`): grams, typed as kilograms. */
export function measureKind(json: FieldJson): Kind<Pick<Goods, "currency">> {
  const money = moneyKind(json);
  const isWeight = ({ form, whole = form }: At<unknown>): boolean => whole["by"] === "weight";
  return {
    blank: "",
    toTyped: (value, at) =>
      isWeight(at) && typeof value === "number" ? String(value / 1_000) : money.toTyped(value, at),
    read: (typed, at) => {
      if (!isWeight(at) || toText(typed).trim() === "") return money.read(typed, at);
      const value = parseAmount(toText(typed).trim(), KILO_DIGITS);
      return value === undefined ? { fault: "shop.ui.fault.money" } : { value };
    },
    Field: (props) => (
      <MoneyField
        label={props.label}
        hint={props.hint}
        error={props.error}
        currency={isWeight(props) ? "kg" : props.context.currency}
        value={toText(props.value)}
        onInput={props.onChange}
      />
    ),
    say: (value, at) =>
      isWeight(at) && typeof value === "number" ? `${value / 1_000} kg` : money.say(value, at),
  };
}
