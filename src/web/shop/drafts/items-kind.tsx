/** The items of a draft: products with prices of their own, and items without a product. */
import type { JSX } from "preact";
import { taxClasses } from "../../../shop/base/tax-class-schema.ts";
import { type TextName, findText, text } from "../../app/texts.ts";
import { Button, Checkbox, SelectField, TextField } from "../../ui/controls.tsx";
import { type Kind, type Typed, isTypedGroup, isTypedList, memberText } from "../../ui/resource/kind.ts";
import { MoneyField } from "../ui/money-field.tsx";
import { readMoney, typeMoney } from "../ui/money.ts";
import { AddProduct } from "../ui/orders/add-product.tsx";
import type { DraftContext } from "./draft-data.ts";

interface Item {
  readonly id?: string;
  readonly productId?: string;
  readonly variantId?: string;
  readonly title?: string;
  readonly quantity: number;
  readonly unitPrice?: number;
  readonly reason?: string;
  readonly taxClass?: string;
  readonly isSent?: boolean;
}

type Row = Readonly<Record<string, Typed>>;

function toRow(item: Item, { currency, titles }: DraftContext): Row {
  const { id = "", productId = "", variantId = "", quantity, unitPrice, reason = "" } = item;
  const { title = titles[id] ?? productId, taxClass = "standard", isSent = false } = item;
  const price = typeMoney(unitPrice, currency);
  return { id, productId, variantId, title, quantity: String(quantity), price, reason, taxClass, isSent };
}

function listRows(value: Typed): readonly Row[] {
  return isTypedList(value) ? value.filter(isTypedGroup) : [];
}

/** The item of a row, or what is wrong with it. */
function readRow(
  row: Row,
  currency: string,
): { item: Item } | { faults: readonly (readonly [string, TextName])[] } {
  const at = (name: string): string => memberText(row, name).trim();
  const isProduct = at("productId") !== "";
  const quantity = /^\d{1,5}$/u.test(at("quantity")) ? Number(at("quantity")) : 0;
  const unitPrice = at("price") === "" ? undefined : readMoney(at("price"), currency);
  const faults: (readonly [string, TextName])[] = [];
  if (quantity < 1) faults.push(["/quantity", "shop.ui.fault.whole"]);
  const lacksPrice = unitPrice === undefined && (at("price") !== "" || !isProduct);
  if (lacksPrice) faults.push(["/unitPrice", "shop.ui.fault.money"]);
  if (isProduct && unitPrice !== undefined && at("reason") === "")
    faults.push(["/reason", "admin.fault.missing"]);
  if (!isProduct && at("title") === "") faults.push(["/title", "admin.fault.missing"]);
  if (faults.length > 0) return { faults };
  const id = at("id") === "" ? {} : { id: at("id") };
  const price = unitPrice === undefined ? {} : { unitPrice };
  if (!isProduct) {
    const own = { title: at("title"), quantity, taxClass: at("taxClass"), isSent: row["isSent"] === true };
    return { item: { ...id, ...own, ...price } };
  }
  const variant = at("variantId") === "" ? {} : { variantId: at("variantId") };
  const reason = unitPrice === undefined ? {} : { reason: at("reason") };
  return { item: { ...id, productId: at("productId"), ...variant, quantity, ...price, ...reason } };
}

interface RowProps {
  readonly row: Row;
  readonly place: number;
  readonly currency: string;
  readonly errorAt: (pointer: string) => string | undefined;
  readonly onChange: (row: Row) => void;
  readonly onRemove: () => void;
}

/** What only items without a product have. */
function CustomFields({ row, errorAt, place, onChange }: RowProps): JSX.Element {
  const taxClass = memberText(row, "taxClass");
  return (
    <>
      <div class="field-row">
        <TextField
          label={text("shop.drafts.item.title")}
          error={errorAt(`/${place}/title`)}
          value={memberText(row, "title")}
          onInput={(title) => onChange({ ...row, title })}
        />
        <SelectField<string>
          label={text("shop.shipping.rate.taxClass")}
          value={taxClass}
          choices={[...new Set([...taxClasses, taxClass])].map((value) => ({
            value,
            label: findText(`shop.products.tax.${value}`) ?? value,
          }))}
          onChange={(next) => onChange({ ...row, taxClass: next })}
        />
      </div>
      <Checkbox
        label={text("shop.drafts.item.isSent")}
        checked={row["isSent"] === true}
        onChange={(isSent) => onChange({ ...row, isSent })}
      />
    </>
  );
}

