/** Options that buyers choose by, and a row for each variant. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { MAX_OPTION_NAME, MAX_OPTIONS } from "../../../shop/products/change-schema.ts";
import { countText, findText, text } from "../../app/texts.ts";
import { Button, IconButton, Select, TextField } from "../../ui/controls.tsx";
import { WordsField } from "../../ui/console/field-kinds.tsx";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { type Form, type Shown, isTypedList, toText } from "../../ui/resource/kind.ts";
import type { ProductContext } from "./product-context.ts";
import {
  type CellName,
  type OptionForm,
  type TypedVariants,
  type VariantForm,
  type VariantKinds,
  blankRow,
  countCombinations,
  followOptions,
  fromTyped,
  nameRow,
  toTypedValue,
} from "./variant-rows.ts";

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
          maxLength={MAX_OPTION_NAME}
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

/** Whether new variants begin with units. */
function hasUnits({ stockMode, deliveryType }: Form): boolean {
  return stockMode !== true && deliveryType !== "auto_secret";
}

interface RowProps {
  readonly shown: Shown<ProductContext>;
  readonly kinds: VariantKinds;
  readonly row: VariantForm;
  readonly at: number;
  readonly onChange: (change: Partial<VariantForm>) => void;
  readonly onRemove: () => void;
}

function Cell({ shown, kinds, row, at, name, onChange }: RowProps & { name: CellName }): JSX.Element {
  const { Field } = kinds[name];
  const words = `${shown.words}.${name}`;
  return (
    <Field
      {...shown}
      name={name}
      words={words}
      label={findText(words) ?? name}
      hint={undefined}
      value={row[name]}
      error={shown.errorAt(`/${at}/${name}`)}
      errorAt={(pointer) => shown.errorAt(`/${at}/${name}${pointer}`)}
      onChange={(value) => onChange({ [name]: toText(value) })}
    />
  );
}

function Tiers({ shown, kinds, row, at, onChange }: RowProps): JSX.Element {
  const { Field } = kinds.tierPrices;
  const words = `${shown.words}.tierPrices`;
  return (
    <Field
      {...shown}
      name="tierPrices"
      words={words}
      label={findText(words) ?? ""}
      hint={undefined}
      value={row.tierPrices}
      error={shown.errorAt(`/${at}/tierPrices`)}
      errorAt={(pointer) => shown.errorAt(`/${at}/tierPrices${pointer}`)}
      onChange={(value) => onChange({ tierPrices: isTypedList(value) ? value : [] })}
    />
  );
}

function PictureChoice({ shown, row, at, onChange }: RowProps): JSX.Element | null {
  const images = shown.context.product?.images ?? [];
  if (images.length === 0) return null;
  const name = nameRow(row, at);
  return (
    <div class="field">
      <span class="field-label">{text("shop.ui.picture")}</span>
      <Select<string>
        label={text("shop.products.variant.picture.of", { name })}
        value={row.imageHash}
        choices={[
          { value: "", label: text("shop.products.variant.picture.none") },
          ...images.map(({ hash, alt }, index) => ({
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
  const { shown, row, at, onRemove } = props;
  const { form, context } = shown;
  const name = nameRow(row, at);
  const stored = context.product?.variants.find(({ id }) => id === row.id);
  const isUnlimited = form["stockMode"] === true;
  return (
    <li class="list-row">
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
        <Cell {...props} name="price" />
        <Cell {...props} name="compareAtPrice" />
        <Cell {...props} name="sku" />
        {row.id === undefined && hasUnits(form) && <Cell {...props} name="onHand" />}
        {form["deliveryType"] === "shipping" && <Cell {...props} name="weightGrams" />}
        <PictureChoice {...props} />
      </div>
      <Tiers {...props} />
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

interface VariantsProps {
  readonly shown: Shown<ProductContext>;
  readonly kinds: VariantKinds;
  /** Variants at most. */
  readonly most: number;
}

/** The field. */
export function VariantsField({ shown, kinds, most }: VariantsProps): JSX.Element {
  const { form, error, value, onChange } = shown;
  const { options, rows } = fromTyped(value);
  const [tooMany, setTooMany] = useState(0);
  const set = (next: TypedVariants): void => onChange(toTypedValue(next));
  function setOptions(after: readonly OptionForm[]): void {
    const count = countCombinations(after);
    setTooMany(count > most ? count : 0);
    if (count > most) return;
    const blank = { ...blankRow, price: toText(form["price"]) };
    set({ options: after, rows: followOptions(rows, { before: options, after, blank }) });
  }
  const setRow = (at: number, change: Partial<VariantForm>): void =>
    set({ options, rows: rows.map((row, index) => (index === at ? { ...row, ...change } : row)) });
  const isNew = rows.some(({ id }) => id === undefined);
  return (
    <>
      <OptionRows
        options={options}
        onChange={setOptions}
        onAdd={() => set({ options: [...options, { name: "", values: [] }], rows })}
      />
      {tooMany > 0 && <ErrorNote message={text("shop.products.variant.tooMany", { count: tooMany, most })} />}
      {error !== undefined && <ErrorNote message={error} />}
      {rows.length > 0 && (
        <p class="field-hint" role="status">
          {countText("shop.products.variant.count", rows.length)}
        </p>
      )}
      {rows.length > 1 && (
        <FillAll
          hasUnits={isNew && hasUnits(form)}
          onFill={({ price, onHand }) =>
            set({
              options,
              rows: rows.map((row) => ({
                ...row,
                price: price ?? row.price,
                onHand: row.id === undefined ? (onHand ?? row.onHand) : row.onHand,
              })),
            })
          }
        />
      )}
      <ul class="plain-list stack-small">
        {rows.map((row, at) => (
          <VariantRow
            key={row.id ?? JSON.stringify(row.options)}
            shown={shown}
            kinds={kinds}
            row={row}
            at={at}
            onChange={(change) => setRow(at, change)}
            onRemove={() => set({ options, rows: rows.filter((_, index) => index !== at) })}
          />
        ))}
      </ul>
    </>
  );
}
