/** Kinds of fields for goods: amounts in their currency, categories, products. */
import type { FieldJson } from "../../../kit/fields/field-json.ts";
import { findText, text } from "../../app/texts.ts";
import { lazy } from "../../pages/lazy.tsx";
import { type Kind, type KindOf, toText, toTexts } from "../../ui/resource/kind.ts";
import { readEmpty, sayPlain } from "../../ui/resource/kinds.tsx";
import { TickList, listedKind } from "../../ui/resource/set-kinds.tsx";
import { type PlacedCategory, useCategories } from "../ui/category-list.ts";
import { MoneyField } from "../ui/money-field.tsx";
import { readMoney, showMoney, typeMoney } from "../ui/money.ts";
import { useSiteFacts } from "../ui/site-facts.ts";

const ProductPicker = lazy(async () => (await import("../ui/product-picker.tsx")).ProductPicker, null);

/** Context of the fields of goods. */
export interface Goods {
  readonly currency: string;
  readonly tree: readonly PlacedCategory[];
}

/** The same for a page: the currency of the record, for a new one that of the shop. */
export function useGoods(view?: { readonly currency: string }): Goods | undefined {
  const facts = useSiteFacts();
  const { tree } = useCategories();
  const currency = view?.currency ?? facts?.currency;
  return currency === undefined ? undefined : { currency, tree };
}

/** Minor units. Left empty it is null where that is taken, else the least that it may be. */
export function moneyKind(json: FieldJson): Kind<Pick<Goods, "currency">> {
  const { nullable = false, min = 0, initial } = json;
  return {
    blank: "",
    toTyped: (value, { context }) =>
      typeof value !== "number" || (value === initial && !nullable) ? "" : typeMoney(value, context.currency),
    read: (typed, { context, before }) => {
      if (toText(typed).trim() === "")
        return initial === undefined ? readEmpty(json, before) : { value: initial };
      const value = readMoney(toText(typed), context.currency);
      return value === undefined || value < min ? { fault: "shop.ui.fault.money" } : { value };
    },
    Field: ({ label, hint, error, placeholder, value, onChange, context }) => (
      <MoneyField
        label={label}
        hint={hint}
        error={error}
        currency={context.currency}
        placeholder={placeholder}
        value={toText(value)}
        onInput={onChange}
      />
    ),
    say: (value, { context }) =>
      typeof value === "number" ? showMoney(value, context.currency) : sayPlain(value),
  };
}

/** One category, or none: "<words>.none". `isOpen`: whether it may be chosen. */
export function categoryKind<C extends Pick<Goods, "tree">>(
  isOpen: (category: PlacedCategory, context: C) => boolean = () => true,
): KindOf<C> {
  return listedKind(({ context, words }) => [
    { value: "", label: findText(`${words}.none`) ?? text("admin.value.none") },
    ...context.tree
      .filter((placed) => isOpen(placed, context))
      .map(({ category: { id }, path }) => ({ value: id, label: path })),
  ]);
}

/** Categories, a tick each. */
export function categoriesKind(): Kind<Goods> {
  return {
    blank: [],
    toTyped: (value) => (Array.isArray(value) ? value.map(String) : []),
    read: (typed) => ({ value: toTexts(typed) }),
    Field: ({ label, error, value, onChange, context: { tree } }) =>
      tree.length === 0 ? null : (
        <TickList
          label={label}
          error={error}
          class="tick-list"
          choices={tree.map(({ category: { id }, path }) => ({ value: id, label: path }))}
          value={toTexts(value)}
          onChange={onChange}
        />
      ),
    say: (value, { context: { tree } }) =>
      sayPlain(
        Array.isArray(value)
          ? value.map((id) => tree.find(({ category }) => category.id === id)?.path ?? String(id))
          : value,
      ),
  };
}

/** Products, found by a search and put in order; the one of `exceptOf` cannot be chosen. */
export function productsKind<C>(
  { max = 1_000 }: FieldJson,
  exceptOf: (context: C) => string | undefined = () => undefined,
): Kind<C> {
  return {
    blank: [],
    toTyped: (value) => (Array.isArray(value) ? value.map(String) : []),
    read: (typed) => ({ value: toTexts(typed) }),
    Field: ({ label, hint, error, value, onChange, context }) => (
      <ProductPicker
        label={label}
        hint={hint}
        error={error}
        ids={toTexts(value)}
        except={exceptOf(context)}
        max={max}
        onChange={onChange}
      />
    ),
    say: sayPlain,
  };
}
