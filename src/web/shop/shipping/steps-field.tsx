/** Prices by weight or by the value of the goods, a row a step. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Button, IconButton } from "../../ui/controls.tsx";
import type { FormPart } from "../../ui/forms/bind.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { MoneyField } from "../ui/money-field.tsx";
import type { MethodForm, StepForm } from "./method-form.ts";

/** The rows, and a button for another one. */
export function StepsField(props: FormPart<MethodForm> & { currency: string }): JSX.Element {
  const { form, errors, onChange, currency } = props;
  const { by, steps } = form;
  const unit = by === "weight" ? "kg" : currency;
  const change = (index: number, step: Partial<StepForm>): void =>
    onChange({ steps: steps.map((one, at) => (at === index ? { ...one, ...step } : one)) });
  return (
    <div class="stack-small">
      <ol class="plain-list stack-small">
        {steps.map((step, index) => (
          <li class="step-row" key={index}>
            <MoneyField
              label={text(by === "weight" ? "shop.shipping.step.weight" : "shop.shipping.step.value")}
              value={step.from}
              currency={unit}
              error={findError(errors, `/steps/${index}/from`)}
              onInput={(from) => change(index, { from })}
            />
            <MoneyField
              label={text("shop.shipping.step.price")}
              value={step.price}
              currency={currency}
              error={findError(errors, `/steps/${index}/price`)}
              onInput={(price) => change(index, { price })}
            />
            <IconButton
              icon="trash"
              label={text("shop.shipping.step.remove", { number: index + 1 })}
              disabled={steps.length === 1}
              onClick={() => onChange({ steps: steps.filter((_one, at) => at !== index) })}
            />
          </li>
        ))}
      </ol>
      <div class="button-row">
        <Button
          small
          icon="plus"
          disabled={steps.length >= 50}
          onClick={() => onChange({ steps: [...steps, { from: "", price: "" }] })}
        >
          {text("shop.shipping.step.add")}
        </Button>
      </div>
    </div>
  );
}
