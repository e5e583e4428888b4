/** Options of variants as filters of a list: which products have a value, and how many would be left with it. */
import type { ProductRecord } from "../../products/schema.ts";
import { Bits } from "./bits.ts";

/** A value such as "Navy". */
export interface OptionValue {
  /** Names the value and its option, however they are capitalized: what a filter is given. */
  readonly key: string;
  readonly label: string;
  /** Products of the list that have it, together with what is chosen of other options. */
  readonly count: number;
  readonly isChosen: boolean;
}

/** An option such as "Color" with its values. */
export interface OptionGroup {
  readonly name: string;
  readonly values: readonly OptionValue[];
}

export interface OptionScan {
  /** The places of products with one variant that has a chosen value of each option. */
  readonly matching: Bits;
  readonly groups: readonly OptionGroup[];
}

/** Which variants count: by the place of their product, all of them, or one by its index. */
export interface CountedVariants {
  readonly areAll: (place: number) => boolean;
  readonly has: (place: number, index: number) => boolean;
}

const MAX_GROUPS = 5;
const MAX_VALUES = 24;

const sizes = "xxxs 3xs xxs 2xs xs s m l xl xxl 2xl xxxl 3xl 4xl 5xl 6xl".split(" ");
const collator = new Intl.Collator("en", { numeric: true });

function toSizeRank(label: string): number {
  return sizes.indexOf(label.toLowerCase());
}

/** Sizes and numbers in their own order, other values by how many products have them. */
function sortValues(values: readonly OptionValue[]): OptionValue[] {
  if (values.every(({ label }) => toSizeRank(label) !== -1))
    return values.toSorted((a, b) => toSizeRank(a.label) - toSizeRank(b.label));
  if (values.every(({ label }) => /^\D?\d/u.test(label)))
    return values.toSorted((a, b) => collator.compare(a.label, b.label));
  return values.toSorted((a, b) => b.count - a.count || collator.compare(a.label, b.label));
}

interface Label {
  readonly key: string;
  readonly label: string;
  readonly group: number;
}

/** Numbers of labels. */
interface ProductLabels {
  readonly variants: readonly (readonly number[])[];
  /** Of all variants, each once. */
  readonly all: readonly number[];
}

const NO_LABELS: ProductLabels = { variants: [], all: [] };

/** Chosen values by their option. */
type Wanted = ReadonlyMap<number, ReadonlySet<number>>;

/** The option of which a variant has no chosen value; undefined if it has all, "more" if it lacks more than one. */
function findLacked(labels: readonly number[], wanted: Wanted): number | "more" | undefined {
  let lacked: number | undefined;
  for (const [group, any] of wanted) {
    let hasOne = false;
    for (const label of labels) hasOne ||= any.has(label);
    if (hasOne) continue;
    if (lacked !== undefined) return "more";
    lacked = group;
  }
  return lacked;
}

/** The options of all products, by their place; the labels of a product are read when a list first asks for them. */
export class OptionIndex {
  readonly #groups: string[] = [];
  readonly #groupIds = new Map<string, number>();
  readonly #labels: Label[] = [];
  /** By the label as it is written, and by its key. */
  readonly #labelIds = new Map<string, number>();
  /** By place. */
  readonly #read: (ProductLabels | undefined)[] = [];

