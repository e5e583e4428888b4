/** Variants out of options: every size in every colour is a row, and rows that were filled in stay when options change. */

import {
  type Kind,
  type Typed,
  isTypedGroup,
  isTypedList,
  memberText,
  toText,
  toTexts,
} from "../../ui/resource/kind.ts";
import type { ProductContext } from "./product-context.ts";

/** An option of a product, such as "Size" with "S", "M", "L". */
export interface OptionForm {
  readonly name: string;
  readonly values: readonly string[];
}

/** A variant as it is typed. */
export interface VariantForm {
  /** Of a stored one. */
  readonly id?: string;
  readonly options: Readonly<Record<string, string>>;
  readonly sku: string;
  readonly price: string;
  readonly compareAtPrice: string;
  readonly weightGrams: string;
  readonly imageHash: string;
  /** Prices by quantity, a row each. */
  readonly tierPrices: readonly Typed[];
  /** Units that a new one starts with. */
  readonly onHand: string;
}

/** Form values of each variant. */
export const cellNames = ["price", "compareAtPrice", "sku", "onHand", "weightGrams"] as const;
export type CellName = (typeof cellNames)[number];

/** A row without anything typed. */
export const blankRow: VariantForm = {
  options: {},
  sku: "",
  price: "",
  compareAtPrice: "",
  weightGrams: "",
  imageHash: "",
  tierPrices: [],
  onHand: "",
};

/** The kinds of the cells. */
export type VariantKinds = Readonly<Record<CellName | "tierPrices", Kind<ProductContext>>>;

/** Name of a variant: the values of its options, else its SKU or its number. */
export function nameRow({ options, sku }: VariantForm, at: number): string {
  const words = Object.values(options).join(", ");
  return words === "" ? sku || String(at + 1) : words;
}

/** Options and rows as a form holds them. */
export interface TypedVariants {
  readonly options: readonly OptionForm[];
  readonly rows: readonly VariantForm[];
}

export function toTypedValue({ options, rows }: TypedVariants): Typed {
  return { options: options.map((option) => ({ ...option })), rows: rows.map((row) => ({ ...row })) };
}

function toList(member: Typed | undefined): readonly Typed[] {
  return isTypedList(member) ? member : [];
}

/** Reads values that {@link toTypedValue} wrote. */
export function fromTyped(typed: Typed): TypedVariants {
  const list = (name: string): readonly Typed[] => toList(isTypedGroup(typed) ? typed[name] : undefined);
  return {
    options: list("options").map((one) => ({
      name: memberText(one, "name"),
      values: toTexts(isTypedGroup(one) ? one["values"] : undefined),
    })),
    rows: list("rows").map((one) => {
      const cells = cellNames.map((name) => [name, memberText(one, name)] as const);
      const id = memberText(one, "id");
      const chosen = isTypedGroup(one) && isTypedGroup(one["options"]) ? one["options"] : {};
      return {
        ...blankRow,
        ...Object.fromEntries(cells),
        ...(id !== "" && { id }),
        imageHash: memberText(one, "imageHash"),
        tierPrices: toList(isTypedGroup(one) ? one["tierPrices"] : undefined),
        options: Object.fromEntries(Object.entries(chosen).map(([name, value]) => [name, toText(value)])),
      };
    }),
  };
}

type Chosen = Readonly<Record<string, string>>;

/** The options that rows have, with their values, as they come first. */
export function findOptions(rows: readonly { readonly options: Chosen }[]): readonly OptionForm[] {
  const values = new Map<string, Set<string>>();
  for (const { options } of rows)
    for (const [name, value] of Object.entries(options))
      values.set(name, (values.get(name) ?? new Set()).add(value));
  return [...values].map(([name, set]) => ({ name, values: [...set] }));
}

/** The options that count: those with a name and a value, each name once. */
function toComplete(options: readonly OptionForm[]): readonly OptionForm[] {
  const named = options
    .map(({ name, values }) => ({ name: name.trim(), values }))
    .filter(({ name, values }) => name !== "" && values.length > 0);
  return named.filter(({ name }, at) => named.findIndex((other) => other.name === name) === at);
}

/** Every combination of the values, the last option changing fastest. */
function combine(options: readonly OptionForm[]): readonly Chosen[] {
  return toComplete(options).reduce<readonly Chosen[]>(
    (all, { name, values }) => all.flatMap((chosen) => values.map((value) => ({ ...chosen, [name]: value }))),
    [{}],
  );
}

/** How many variants the options make; 0 without any. */
export function countCombinations(options: readonly OptionForm[]): number {
  const complete = toComplete(options);
  return complete.length === 0 ? 0 : complete.reduce((product, { values }) => product * values.length, 1);
}

function isSameChoice(a: Chosen, b: Chosen, names: readonly string[]): boolean {
  return names.every((name) => a[name] === b[name]);
}

/** Renames `before` to the names in `after` at the same positions. */
function renameOptions(
  rows: readonly VariantForm[],
  before: readonly OptionForm[],
  after: readonly OptionForm[],
) {
  if (before.length !== after.length) return rows;
  const names = new Map(
    before.map(({ name }, at): [string, string] => [name, after[at]?.name.trim() ?? name]),
  );
  const rename = (options: Chosen): Chosen =>
    Object.fromEntries(Object.entries(options).map(([name, value]) => [names.get(name) ?? name, value]));
  return rows.map((row) => ({ ...row, options: rename(row.options) }));
}

/**
 * The rows for changed options. A row stays where its choice is still one (with the first value of an option that is
 * new); combinations that were taken out before are not put back.
 */
export function followOptions(
  rows: readonly VariantForm[],
  {
    before,
    after,
    blank,
  }: { before: readonly OptionForm[]; after: readonly OptionForm[]; blank: VariantForm },
): readonly VariantForm[] {
  const complete = toComplete(after);
  if (complete.length === 0) return [];
  const renamed = renameOptions(rows, before, after);
  const isInPlace = before.length === after.length;
  // Only what had a value before is in the rows.
  const known = toComplete(
    before.map(({ name, values }, at) => ({ name: isInPlace ? (after[at]?.name ?? name) : name, values })),
  );
  const shared = complete
    .map(({ name }) => name)
    .filter((name) => known.some((option) => option.name === name));
  const knownValues = new Map(known.map(({ name, values }) => [name, values]));
  const used = new Set<VariantForm>();
  return combine(complete).flatMap((options) => {
    const row = renamed.find((each) => !used.has(each) && isSameChoice(each.options, options, shared));
    if (row !== undefined && shared.length > 0) {
      used.add(row);
      return [{ ...row, options }];
    }
    // Every value was there before, and still there was no such row: somebody took it out.
    const isOld = shared.length === complete.length && shared.length === known.length;
    const wasThere = shared.every((name) => knownValues.get(name)?.includes(options[name] ?? "") === true);
    return isOld && wasThere && rows.length > 0 ? [] : [{ ...blank, options }];
  });
}
