/** What a buyer fills in when ordering, such as the name of an account or an engraving. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Button, Checkbox, SelectField, TextField } from "../../ui/controls.tsx";
import { WordsField } from "../../ui/console/field-kinds.tsx";
import { FieldGroup } from "../../ui/console/pieces.tsx";
import type { FormPart } from "../../ui/forms/bind.ts";
import { type FieldErrors, findError } from "../../ui/forms/field-errors.ts";
import { moveItem } from "../../ui/forms/moves.ts";
import { OrderButtons } from "../../ui/forms/order-buttons.tsx";
import type { InputForm, ProductForm } from "./product-form.ts";

const kinds = ["text", "email", "number", "select"] as const;
const MAX_INPUTS = 20;

/** A short name that no other field has; buyers never see it. */
function toInputKey(taken: readonly string[]): string {
  let number = taken.length + 1;
  while (taken.includes(`field${number}`)) number += 1;
  return `field${number}`;
}

function InputRow(props: {
  input: InputForm;
  at: number;
  count: number;
  errors: FieldErrors;
  onChange: (change: Partial<InputForm>) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}): JSX.Element {
  const { input, at, count, errors, onChange, onMove, onRemove } = props;
  const pointer = `/inputs/${at}`;
  const name = input.label === "" ? text("shop.products.input.new") : input.label;
  const error = (member: string): string | undefined => findError(errors, `${pointer}/${member}`);
  return (
    <li class="goods-row stack-small">
      <div class="panel-head">
        <strong class="break">{name}</strong>
        <span class="button-row">
          <OrderButtons name={name} at={at} count={count} onMove={onMove} onRemove={onRemove} />
        </span>
      </div>
      <div class="field-row">
        <TextField
          label={text("shop.products.input.label")}
          value={input.label}
          maxLength={120}
          error={error("label") ?? error("key")}
          onInput={(label) => onChange({ label })}
        />
        <SelectField
          label={text("admin.column.kind")}
          value={input.kind}
          choices={kinds.map((value) => ({ value, label: text(`shop.products.input.kind.${value}`) }))}
          onChange={(kind) => onChange({ kind })}
        />
        {input.kind === "text" && (
          <TextField
            label={text("shop.products.input.maxLength")}
            inputMode="numeric"
            value={input.maxLength}
            error={error("maxLength")}
            onInput={(maxLength) => onChange({ maxLength })}
          />
        )}
      </div>
      {input.kind === "select" && (
        <WordsField
          label={text("shop.products.input.options")}
          words={input.options}
          error={error("options")}
          onChange={(options) => onChange({ options })}
        />
      )}
      <Checkbox
        label={text("shop.products.input.required")}
        checked={input.required}
        onChange={(required) => onChange({ required })}
      />
    </li>
  );
}

/** The fields of the buyer, in their order. */
export function InputsField({ part }: { part: FormPart<ProductForm> }): JSX.Element {
  const { form, errors, onChange } = part;
  const { inputs } = form;
  function change(at: number, changed: Partial<InputForm>): void {
    onChange({ inputs: inputs.map((input, index) => (index === at ? { ...input, ...changed } : input)) });
  }
  function add(): void {
    const key = toInputKey(inputs.map((input) => input.key));
    const blank = { key, label: "", kind: "text", required: true, options: [], maxLength: "200" } as const;
    onChange({ inputs: [...inputs, blank] });
  }
  return (
    <FieldGroup title={text("shop.products.field.inputs")} hint={text("shop.products.field.inputs.hint")}>
      {inputs.length > 0 && (
        <ol class="plain-list stack-small">
          {inputs.map((input, at) => (
            <InputRow
              key={input.key}
              input={input}
              at={at}
              count={inputs.length}
              errors={errors}
              onChange={(changed) => change(at, changed)}
              onMove={(to) => onChange({ inputs: moveItem(inputs, { from: at, to }) })}
              onRemove={() => onChange({ inputs: inputs.filter((_, index) => index !== at) })}
            />
          ))}
        </ol>
      )}
      {inputs.length < MAX_INPUTS && (
        <div class="button-row">
          <Button icon="plus" onClick={add}>
            {text("shop.products.input.add")}
          </Button>
        </div>
      )}
    </FieldGroup>
  );
}
