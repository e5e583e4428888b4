/** The chosen variant of a product, and the links to the others. */
import type { CatalogueItem } from "../../catalogue/item.ts";
import type { Variant } from "../../products/schema.ts";

/** A value that can be chosen, with the variant that it leads to. */
export interface ChoiceValue {
  readonly label: string;
  readonly variantId: string;
  readonly isChosen: boolean;
  /** Whether it can be had together with what else is chosen. */
  readonly isAvailable: boolean;
}

/** Values of which one is chosen, such as the sizes. */
export interface ChoiceGroup {
  /** "" where variants have nothing in common. */
  readonly name: string;
  readonly values: readonly ChoiceValue[];
}

export interface Choice {
  /** Of the variant in the product's list; 0 without variants. */
  readonly index: number;
  readonly groups: readonly ChoiceGroup[];
}

/** The name of a variant: its options, otherwise its SKU. */
export function toVariantLabel({ options, sku }: Variant, index: number): string {
  return Object.values(options).join(", ") || sku || `#${index + 1}`;
}

/** The names of the options, where every variant has all of them and no two have the same values. */
function findNames(variants: readonly Variant[]): string[] {
  const names = Object.keys(variants[0]?.options ?? {});
  const isOf = ({ options }: Variant): boolean =>
    Object.keys(options).length === names.length && names.every((name) => Object.hasOwn(options, name));
  const values = new Set(variants.map(({ options }) => JSON.stringify(names.map((name) => options[name]))));
  return variants.every(isOf) && values.size === variants.length ? names : [];
}

function countShared(a: Variant, b: Variant, names: readonly string[]): number {
  return names.filter((name) => a.options[name] === b.options[name]).length;
}

/** The requested variant, or the first available one. */
function findIndex(
  { product: { variants, minQuantity }, available }: CatalogueItem,
  wanted: string | undefined,
): number {
  const asked = variants.findIndex(({ id }) => id === wanted);
  if (asked !== -1) return asked;
  return Math.max(
    0,
    variants.findIndex((_, index) => (available[index] ?? 0) >= minQuantity),
  );
}

/** The chosen variant, and the alternatives. */
export function chooseVariant(item: CatalogueItem, wanted: string | undefined): Choice {
  const { product, available } = item;
  const { variants } = product;
  const index = findIndex(item, wanted);
  const chosen = variants[index];
  if (chosen === undefined || variants.length === 1) return { index, groups: [] };
  const canBeHad = (variant: Variant): boolean =>
    (available[variants.indexOf(variant)] ?? 0) >= product.minQuantity;
  const names = findNames(variants);
  if (names.length === 0) {
    const values = variants.map((variant, at) => ({
      label: toVariantLabel(variant, at),
      variantId: variant.id,
      isChosen: at === index,
      isAvailable: canBeHad(variant),
    }));
    return { index, groups: [{ name: "", values }] };
  }
  const groups = names.map((name) => {
    const labels = [...new Set(variants.map(({ options }) => options[name] ?? ""))];
    const values = labels.map((label) => {
      // The one that differs least from what is chosen.
      const [nearest = chosen] = variants
        .filter(({ options }) => options[name] === label)
        .toSorted((a, b) => countShared(b, chosen, names) - countShared(a, chosen, names));
      const isNear = countShared(nearest, chosen, names) >= names.length - 1;
      return {
        label,
        variantId: nearest.id,
        isChosen: chosen.options[name] === label,
        isAvailable: isNear && canBeHad(nearest),
      };
    });
    return { name, values };
  });
  return { index, groups };
}