function ItemRow(props: RowProps): JSX.Element {
  const { row, place, currency, errorAt, onChange, onRemove } = props;
  const isProduct = memberText(row, "productId") !== "";
  const typedTitle = memberText(row, "title");
  const name = typedTitle === "" ? text("shop.drafts.item.custom") : typedTitle;
  const hasPrice = memberText(row, "price").trim() !== "";
  return (
    <li class="stack-small">
      {isProduct ? <strong class="break">{name}</strong> : <CustomFields {...props} />}
      <div class="field-row">
        <TextField
          label={text("shop.order.items.quantity", { name })}
          error={errorAt(`/${place}/quantity`)}
          inputMode="numeric"
          value={memberText(row, "quantity")}
          onInput={(quantity) => onChange({ ...row, quantity })}
        />
        <MoneyField
          label={text("shop.order.items.price", { name })}
          error={errorAt(`/${place}/unitPrice`)}
          hint={isProduct ? text("shop.drafts.item.priceHint") : undefined}
          currency={currency}
          value={memberText(row, "price")}
          onInput={(price) => onChange({ ...row, price })}
        />
        {isProduct && hasPrice && (
          <TextField
            label={text("shop.order.items.reason")}
            error={errorAt(`/${place}/reason`)}
            value={memberText(row, "reason")}
            onInput={(reason) => onChange({ ...row, reason })}
          />
        )}
      </div>
      <Button small icon="trash" onClick={onRemove}>
        {text("shop.order.items.remove", { name })}
      </Button>
    </li>
  );
}

/** The items. */
export function itemsKind(): Kind<DraftContext> {
  return {
    blank: [],
    toTyped: (value, { context }) =>
      Array.isArray(value) ? value.map((item: Item) => toRow(item, context)) : [],
    read: (typed, { context }) => {
      const read = listRows(typed).map((row) => readRow(row, context.currency));
      const faults = read.flatMap((one, place) =>
        "faults" in one ? one.faults.map(([at, fault]) => [`/${place}${at}`, fault] as const) : [],
      );
      if (faults.length > 0) return { faults: new Map(faults) };
      return { value: read.flatMap((one) => ("item" in one ? [one.item] : [])) };
    },
    Field: ({ value, error, errorAt, onChange, context }) => {
      const rows = listRows(value);
      const custom: Item = { title: "", quantity: 1, taxClass: "standard", isSent: false };
      return (
        <div class="stack">
          {error !== undefined && <p class="field-error">{error}</p>}
          <ul class="plain-list stack">
            {rows.map((row, place) => (
              <ItemRow
                key={place}
                row={row}
                place={place}
                currency={context.currency}
                errorAt={errorAt}
                onChange={(next) => onChange(rows.with(place, next))}
                onRemove={() => onChange(rows.toSpliced(place, 1))}
              />
            ))}
          </ul>
          <AddProduct
            currency={context.currency}
            onAdd={({ productId, variantId, title }) => {
              const row = toRow(
                { productId, ...(variantId !== undefined && { variantId }), title, quantity: 1 },
                context,
              );
              onChange([...rows, row]);
            }}
          />
          <div class="button-row">
            <Button icon="plus" onClick={() => onChange([...rows, toRow(custom, context)])}>
              {text("shop.drafts.item.add")}
            </Button>
          </div>
        </div>
      );
    },
    say: (value, { context }) =>
      Array.isArray(value)
        ? value
            .map((item: Item) => `${item.quantity} × ${memberText(toRow(item, context), "title")}`)
            .join(", ")
        : "",
  };
}
