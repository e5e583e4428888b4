/** A payment that came in another way is written down. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text, withHint } from "../../../app/texts.ts";
import { TextField } from "../../../ui/controls.tsx";
import { showToast } from "../../../ui/controls-toast.tsx";
import { MoneyField } from "../../ui/money-field.tsx";
import { readMoney, showMoney, typeMoney } from "../../ui/money.ts";
import { MoveForm, NoteField, useMove } from "../../ui/move-form.tsx";
import { type OrderPart, sendMove } from "../../ui/orders/order-data.ts";

/** The dialog. */
export function PaidDialog({ order, onChange, onClose }: OrderPart & { onClose: () => void }): JSX.Element {
  const { currency, amountDue } = order;
  const [amount, setAmount] = useState(() => typeMoney(amountDue, currency));
  const [reference, setReference] = useState("");
  const [note, setNote] = useState("");
  const task = useMove(onChange);
  async function send(minor: number): Promise<void> {
    const named = reference.trim();
    const body = { amount: minor, note: note.trim(), ...(named === "" ? {} : { reference: named }) };
    await sendMove(order, "mark-paid", body);
    showToast(text("shop.order.paid.done"));
    await onChange();
    onClose();
  }
  function submit(): void {
    const minor = readMoney(amount, currency);
    if (minor === undefined || minor === 0) task.refuse(new Map([["/amount", text("shop.ui.amountFault")]]));
    else void task.run(() => send(minor));
  }
  return (
    <MoveForm
      title={text("shop.order.paid.title", { number: order.number })}
      action={text("shop.order.paid")}
      task={task}
      pointers={["/amount", "/reference", "/note"]}
      onClose={onClose}
      onSubmit={submit}
    >
      <p>{text("shop.order.paid.text", { due: showMoney(amountDue, currency) })}</p>
      <MoneyField
        label={text("shop.order.paid.amount")}
        error={task.errors.get("/amount")}
        value={amount}
        currency={currency}
        onInput={setAmount}
      />
      <TextField
        {...withHint("shop.order.reference")}
        error={task.errors.get("/reference")}
        maxLength={120}
        value={reference}
        onInput={setReference}
      />
      <NoteField value={note} task={task} onInput={setNote} />
    </MoveForm>
  );
}
