/** What buyers choose by, and the variants that come of it, each with its own price, SKU, weight and picture. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { countText, text } from "../../app/texts.ts";
import { Button, IconButton, Select, TextField } from "../../ui/controls.tsx";
import { WordsField } from "../../ui/console/field-kinds.tsx";
import { FieldGroup } from "../../ui/console/pieces.tsx";
import { ErrorNote } from "../../ui/console/problem.tsx";
import type { FormPart } from "../../ui/forms/bind.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import type { ProductView } from "./product-data.ts";
import { type ProductForm, toBlankVariant } from "./product-form.ts";
import {
  type OptionForm,
  type VariantForm,
  MAX_VARIANTS,
  countCombinations,
  followOptions,
} from "./variant-rows.ts";

const MAX_OPTIONS = 3;

function OptionRow(props: {
  option: OptionForm;
  onChange: (option: OptionForm) => void;
  onRemove: () => void;
}): JSX.Element {
  const { option, onChange, onRemove } = props;
  const [name, setName] = useState(option.name);
  useEffect(() => setName(option.name), [option.name]);
  const shown = name === "" ? text("shop.products.option.new") : name;
  // Rows follow a whole name alone: one that is half typed would take them with it.
  function commit(): void {
    const wanted = name.trim();
    if (wanted === "") setName(option.name);
    else if (wanted !== option.name) onChange({ ...option, name: wanted });
  }
  return (
    <li class="option-row">
      <div class="field" onFocusOut={commit}>
        <TextField
          label={text("shop.products.option.name")}
          placeholder={text("shop.products.option.name.example")}
          maxLength={60}
          value={name}
          onInput={setName}
        />
      </div>
      <WordsField
        label={text("shop.products.option.values", { name: shown })}
        placeholder={text("shop.products.option.values.example")}
        words={option.values}
        onChange={(values) => onChange({ name: name.trim(), values })}
      />
      <IconButton icon="trash" label={text("admin.remove.named", { name: shown })} onClick={onRemove} />
    </li>
  );
}

function nameRow({ options, sku }: VariantForm, at: number): string {
  const words = Object.values(options).join(", ");
  return words === "" ? sku || String(at + 1) : words;
}

interface RowProps {
  readonly row: VariantForm;
  readonly at: number;
  readonly product: ProductView;
  readonly part: FormPart<ProductForm>;
  readonly onChange: (change: Partial<VariantForm>) => void;
  readonly onRemove: () => void;
}

function Cell(
  props: RowProps & {
    name: "sku" | "price" | "compareAtPrice" | "weight" | "onHand";
    pointer: string;
    label: string;
  },
): JSX.Element {
  const { row, at, part, onChange, name, pointer, label } = props;
  return (
    <TextField
      label={label}
      inputMode={
        name === "sku" ? "text" : name === "price" || name === "compareAtPrice" ? "decimal" : "numeric"
      }
      value={row[name]}
      error={findError(part.errors, `/variants/${at}/${pointer}`)}
      onInput={(value) => onChange({ [name]: value })}
    />
  );
}

function PictureChoice({ row, at, product, onChange }: RowProps): JSX.Element | null {
  if (product.images.length === 0) return null;
  const name = nameRow(row, at);
  return (
    <div class="field">
      <span class="field-label">{text("shop.ui.picture")}</span>
      <Select<string>
        label={text("shop.products.variant.picture.of", { name })}
        value={row.imageHash}
        choices={[
          { value: "", label: text("shop.products.variant.picture.none") },
          ...product.images.map(({ hash, alt }, index) => ({
            value: hash,
            label: alt === "" ? text("shop.products.picture.number", { number: index + 1 }) : alt,
          })),
        ]}
        onChange={(imageHash) => onChange({ imageHash })}
      />
    </div>
  );
}

function VariantRow(props: RowProps): JSX.Element {
  const { row, at, product, part, onRemove } = props;
  const { deliveryType, isUnlimited } = part.form;
  const name = nameRow(row, at);
  const stored = product.variants.find(({ id }) => id === row.id);
  const hasUnits = !isUnlimited && deliveryType !== "auto_secret";
  return (
    <li class="goods-row">
      <div class="panel-head">
        <strong class="break">{name}</strong>
        <span class="button-row">
          {stored !== undefined && !isUnlimited && (
            <span class="field-hint">
              {text("shop.products.variant.units", { units: stored.stock.available ?? "∞" })}
            </span>
          )}
          <IconButton icon="trash" label={text("admin.remove.named", { name })} onClick={onRemove} />
        </span>
      </div>
      <div class="variant-cells" role="group" aria-label={name}>
        <Cell {...props} name="price" pointer="price" label={text("shop.products.field.price")} />
        <Cell
          {...props}
          name="compareAtPrice"
          pointer="compareAtPrice"
          label={text("shop.products.field.compareAtPrice")}
        />
        <Cell {...props} name="sku" pointer="sku" label={text("shop.products.field.sku")} />
        {row.id === undefined && hasUnits && (
          <Cell {...props} name="onHand" pointer="onHand" label={text("shop.ui.units")} />
        )}
        {deliveryType === "shipping" && (
          <Cell
            {...props}
            name="weight"
            pointer="weightGrams"
            label={text("shop.products.field.weightGrams")}
          />
        )}
        <PictureChoice {...props} />
      </div>
    </li>
  );
}

/** Sets one value in every row. */
function FillAll(props: { onFill: (change: Partial<VariantForm>) => void; hasUnits: boolean }): JSX.Element {
  const { onFill, hasUnits } = props;
  const [price, setPrice] = useState("");
  const [onHand, setOnHand] = useState("");
  return (
    <div class="add-line">
      <TextField
        label={text("shop.products.variant.all.price")}
        inputMode="decimal"
        value={price}
        onInput={setPrice}
      />
      {hasUnits && (
        <TextField
          label={text("shop.products.variant.all.units")}
          inputMode="numeric"
          value={onHand}
          onInput={setOnHand}
        />
      )}
      <Button
        disabled={price.trim() === "" && onHand.trim() === ""}
        onClick={() =>
          onFill({ ...(price.trim() === "" ? {} : { price }), ...(onHand.trim() === "" ? {} : { onHand }) })
        }
      >
        {text("shop.products.variant.all.fill")}
      </Button>
    </div>
  );
}

