/** Fields of a refund: what is refunded, how, and what goes with it. */
import type { JSX } from "preact";
import { markPaidSchema } from "../../../../shop/fulfilment/schema.ts";
import { text, withHint } from "../../../app/texts.ts";
import { Checkbox, SelectField, TextField } from "../../../ui/controls.tsx";
import { toFields } from "../../../ui/resource/field-source.ts";
import { nameLine } from "../../ui/orders/line-name.ts";
import { MoneyField } from "../../ui/money-field.tsx";
import { showMoney, typeMoney } from "../../ui/money.ts";
import type { LineView, OrderView } from "../../ui/orders/order-data.ts";
import { type RefundForm, type Through, suggest, sumLines } from "./refund-form.ts";

export type Change = (change: Partial<RefundForm>) => void;

function UnitsField(props: {
  line: LineView;
  order: OrderView;
  form: RefundForm;
  error: string | undefined;
  onChange: Change;
}): JSX.Element {
  const { line, order, form, error, onChange } = props;
  const { id } = line;
  const set = (units: number, amount: string): void =>
    onChange({ units: { ...form.units, [id]: units }, amounts: { ...form.amounts, [id]: amount } });
  return (
    <li class="units-row">
      <TextField
        label={text("shop.order.refund.units", { name: nameLine(line), count: line.quantity })}
        inputMode="numeric"
        value={String(form.units[id] ?? 0)}
        onInput={(typed) => {
          const count = Math.min(line.quantity, Number(typed.replaceAll(/\D/gu, "")));
          const amount = suggest(order, line, count);
          set(count, amount === 0 ? "" : typeMoney(amount, order.currency));
        }}
      />
      <MoneyField
        label={text("shop.order.refund.lineAmount", { name: nameLine(line) })}
        hint={text("shop.order.refund.most", { most: showMoney(line.refundable, order.currency) })}
        error={error}
        value={form.amounts[id] ?? ""}
        currency={order.currency}
        onInput={(amount) => set(form.units[id] ?? 0, amount)}
      />
    </li>
  );
}

/** The amount, where it is not that of lines. */
export function AmountField(props: {
  order: OrderView;
  form: RefundForm;
  error: string | undefined;
  onChange: Change;
}): JSX.Element {
  const { order, form, error, onChange } = props;
  const { currency, amountPaid } = order;
  return (
    <>
      <MoneyField
        label={text("shop.order.refund.amount")}
        hint={text("shop.order.refund.most", { most: showMoney(amountPaid, currency) })}
        error={error}
        value={form.amount}
        currency={currency}
        onInput={(amount) => onChange({ amount })}
      />
      {form.kind === "amount" && <p class="field-hint">{text("shop.order.refund.spread")}</p>}
    </>
  );
}

/** How the money goes back. */
export function ThroughFields({
  form,
  error,
  onChange,
}: {
  form: RefundForm;
  error?: string | undefined;
  onChange: Change;
}) {
  return (
    <>
      <SelectField<Through>
        label={text("shop.order.refund.through")}
        hint={text(`shop.order.refund.through.${form.through}.hint`)}
        value={form.through}
        choices={[
          { value: "auto", label: text("shop.order.refund.through.auto") },
          { value: "record", label: text("shop.order.refund.through.record") },
        ]}
        onChange={(through) => onChange({ through })}
      />
      {form.through === "record" && (
        <TextField
          {...withHint("shop.order.reference")}
          error={error}
          maxLength={toFields(markPaidSchema)["reference"]?.max}
          value={form.reference}
          onInput={(reference) => onChange({ reference })}
        />
      )}
    </>
  );
}

/** Units and amounts of each line, and the shipping. */
export function LineFields({
  order,
  form,
  errors,
  onChange,
}: {
  order: OrderView;
  form: RefundForm;
  errors: ReadonlyMap<string, string>;
  onChange: Change;
}) {
  return (
    <fieldset class="plain-fieldset">
      <legend>{text("shop.order.refund.lines")}</legend>
      <ul class="plain-list stack-small">
        {order.lines.map((line) => (
          <UnitsField
            line={line}
            key={line.id}
            order={order}
            form={form}
            error={errors.get(`/lines/${line.id}`)}
            onChange={onChange}
          />
        ))}
      </ul>
      {order.refundableShipping > 0 && (
        <Checkbox
          label={text("shop.order.refund.shipping", {
            amount: showMoney(order.refundableShipping, order.currency),
          })}
          checked={form.withShipping}
          onChange={(withShipping) => onChange({ withShipping })}
        />
      )}
      <p role="status">
        {text("shop.order.refund.sum", { amount: showMoney(sumLines(order, form), order.currency) })}
      </p>
    </fieldset>
  );
}

/** Options beside the amount: restock the goods, cancel the order. */
export function AlsoFields({
  order,
  form,
  onChange,
}: {
  order: OrderView;
  form: RefundForm;
  onChange: Change;
}) {
  const canRestock = form.kind !== "amount" && order.lines.some(({ returnable }) => returnable > 0);
  const canCancel = form.kind === "whole" && ["pending_payment", "paid", "fulfilling"].includes(order.status);
  return (
    <>
      {canRestock && (
        <Checkbox
          label={text("shop.order.refund.restock")}
          checked={form.restock}
          onChange={(restock) => onChange({ restock })}
        />
      )}
      {canCancel && (
        <Checkbox
          label={text("shop.order.refund.cancel")}
          checked={form.cancel}
          onChange={(cancel) => onChange({ cancel })}
        />
      )}
    </>
  );
}
