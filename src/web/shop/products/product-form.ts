/** A product as it is typed, and what is sent of it. */
import type { TextName } from "../../app/texts.ts";
import { type Edited, type ParsedForm, parseWhole } from "../../ui/forms/parsed.ts";
import { isSame } from "../../ui/forms/conflict.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { readMoney, typeMoney } from "../ui/money.ts";
import { type TypedTranslations, toTranslations } from "../../ui/forms/translations.ts";
import {
  type DeliveryType,
  type InputView,
  type ProductStatus,
  type ProductView,
  type VariantView,
  toProductPath,
} from "./product-data.ts";
import { type OptionForm, type VariantForm, findOptions } from "./variant-rows.ts";

const MAX_QUANTITY = 10_000;
const MAX_GRAMS = 100_000_000;
const MAX_STOCK = 1_000_000_000;
const MAX_PLACE = 1_000_000;

/** What a buyer is asked for, as it is typed. */
export interface InputForm extends Omit<InputView, "maxLength"> {
  readonly maxLength: string;
}

/** A product as it is typed: numbers are texts. */
export interface ProductForm {
  readonly title: string;
  readonly slug: string;
  readonly status: ProductStatus;
  readonly summary: string;
  readonly description: string;
  readonly categoryId: string;
  readonly tags: readonly string[];
  readonly collectionIds: readonly string[];
  readonly relatedIds: readonly string[];
  readonly price: string;
  readonly compareAtPrice: string;
  readonly sku: string;
  readonly taxClass: string;
  readonly weight: string;
  readonly isUnlimited: boolean;
  readonly minQuantity: string;
  readonly maxQuantity: string;
  readonly maxPerCustomer: string;
  readonly lowStockThreshold: string;
  readonly deliveryType: DeliveryType;
  readonly excludedFromWithdrawal: boolean;
  readonly instructions: string;
  readonly sortOrder: string;
  readonly inputs: readonly InputForm[];
  readonly options: readonly OptionForm[];
  readonly variants: readonly VariantForm[];
  readonly translations: TypedTranslations;
}

interface SentVariant extends Pick<VariantView, "sku" | "options" | "price"> {
  readonly id?: string | undefined;
  readonly compareAtPrice: number | null;
  readonly imageHash: string | null;
  readonly weightGrams: number | null;
  readonly onHand?: number | undefined;
}