function OptionRows(props: {
  options: readonly OptionForm[];
  onChange: (options: readonly OptionForm[]) => void;
  onAdd: () => void;
}): JSX.Element {
  const { options, onChange, onAdd } = props;
  return (
    <>
      {options.length > 0 && (
        <ul class="plain-list stack-small">
          {options.map((option, at) => (
            <OptionRow
              // Their places are what they are known by: names change.
              key={at}
              option={option}
              onChange={(changed) => onChange(options.map((one, index) => (index === at ? changed : one)))}
              onRemove={() => onChange(options.filter((_, index) => index !== at))}
            />
          ))}
        </ul>
      )}
      {options.length < MAX_OPTIONS && (
        <div class="button-row">
          <Button icon="plus" onClick={onAdd}>
            {text("shop.products.option.add")}
          </Button>
        </div>
      )}
    </>
  );
}

/** Options and variants. */
export function VariantsField({
  part,
  product,
}: {
  part: FormPart<ProductForm>;
  product: ProductView;
}): JSX.Element {
  const { form, errors, onChange } = part;
  const { options, variants } = form;
  const [tooMany, setTooMany] = useState(0);
  function setOptions(after: readonly OptionForm[]): void {
    const count = countCombinations(after);
    setTooMany(count > MAX_VARIANTS ? count : 0);
    if (count > MAX_VARIANTS) return;
    const blank = toBlankVariant(form.price);
    onChange({ options: after, variants: followOptions(variants, { before: options, after, blank }) });
  }
  function changeRow(at: number, change: Partial<VariantForm>): void {
    onChange({ variants: variants.map((row, index) => (index === at ? { ...row, ...change } : row)) });
  }
  const error = errors.get("/variants");
  const isNew = variants.some(({ id }) => id === undefined);
  const hasUnits = isNew && !form.isUnlimited && form.deliveryType !== "auto_secret";
  return (
    <FieldGroup title={text("shop.products.field.variants")} hint={text("shop.products.field.variants.hint")}>
      <OptionRows
        options={options}
        onChange={setOptions}
        onAdd={() => onChange({ options: [...options, { name: "", values: [] }] })}
      />
      {tooMany > 0 && (
        <ErrorNote message={text("shop.products.variant.tooMany", { count: tooMany, most: MAX_VARIANTS })} />
      )}
      {error !== undefined && <ErrorNote message={error} />}
      {variants.length > 0 && (
        <p class="field-hint" role="status">
          {countText("shop.products.variant.count", variants.length)}
        </p>
      )}
      {variants.length > 1 && (
        <FillAll
          hasUnits={hasUnits}
          onFill={({ price, onHand }) =>
            onChange({
              variants: variants.map((row) => ({
                ...row,
                price: price ?? row.price,
                onHand: row.id === undefined ? (onHand ?? row.onHand) : row.onHand,
              })),
            })
          }
        />
      )}
      <ul class="plain-list stack-small">
        {variants.map((row, at) => (
          <VariantRow
            key={row.id ?? JSON.stringify(row.options)}
            row={row}
            at={at}
            product={product}
            part={part}
            onChange={(change) => changeRow(at, change)}
            onRemove={() => onChange({ variants: variants.filter((_, index) => index !== at) })}
          />
        ))}
      </ul>
    </FieldGroup>
  );
}