  /** Forgets what is known of a product whose record changed. */
  forget(place: number): void {
    if (place < this.#read.length) this.#read[place] = undefined;
  }

  /** The places of `base` with the chosen values, and what could be chosen. Keys that no product has are ignored. */
  scan(
    base: Bits,
    {
      chosen,
      productAt,
      counted,
    }: {
      readonly chosen: readonly string[];
      readonly productAt: (place: number) => ProductRecord | undefined;
      readonly counted?: CountedVariants | undefined;
    },
  ): OptionScan {
    const places = base.toArray();
    // First of all: that adds labels.
    for (const place of places)
      if (this.#read[place] === undefined) this.#readLabels(place, productAt(place));
    const wanted = this.#toWanted(chosen);
    const found = new Uint32Array(this.#labels.length);
    const matching = wanted.size === 0 ? base : new Bits();
    const lastAt = new Int32Array(this.#labels.length).fill(-1);
    // Plain loops: lists are long, and each search counts again.
    for (let at = 0; at < places.length; at += 1) {
      const place = places[at] ?? 0;
      const { variants, all } = this.#read[place] ?? NO_LABELS;
      if (wanted.size === 0 && (counted === undefined || counted.areAll(place))) {
        for (const label of all) found[label] = (found[label] ?? 0) + 1;
        continue;
      }
      for (let index = 0; index < variants.length; index += 1) {
        const labels = variants[index] ?? [];
        const lacked = findLacked(labels, wanted);
        if (lacked === "more" || counted?.has(place, index) === false) continue;
        if (lacked === undefined && matching !== base) matching.add(place);
        for (const label of labels) {
          if (lastAt[label] === place || (lacked !== undefined && this.#labels[label]?.group !== lacked))
            continue;
          lastAt[label] = place;
          found[label] = (found[label] ?? 0) + 1;
        }
      }
    }
    return { matching, groups: this.#toGroups(found, wanted) };
  }

  #readLabels(place: number, product: ProductRecord | undefined): void {
    const variants = (product?.variants ?? []).map(({ options }) =>
      Object.entries(options).flatMap(([name, value]) =>
        name.trim() === "" || value.trim() === "" ? [] : this.#toLabel(name, value),
      ),
    );
    this.#read[place] = { variants, all: [...new Set(variants.flat())] };
  }

  #toLabel(name: string, value: string): number {
    const written = `${name}:${value}`;
    const known = this.#labelIds.get(written);
    if (known !== undefined) return known;
    const groupKey = name.trim().normalize("NFC").toLowerCase();
    const key = `${groupKey}:${value.trim().normalize("NFC").toLowerCase()}`;
    const group = this.#groupIds.get(groupKey) ?? this.#groups.length;
    if (group === this.#groups.length) {
      this.#groups.push(name.trim());
      this.#groupIds.set(groupKey, group);
    }
    const id = this.#labelIds.get(key) ?? this.#labels.length;
    if (id === this.#labels.length) this.#labels.push({ key, label: value.trim(), group });
    this.#labelIds.set(written, id).set(key, id);
    return id;
  }

  /** The numbers of chosen values, by the number of their option. */
  #toWanted(chosen: readonly string[]): Wanted {
    const wanted = new Map<number, Set<number>>();
    const keys = new Set(chosen);
    if (keys.size > 0)
      this.#labels.forEach(({ key, group }, id) => {
        if (keys.has(key)) wanted.set(group, (wanted.get(group) ?? new Set()).add(id));
      });
    return wanted;
  }

  #toGroups(found: Uint32Array, wanted: Wanted): readonly OptionGroup[] {
    const values = new Map<number, OptionValue[]>();
    this.#labels.forEach(({ key, label, group }, id) => {
      const isChosen = wanted.get(group)?.has(id) === true;
      const count = found[id] ?? 0;
      if (count === 0 && !isChosen) return;
      const others = values.get(group) ?? [];
      others.push({ key, label, count, isChosen });
      values.set(group, others);
    });
    const sum = (all: readonly OptionValue[]): number => all.reduce((total, { count }) => total + count, 0);
    return [...values]
      .filter(([group, all]) => all.length > 1 || wanted.has(group))
      .toSorted(
        ([a, one], [b, other]) => Number(wanted.has(b)) - Number(wanted.has(a)) || sum(other) - sum(one),
      )
      .slice(0, MAX_GROUPS)
      .map(([group, all]) => {
        const most = all.toSorted((a, b) => Number(b.isChosen) - Number(a.isChosen) || b.count - a.count);
        return { name: this.#groups[group] ?? "", values: sortValues(most.slice(0, MAX_VALUES)) };
      });
  }
}