/** What is sent of a product. */
export interface ProductFields {
  readonly title: string;
  readonly slug: string;
  readonly status: ProductStatus;
  readonly summary: string;
  readonly description: string;
  readonly categoryId: string | null;
  readonly tags: readonly string[];
  readonly collectionIds: readonly string[];
  readonly relatedIds: readonly string[];
  readonly price: number;
  readonly compareAtPrice: number | null;
  readonly sku: string;
  readonly taxClass: string;
  readonly weightGrams: number | null;
  readonly stockMode: "tracked" | "unlimited";
  readonly minQuantity: number;
  readonly maxQuantity: number;
  readonly maxPerCustomer: number | null;
  readonly lowStockThreshold: number | null;
  readonly deliveryType: DeliveryType;
  readonly excludedFromWithdrawal: boolean;
  readonly instructions: string;
  readonly sortOrder: number;
  readonly inputs: readonly InputView[];
  readonly variants: readonly SentVariant[];
  readonly translations: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Fields of a product in the order of the page; their labels are "shop.products.field.<name>". */
export const fieldNames = [
  ...(["title", "slug", "status", "summary", "description", "categoryId", "tags", "collectionIds"] as const),
  ...(["relatedIds", "price", "compareAtPrice", "sku", "taxClass", "weightGrams", "stockMode"] as const),
  ...(["minQuantity", "maxQuantity", "maxPerCustomer", "lowStockThreshold", "deliveryType"] as const),
  ...(["excludedFromWithdrawal", "instructions", "sortOrder", "inputs", "variants", "translations"] as const),
] as const satisfies readonly (keyof ProductFields)[];

function typeWhole(value: number | null | undefined): string {
  return value === undefined || value === null ? "" : String(value);
}

function pickVariant({ id, sku, options, price, ...rest }: VariantView): SentVariant {
  return {
    id,
    sku,
    options,
    price,
    compareAtPrice: rest.compareAtPrice ?? null,
    imageHash: rest.imageHash ?? null,
    weightGrams: rest.weightGrams ?? null,
  };
}

function pick(stored: ProductView): ProductFields {
  const { title, slug, status, summary, description, tags, collectionIds, relatedIds, price, sku } = stored;
  const { minQuantity, maxQuantity, deliveryType, instructions, sortOrder, inputs, translations } = stored;
  return {
    title,
    slug,
    status,
    summary,
    description,
    tags,
    collectionIds: collectionIds ?? [],
    relatedIds: relatedIds ?? [],
    price,
    sku,
    minQuantity,
    maxQuantity,
    deliveryType,
    instructions,
    sortOrder,
    inputs,
    translations,
    categoryId: stored.categoryId ?? null,
    compareAtPrice: stored.compareAtPrice ?? null,
    taxClass: stored.taxClass ?? "standard",
    weightGrams: stored.weightGrams ?? null,
    stockMode: stored.stock.mode,
    maxPerCustomer: stored.maxPerCustomer ?? null,
    lowStockThreshold: stored.lowStockThreshold ?? null,
    excludedFromWithdrawal: stored.excludedFromWithdrawal ?? false,
    variants: stored.variants.map(pickVariant),
  };
}

function toVariantForm(variant: SentVariant, currency: string): VariantForm {
  const { id, options, sku, price, compareAtPrice, weightGrams, imageHash, onHand } = variant;
  return {
    ...(id === undefined ? {} : { id }),
    options,
    sku,
    price: typeMoney(price, currency),
    weight: typeWhole(weightGrams),
    compareAtPrice: typeMoney(compareAtPrice ?? undefined, currency),
    imageHash: imageHash ?? "",
    onHand: typeWhole(onHand),
  };
}

function toForm(fields: ProductFields, currency: string): ProductForm {
  const { price, compareAtPrice, weightGrams, stockMode, variants, inputs, translations, ...rest } = fields;
  const { minQuantity, maxQuantity, maxPerCustomer, lowStockThreshold, sortOrder, categoryId, ...texts } =
    rest;
  return {
    ...texts,
    categoryId: categoryId ?? "",
    price: typeMoney(price, currency),
    compareAtPrice: typeMoney(compareAtPrice ?? undefined, currency),
    weight: typeWhole(weightGrams),
    isUnlimited: stockMode === "unlimited",
    minQuantity: typeWhole(minQuantity),
    maxQuantity: maxQuantity === MAX_QUANTITY ? "" : typeWhole(maxQuantity),
    maxPerCustomer: typeWhole(maxPerCustomer),
    lowStockThreshold: typeWhole(lowStockThreshold),
    sortOrder: sortOrder === 0 ? "" : typeWhole(sortOrder),
    inputs: inputs.map((input) => ({ ...input, maxLength: typeWhole(input.maxLength) })),
    options: findOptions(variants),
    variants: variants.map((variant) => toVariantForm(variant, currency)),
    translations,
  };
}

/** Reads typed values and notes what is wrong with them. */
function createReader(currency: string) {
  const faults = new Map<string, TextName>();
  return {
    faults,
    money: (typed: string, pointer: string): number => {
      const minor = readMoney(typed, currency);
      if (minor === undefined) faults.set(pointer, "shop.ui.fault.money");
      return minor ?? 0;
    },
    moneyOrNone: (typed: string, pointer: string): number | null => {
      if (typed.trim() === "") return null;
      const minor = readMoney(typed, currency);
      if (minor === undefined) faults.set(pointer, "shop.ui.fault.money");
      return minor ?? null;
    },
    wholeOrNone: (typed: string, pointer: string, bounds: { min: number; max: number }): number | null => {
      if (typed.trim() === "") return null;
      const whole = parseWhole(typed, bounds);
      if (whole === undefined) faults.set(pointer, "shop.ui.fault.whole");
      return whole ?? null;
    },
  };
}

type Reader = ReturnType<typeof createReader>;

function parseVariants(variants: readonly VariantForm[], read: Reader): SentVariant[] {
  return variants.map(({ id, options, sku, price, compareAtPrice, weight, imageHash, onHand }, at) => {
    const pointer = `/variants/${at}`;
    const units = read.wholeOrNone(onHand, `${pointer}/onHand`, { min: 0, max: MAX_STOCK });
    return {
      id,
      options,
      sku: sku.trim(),
      price: read.money(price, `${pointer}/price`),
      compareAtPrice: read.moneyOrNone(compareAtPrice, `${pointer}/compareAtPrice`),
      weightGrams: read.wholeOrNone(weight, `${pointer}/weightGrams`, { min: 0, max: MAX_GRAMS }),
      imageHash: imageHash === "" ? null : imageHash,
      onHand: id === undefined && units !== null ? units : undefined,
    };
  });
}

function parsePlace(typed: string, read: Reader): number {
  const [, sign = "", digits = ""] = /^([-−]?)(.*)$/u.exec(typed.trim()) ?? [];
  const place = read.wholeOrNone(digits, "/sortOrder", { min: 0, max: MAX_PLACE }) ?? 0;
  return sign === "" || place === 0 ? place : -place;
}

function parse(form: ProductForm, currency: string): ParsedForm<ProductFields> {
  const read = createReader(currency);
  const { title, slug, status, summary, description, categoryId, tags, collectionIds, relatedIds } = form;
  const { sku, taxClass, deliveryType, excludedFromWithdrawal, instructions, isUnlimited } = form;
  const quantity = { min: 1, max: MAX_QUANTITY };
  if (title.trim() === "") read.faults.set("/title", "admin.fault.empty");
  const variants = parseVariants(form.variants, read);
  const fields: ProductFields = {
    title: title.trim(),
    slug: slug.trim(),
    status,
    summary,
    description,
    tags,
    collectionIds,
    relatedIds,
    sku: sku.trim(),
    taxClass,
    deliveryType,
    excludedFromWithdrawal,
    instructions,
    variants,
    categoryId: categoryId === "" ? null : categoryId,
    // With variants it is the lowest of theirs.
    price:
      variants.length > 0
        ? Math.min(...variants.map(({ price }) => price))
        : read.money(form.price, "/price"),
    compareAtPrice: read.moneyOrNone(form.compareAtPrice, "/compareAtPrice"),
    weightGrams: read.wholeOrNone(form.weight, "/weightGrams", { min: 0, max: MAX_GRAMS }),
    stockMode: isUnlimited ? "unlimited" : "tracked",
    minQuantity: read.wholeOrNone(form.minQuantity, "/minQuantity", quantity) ?? 1,
    maxQuantity: read.wholeOrNone(form.maxQuantity, "/maxQuantity", quantity) ?? MAX_QUANTITY,
    maxPerCustomer: read.wholeOrNone(form.maxPerCustomer, "/maxPerCustomer", quantity),
    lowStockThreshold: read.wholeOrNone(form.lowStockThreshold, "/lowStockThreshold", {
      min: 0,
      max: MAX_PLACE,
    }),
    sortOrder: parsePlace(form.sortOrder, read),
    inputs: form.inputs.map((input, at) => ({
      ...input,
      key: input.key.trim(),
      label: input.label.trim(),
      maxLength: read.wholeOrNone(input.maxLength, `/inputs/${at}/maxLength`, { min: 1, max: 2_000 }) ?? 200,
    })),
    translations: toTranslations(form.translations),
  };
  return read.faults.size > 0 ? { ok: false, faults: read.faults } : { ok: true, fields };
}

/** What of `fields` is not as in `before`. */
function findChanged(before: ProductFields, fields: ProductFields): Partial<ProductFields> {
  return Object.fromEntries(
    fieldNames.filter((name) => !isSame(before[name], fields[name])).map((name) => [name, fields[name]]),
  );
}

/** How a product is edited; all its amounts are of one currency. */
export function toEdited(currency: string): Edited<ProductView, ProductForm, ProductFields> {
  return {
    pick,
    toForm: (fields) => toForm(fields, currency),
    parse: (form) => parse(form, currency),
    send: (stored, fields) =>
      adminRequest<ProductView>(toProductPath(stored.id), {
        method: "PATCH",
        body: findChanged(pick(stored), fields),
        version: stored.version,
      }),
    reload: ({ id }) => adminRequest<ProductView>(toProductPath(id)),
  };
}

/** A new variant of a product that costs so much. */
export function toBlankVariant(price: string): VariantForm {
  return { options: {}, sku: "", price, compareAtPrice: "", weight: "", imageHash: "", onHand: "" };
}
