/** Kinds of fields that the settings of the shop share: weights, countries, words in its languages. */
import type { FieldJson } from "../../../kit/fields/field-json.ts";
import { type TextName, text } from "../../app/texts.ts";
import { parseAmount } from "../../ui/forms/money.ts";
import { type TypedTranslations, toTranslations } from "../../ui/forms/translations.ts";
import {
  type At,
  type Kind,
  type KindOf,
  type Typed,
  isTypedGroup,
  toText,
  toTexts,
} from "../../ui/resource/kind.ts";
import { sayPlain } from "../../ui/resource/kinds.tsx";
import { toCountryName } from "../ui/choices.ts";
import { CountriesField } from "../ui/countries-field.tsx";
import { MoneyField } from "../ui/money-field.tsx";
import { TranslationsField } from "../ui/translations-field.tsx";
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

/** Country codes. */
export function countriesKind<C>(): Kind<C> {
  return {
    blank: [],
    toTyped: (value) => (Array.isArray(value) ? value.map(String) : []),
    read: (typed) => ({ value: toTexts(typed) }),
    Field: ({ label, hint, error, value, onChange }) => (
      <CountriesField label={label} hint={hint} error={error} value={toTexts(value)} onChange={onChange} />
    ),
    say: (value) => sayPlain(Array.isArray(value) ? value.map((code) => toCountryName(String(code))) : value),
  };
}

function toTypedTranslations(typed: Typed): TypedTranslations {
  if (!isTypedGroup(typed)) return {};
  return Object.fromEntries(
    Object.entries(typed).map(([language, words]) => [
      language,
      isTypedGroup(words)
        ? Object.fromEntries(Object.entries(words).map(([name, word]) => [name, toText(word)]))
        : {},
    ]),
  );
}

/** The words of a record in the other languages of the site; `labels` are those of its own fields, by name. */
export function translationsKind<C extends { readonly languages: readonly string[] }>(
  labels: Readonly<Record<string, TextName>>,
): KindOf<C> {
  return ({ fields = {} }) => ({
    blank: {},
    toTyped: (value) =>
      typeof value === "object" && value !== null ? (value as { [name: string]: Typed }) : {},
    read: (typed) => ({ value: toTranslations(toTypedTranslations(typed)) }),
    Field: ({ value, form, context, errorAt, onChange }) => (
      <TranslationsField
        languages={context.languages}
        words={Object.entries(labels).map(([name, label]) => ({
          name,
          label: text(label),
          long: fields[name]?.long === true,
          maxLength: fields[name]?.max ?? 1_000,
        }))}
        own={Object.fromEntries(Object.keys(labels).map((name) => [name, toText(form[name])]))}
        value={toTypedTranslations(value)}
        errorAt={errorAt}
        onChange={onChange}
      />
    ),
    say: sayPlain,
  });
}
