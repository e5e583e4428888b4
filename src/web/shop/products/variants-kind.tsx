/** The kind of field for what buyers choose by, and the variants that come of it, each with its price, SKU and picture. */
import type { FieldJson } from "../../../kit/fields/field-json.ts";
import type { ProductView } from "../../../shop/products/answer-schema.ts";
import { text } from "../../app/texts.ts";
import { lazy } from "../../pages/lazy.tsx";
import type { Fault } from "../../ui/forms/parsed.ts";
import {
  type At,
  type Kind,
  type KindOf,
  type Read,
  type Typed,
  isTypedList,
  toChoiceText,
  toText,
} from "../../ui/resource/kind.ts";
import { numberKind, sayPlain, textKind } from "../../ui/resource/kinds.tsx";
import { moneyKind } from "../kinds/goods-kinds.tsx";
import type { ProductContext } from "./product-context.ts";
import { tiersKind } from "./product-kinds.tsx";
import {
  type CellName,
  type VariantForm,
  type VariantKinds,
  blankRow,
  cellNames,
  findOptions,
  fromTyped,
  nameRow,
  toTypedValue,
} from "./variant-rows.ts";

const VariantsField = lazy(async () => (await import("./variants-field.tsx")).VariantsField, null);

function toTypedRows(typed: Typed): readonly Typed[] {
  return isTypedList(typed) ? typed : [];
}

/** A stored variant as it is typed. */
function toRow(stored: unknown, kinds: VariantKinds, at: At<ProductContext>): VariantForm {
  const member = (name: string): unknown =>
    typeof stored === "object" && stored !== null ? Reflect.get(stored, name) : undefined;
  const options = member("options");
  const id = toChoiceText(member("id"));
  const cells = cellNames.map((name) => [name, toText(kinds[name].toTyped(member(name), at))] as const);
  return {
    ...blankRow,
    ...Object.fromEntries(cells),
    ...(id !== "" && { id }),
    imageHash: toChoiceText(member("imageHash")),
    tierPrices: toTypedRows(kinds.tierPrices.toTyped(member("tierPrices"), at)),
    options: Object.fromEntries(
      Object.entries(typeof options === "object" && options !== null ? options : {}).map(([name, value]) => [
        name,
        String(value),
      ]),
    ),
  };
}

function sayRow(row: VariantForm, at: number): string {
  const price = `${text("shop.products.field.price")}: ${row.price}`;
  return [nameRow(row, at), price, row.sku].filter(Boolean).join(" · ");
}

/** The writable members of a stored variant; `stock` is not one. */
export function pickVariant({ id, sku, options, price, ...rest }: ProductView["variants"][number]): object {
  return {
    id,
    sku,
    options,
    price,
    compareAtPrice: rest.compareAtPrice ?? null,
    imageHash: rest.imageHash ?? null,
    tierPrices: rest.tierPrices ?? [],
    weightGrams: rest.weightGrams ?? null,
  };
}

/** Variants, each a row of the combination of its options; bounds of the cells come from the schema. */
export function variantsKind({ fields = {}, max = 0 }: FieldJson): Kind<ProductContext> {
  const cell = (name: CellName, kindOf: KindOf<ProductContext>) => kindOf(fields[name] ?? { kind: "text" });
  const kinds: VariantKinds = {
    sku: cell("sku", textKind),
    price: cell("price", moneyKind),
    compareAtPrice: cell("compareAtPrice", moneyKind),
    weightGrams: cell("weightGrams", numberKind()),
    onHand: cell("onHand", numberKind()),
    tierPrices: tiersKind(fields["tierPrices"] ?? { kind: "list" }),
  };
  function readRow(row: VariantForm, at: At<ProductContext>): Read {
    const faults = new Map<string, Fault>();
    const values: Record<string, unknown> = {
      options: row.options,
      imageHash: row.imageHash === "" ? null : row.imageHash,
    };
    if (row.id !== undefined) values["id"] = row.id;
    for (const name of cellNames) {
      if (name === "onHand" && row.id !== undefined) continue;
      const got = kinds[name].read(row[name], { ...at, before: undefined });
      if ("fault" in got) faults.set(`/${name}`, got.fault);
      else if ("value" in got && got.value !== undefined) values[name] = got.value;
    }
    const tiers = kinds.tierPrices.read(row.tierPrices, at);
    if ("faults" in tiers) for (const [name, fault] of tiers.faults) faults.set(`/tierPrices${name}`, fault);
    if ("value" in tiers) values["tierPrices"] = tiers.value;
    return faults.size > 0 ? { faults } : { value: values };
  }
  return {
    blank: toTypedValue({ options: [], rows: [] }),
    toTyped: (value, at) => {
      const rows = (Array.isArray(value) ? value : []).map((one) => toRow(one, kinds, at));
      return toTypedValue({ options: findOptions(rows), rows });
    },
    read: (typed, at) => {
      const faults = new Map<string, Fault>();
      const values = fromTyped(typed).rows.map((row, index) => {
        const got = readRow(row, at);
        if ("faults" in got) for (const [name, fault] of got.faults) faults.set(`/${index}${name}`, fault);
        return "value" in got ? got.value : undefined;
      });
      return faults.size > 0 ? { faults } : { value: values };
    },
    Field: (shown) => <VariantsField shown={shown} kinds={kinds} most={max} />,
    say: (value, at) =>
      Array.isArray(value) && value.length > 0
        ? value.map((one, index) => sayRow(toRow(one, kinds, at), index)).join("; ")
        : sayPlain(undefined),
  };
}
