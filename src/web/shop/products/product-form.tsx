/** The form of a product, as data. */
import type { ProductView } from "../../../shop/products/answer-schema.ts";
import { productFieldsSchema } from "../../../shop/products/change-schema.ts";
import { taxClasses } from "../../../shop/base/tax-class-schema.ts";
import { text } from "../../app/texts.ts";
import type { FieldForm } from "../../ui/resource/form.ts";
import { listKind, optionalKind } from "../../ui/resource/group-kinds.tsx";
import { type Form, isTypedList, toText } from "../../ui/resource/kind.ts";
import { choiceKind, numberKind } from "../../ui/resource/kinds.tsx";
import { listedKind } from "../../ui/resource/set-kinds.tsx";
import { categoryKind, moneyKind, productsKind } from "../kinds/goods-kinds.tsx";
import { markdownKind } from "../kinds/markdown-kind.tsx";
import { translationsKind } from "../kinds/translations-kind.tsx";
import { deliveryKind, toStock } from "./delivery-kind.tsx";
import { partsKind } from "./parts-kind.tsx";
import type { ProductContext } from "./product-context.ts";
import {
  collectionsKind,
  hiddenKind,
  listRows,
  priceKind,
  tiersKind,
  unlimitedKind,
} from "./product-kinds.tsx";
import { pickVariant, variantsKind } from "./variants-kind.tsx";

/** A short name that no other field has; buyers never see it. */
function toInputKey(rows: readonly Form[]): string {
  const taken = rows.map(({ key }) => key);
  let number = taken.length + 1;
  while (taken.includes(`field${number}`)) number += 1;
  return `field${number}`;
}

const inputsKind = listKind<ProductContext>(
  {},
  {
    members: {
      key: { kind: hiddenKind },
      kind: { kind: choiceKind({ as: "list" }) },
      required: { json: { initial: true } },
      options: { when: ({ kind }) => kind === "select", keep: true },
      maxLength: { when: ({ kind }) => kind === "text", keep: true },
    },
    rows: [["label", "kind", "maxLength"]],
    nameOf: ({ label }) => (label === "" ? text("shop.products.input.new") : toText(label)),
    begin: (rows) => ({ key: toInputKey(rows) }),
  },
);

/** Whether a product has its own stock and delivery; a bundle has those of its parts. */
function isSingle({ parts }: Form): boolean {
  return !isTypedList(parts) || parts.length === 0;
}

const whole = { placeholder: "shop.ui.noLimit", fault: "shop.ui.fault.whole" } as const;

export const productForm: FieldForm<typeof productFieldsSchema, ProductContext> = {
  schema: productFieldsSchema,
  words: "shop.products.field",
  kinds: { money: moneyKind },
  fields: {
    currency: false,
    onHand: false,
    // Its own panel.
    license: false,
    giftCard: false,
    title: { missing: "admin.fault.empty" },
    slug: { hint: ({ slug }) => text("shop.products.field.slug.hint", { slug: toText(slug) }) },
    description: { kind: markdownKind },
    price: { kind: priceKind, missing: "shop.ui.fault.money" },
    compareAtPrice: {
      label: (form) =>
        listRows(form).length === 0
          ? "shop.products.field.compareAtPrice"
          : "shop.products.field.compareAtPrice.all",
    },
    tierPrices: { kind: tiersKind, when: (form) => listRows(form).length === 0 },
    parts: { kind: partsKind, hint: "", when: (form) => listRows(form).length === 0 },
    payWhatYouWant: { kind: optionalKind({ money: moneyKind }, { rows: [["minimum", "maximum"]] }) },
    taxClass: {
      when: isSingle,
      keep: true,
      kind: listedKind(() =>
        taxClasses.map((value) => ({ value, label: text(`shop.products.tax.${value}`) })),
      ),
      json: { initial: "standard" },
    },
    variants: { kind: variantsKind, hint: "" },
    deliveryType: { kind: deliveryKind, sets: toStock, when: isSingle, keep: true },
    weightGrams: {
      when: (form) => isSingle(form) && form["deliveryType"] === "shipping",
      keep: true,
      fault: "shop.ui.fault.whole",
    },
    status: {
      kind: choiceKind({ words: "shop.products.status", as: "list" }),
      hint: ({ status }) =>
        text(
          status === "published"
            ? "shop.products.status.published.hint"
            : status === "archived"
              ? "shop.products.status.archived.hint"
              : "shop.products.status.draft.hint",
        ),
    },
    categoryId: { kind: categoryKind() },
    collectionIds: { kind: collectionsKind },
    relatedIds: { kind: (json) => productsKind<ProductContext>(json, ({ product }) => product?.id) },
    sortOrder: { kind: numberKind({ empty: 0 }), json: { placeholder: "0" } },
    stockMode: { kind: unlimitedKind, when: isSingle, keep: true },
    minQuantity: { kind: numberKind({ empty: "min" }), json: { placeholder: "1" }, fault: whole.fault },
    maxQuantity: { ...whole, kind: numberKind({ empty: "max" }) },
    maxPerCustomer: { ...whole, when: isSingle },
    lowStockThreshold: {
      when: (form) => isSingle(form) && form["stockMode"] !== true,
      keep: true,
      fault: "shop.ui.fault.whole",
    },
    inputs: { kind: inputsKind, hint: "" },
    translations: {
      kind: translationsKind<ProductContext>({
        title: "shop.products.field.title",
        summary: "shop.products.field.summary",
        description: "shop.products.field.description",
      }),
      hint: "",
    },
  },
  panels: [
    { title: "shop.products.group.words", fields: ["title", "slug", "summary", "description"] },
    {
      title: "shop.products.field.price",
      hint: "shop.products.priorPrice.hint",
      fields: [["price", "compareAtPrice"], ["sku", "taxClass"], "payWhatYouWant", "tierPrices"],
    },
    {
      title: "shop.products.field.variants",
      hint: "shop.products.field.variants.hint",
      fields: ["variants"],
    },
    {
      title: "shop.products.field.parts",
      hint: "shop.products.field.parts.hint",
      fields: ["parts"],
      folded: true,
    },
    {
      title: "shop.products.field.deliveryType",
      fields: ["deliveryType", "weightGrams", "instructions", "excludedFromWithdrawal"],
    },
    {
      title: "shop.products.group.place",
      fields: [["status", "categoryId"], "tags", "collectionIds", "relatedIds", "sortOrder"],
    },
    {
      title: "shop.products.group.quantity",
      fields: ["stockMode", ["minQuantity", "maxQuantity", "maxPerCustomer"], "lowStockThreshold"],
    },
    { title: "shop.products.field.inputs", hint: "shop.products.field.inputs.hint", fields: ["inputs"] },
    {
      title: "shop.products.field.translations",
      hint: "shop.products.field.translations.hint",
      fields: ["translations"],
    },
  ],
};

/** A stored product as the form reads it. */
export function toProductFields(product: ProductView): object {
  const { stock, variants, taxClass = "standard", excludedFromWithdrawal = false } = product;
  const { tierPrices = [], parts = [] } = product;
  return {
    ...product,
    stockMode: stock.mode,
    taxClass,
    excludedFromWithdrawal,
    tierPrices: variants.length === 0 ? tierPrices : null,
    parts: variants.length === 0 ? parts : null,
    variants: variants.map(pickVariant),
  };
}
