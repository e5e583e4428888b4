/** Money is given back: all of it, some, or that of single lines, which may go back to the shelf as well. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../../app/texts.ts";
import { Segments } from "../../../ui/controls.tsx";
import { FormDialog, DoneDialog } from "../../../ui/console/form-dialog.tsx";
import { ErrorNote } from "../../../ui/console/problem.tsx";
import { toMessage } from "../../../ui/forms/fault-words.ts";
import { Icon } from "../../../ui/icons.tsx";
import { showMoney, typeMoney } from "../../ui/money.ts";
import { NoteField, useMove } from "../../ui/moves.tsx";
import { type OrderPart, type OrderView, sendMove } from "../../ui/orders/order-data.ts";
import { type Change, AlsoFields, AmountField, LineFields, ThroughFields } from "./refund-fields.tsx";
import { type RefundForm, readChosen, toFirst, toRestocked } from "./refund-form.ts";

interface Refunded extends OrderView {
  readonly refund: {
    readonly status: "moved" | "pending" | "unclear" | "failed" | "recorded";
    readonly amount: number;
    readonly currency: string;
    readonly said: string;
  };
}

function Result({
  done,
  problem,
  onClose,
}: {
  done: Refunded;
  problem: string | undefined;
  onClose: () => void;
}) {
  const { status, amount, currency, said } = done.refund;
  const isMoved = status === "moved";
  return (
    <DoneDialog title={text(`shop.order.refund.result.${status}`)} onClose={onClose}>
      <div class="stack">
        <div class={`admin-note ${isMoved ? "is-good" : "is-warn"}`}>
          <Icon name={isMoved ? "check" : "alert"} />
          <span>
            {text(`shop.order.refund.result.${status}.text`, { amount: showMoney(amount, currency) })}
          </span>
        </div>
        {status === "unclear" && <p class="field-hint">{said}</p>}
        {problem !== undefined && <ErrorNote message={problem} />}
      </div>
    </DoneDialog>
  );
}

/** Runs the steps after a refund; returns the failures as text. */
async function follow(done: Refunded, order: OrderView, form: RefundForm): Promise<string | undefined> {
  const lines = toRestocked(order, form);
  let present: OrderView = done;
  try {
    if (lines.length > 0) present = await sendMove(present, "restock", { lines, note: form.note.trim() });
  } catch (error) {
    return text("shop.order.refund.restockFailed", { why: toMessage(error) });
  }
  try {
    if (form.cancel && form.kind === "whole") await sendMove(present, "cancel", { note: form.note.trim() });
  } catch (error) {
    return text("shop.order.refund.cancelFailed", { why: toMessage(error) });
  }
  return undefined;
}

/** The dialog. */
export function RefundDialog(
  props: OrderPart & { amount?: number | undefined; onClose: () => void },
): JSX.Element {
  const { order, onChange, onClose } = props;
  const { currency, amountPaid } = order;
  const [form, setForm] = useState(() => toFirst(order, props.amount));
  const [result, setResult] = useState<{ done: Refunded; problem: string | undefined } | undefined>();
  const task = useMove(onChange);
  const change: Change = (changed) => {
    const next = { ...form, ...changed };
    setForm(changed.kind === "whole" ? { ...next, amount: typeMoney(amountPaid, currency) } : next);
  };
  async function send(what: object): Promise<void> {
    const { through, note, reference } = form;
    const named = through === "record" && reference.trim() !== "" ? { reference: reference.trim() } : {};
    const way = through === "record" ? { through: "record" } : {};
    const done = await sendMove<Refunded>(order, "refund", { ...what, note: note.trim(), ...named, ...way });
    const problem = await follow(done, order, form);
    setResult({ done, problem });
    await onChange();
  }
  function submit(): void {
    const chosen = readChosen(order, form);
    if (chosen instanceof Map) task.refuse(chosen);
    else void task.run(() => send(chosen));
  }
  if (result !== undefined) return <Result {...result} onClose={onClose} />;
  return (
    <FormDialog
      title={text("shop.order.refund.title", { number: order.number })}
      action={text("shop.order.refund")}
      task={task}
      pointers={["/amount", "/reference", "/note", ...order.lines.map(({ id }) => `/lines/${id}`)]}
      danger
      wide
      onClose={onClose}
      onSubmit={submit}
    >
      <Segments<RefundForm["kind"]>
        label={text("shop.order.refund.what")}
        value={form.kind}
        choices={(["whole", "lines", "amount"] as const).map((value) => ({
          value,
          label: text(`shop.order.refund.what.${value}`),
        }))}
        onChange={(kind) => change({ kind })}
      />
      {form.kind === "lines" ? (
        <LineFields order={order} form={form} errors={task.errors} onChange={change} />
      ) : (
        <AmountField order={order} form={form} error={task.errors.get("/amount")} onChange={change} />
      )}
      <AlsoFields order={order} form={form} onChange={change} />
      <ThroughFields form={form} error={task.errors.get("/reference")} onChange={change} />
      <NoteField value={form.note} task={task} onInput={(note) => change({ note })} />
    </FormDialog>
  );
}
