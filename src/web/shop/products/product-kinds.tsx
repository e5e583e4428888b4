/** Kinds of fields that only products have: a price that variants may have in its place, stock, collections. */
import type { JSX } from "preact";
import type { FieldJson } from "../../../kit/fields/field-json.ts";
import type { CollectionList } from "../../../shop/categories/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { usePolled } from "../../ui/console/polled.ts";
import { type Form, type Kind, type Shown, toTexts } from "../../ui/resource/kind.ts";
import { switchKind } from "../../ui/resource/kinds.tsx";
import { listKind } from "../../ui/resource/group-kinds.tsx";
import { TickList, tagsKind } from "../../ui/resource/set-kinds.tsx";
import { moneyKind } from "../kinds/goods-kinds.tsx";
import { readMoney } from "../ui/money.ts";
import type { ProductContext } from "./product-context.ts";
import { fromTyped } from "./variant-rows.ts";

/** The variants that are typed. */
export function listRows({ variants = "" }: Form) {
  return fromTyped(variants).rows;
}

/** The price; with variants it is the lowest of theirs. */
export function priceKind(json: FieldJson): Kind<ProductContext> {
  const money: Kind<ProductContext> = moneyKind(json);
  return {
    ...money,
    read: (typed, at) => {
      const rows = listRows(at.form);
      if (rows.length === 0) return money.read(typed, at);
      const prices = rows.map(({ price }) => readMoney(price, at.context.currency));
      // Errors of a price are shown at its variant.
      return { value: Math.min(...prices.flatMap((price) => (price === undefined ? [] : [price]))) };
    },
    Field: (props) =>
      listRows(props.form).length === 0 ? (
        <money.Field {...props} />
      ) : (
        <p class="field-hint">{text("shop.products.group.price.variants")}</p>
      ),
  };
}

/** Lower prices from a quantity on. */
export function tiersKind(json: FieldJson): Kind<ProductContext> {
  return listKind<ProductContext>({ money: moneyKind }, { isHeaded: true })(json);
}

/** A tick for what is never out of stock; nothing for keys, each of which is given once. */
export function unlimitedKind<C>(json: FieldJson): Kind<C> {
  const tick = switchKind<C>({ ...json, kind: "switch" });
  return {
    ...tick,
    hasOwnWords: true,
    toTyped: (value) => value === "unlimited",
    read: (typed) => ({ value: typed === true ? "unlimited" : "tracked" }),
    Field: (props) => (props.form["deliveryType"] === "auto_secret" ? null : <tick.Field {...props} />),
    say: (value, at) => tick.say(value === "unlimited", at),
  };
}

function CollectionTicks<C>({ label, error, value, onChange }: Shown<C>): JSX.Element | null {
  const { data } = usePolled<CollectionList>("/api/admin/collections", 0);
  const choices = (data?.items ?? []).filter(({ rule }) => rule === undefined);
  if (choices.length === 0) return null;
  return (
    <TickList
      label={label}
      error={error}
      class="tick-list"
      choices={choices.map(({ id, title }) => ({ value: id, label: title }))}
      value={toTexts(value)}
      onChange={onChange}
    />
  );
}

/** Collections whose products are chosen one by one, a tick each. */
export function collectionsKind<C>(json: FieldJson): Kind<C> {
  return { ...tagsKind<C>(json), Field: (props) => <CollectionTicks {...props} /> };
}

/** A value that the form keeps and does not show. */
export function hiddenKind<C>(): Kind<C> {
  return {
    blank: "",
    toTyped: (value) => (typeof value === "string" ? value : ""),
    read: (typed) => ({ value: typed }),
    Field: () => null,
    say: () => "",
  };
}
