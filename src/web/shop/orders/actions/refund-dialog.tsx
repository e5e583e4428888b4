/** Money is given back: all of it, some, or that of single lines, which may go back to the shelf as well. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text, withHint } from "../../../app/texts.ts";
import { Checkbox, Segments, SelectField, TextField } from "../../../ui/controls.tsx";
import { DoneDialog } from "../../../ui/console/form-dialog.tsx";
import { ErrorNote } from "../../../ui/console/problem.tsx";
import { toMessage } from "../../../ui/forms/fault-words.ts";
import { Icon } from "../../../ui/icons.tsx";
import { nameLine, toUnitsPaid } from "../../ui/orders/line-name.ts";
import { MoneyField } from "../../ui/money-field.tsx";
import { readMoney, showMoney, typeMoney } from "../../ui/money.ts";
import { MoveForm, NoteField, useMove } from "../../ui/move-form.tsx";
import { type LineView, type OrderPart, type OrderView, sendMove } from "../../ui/orders/order-data.ts";

type Kind = "whole" | "lines" | "amount";
type Through = "auto" | "record";

interface Refunded extends OrderView {
  readonly refund: {
    readonly status: "moved" | "pending" | "unclear" | "failed" | "recorded";
    readonly amount: number;
    readonly currency: string;
    readonly said: string;
  };
}

interface RefundForm {
  readonly kind: Kind;
  readonly amount: string;
  /** Units of each line whose money goes back. */
  readonly units: Readonly<Record<string, number>>;
  readonly withShipping: boolean;
  readonly restock: boolean;
  readonly cancel: boolean;
  readonly through: Through;
  readonly reference: string;
  readonly note: string;
}

/** What is given back for what is chosen; never more than there is. */
function suggest(order: OrderView, { kind, units, withShipping }: RefundForm): number {
  if (kind === "whole") return order.amountPaid;
  const taxOnTop = order.pricesIncludeTax === false;
  const sum = order.lines.reduce(
    (all, line) => all + toUnitsPaid(line, { units: units[line.id] ?? 0, taxOnTop }),
    withShipping ? order.shipping : 0,
  );
  return Math.min(sum, order.amountPaid);
}

/** Units that go back to the shelf with the money. */
function toRestocked(order: OrderView, { kind, units, restock }: RefundForm) {
  if (!restock || kind === "amount") return [];
  return order.lines.flatMap(({ id: lineId, returnable }) => {
    const quantity = kind === "whole" ? returnable : Math.min(returnable, units[lineId] ?? 0);
    return quantity === 0 ? [] : [{ lineId, quantity }];
  });
}

function UnitsField(props: {
  line: LineView;
  units: number;
  onChange: (units: number) => void;
}): JSX.Element {
  const { line, units, onChange } = props;
  return (
    <li class="units-row">
      <TextField
        label={text("shop.order.refund.units", { name: nameLine(line), count: line.quantity })}
        inputMode="numeric"
        maxLength={5}
        value={String(units)}
        onInput={(typed) => {
          const count = Number(typed.replaceAll(/\D/gu, ""));
          onChange(Math.min(line.quantity, count));
        }}
      />
    </li>
  );
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

type Change = (change: Partial<RefundForm>) => void;

function ThroughFields({
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
          maxLength={120}
          value={form.reference}
          onInput={(reference) => onChange({ reference })}
        />
      )}
    </>
  );
}

function LineFields({ order, form, onChange }: { order: OrderView; form: RefundForm; onChange: Change }) {
  return (
    <fieldset class="plain-fieldset">
      <legend>{text("shop.order.refund.lines")}</legend>
      <ul class="plain-list stack-small">
        {order.lines.map((line) => (
          <UnitsField
            line={line}
            key={line.id}
            units={form.units[line.id] ?? 0}
            onChange={(units) => onChange({ units: { ...form.units, [line.id]: units } })}
          />
        ))}
      </ul>
      {order.shipping > 0 && (
        <Checkbox
          label={text("shop.order.refund.shipping", { amount: showMoney(order.shipping, order.currency) })}
          checked={form.withShipping}
          onChange={(withShipping) => onChange({ withShipping })}
        />
      )}
    </fieldset>
  );
}

/** What goes with the money: the goods, and the order. */
function AlsoFields({ order, form, onChange }: { order: OrderView; form: RefundForm; onChange: Change }) {
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

/** What follows the money; what of it failed, in words. */
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

/** What stands there at first; `amount` is what a withdrawal comes to. */
function toFirst({ amountPaid, currency, lines }: OrderView, amount: number | undefined): RefundForm {
  return {
    ...{ kind: amount === undefined ? "whole" : "amount", units: {}, withShipping: false },
    amount: typeMoney(amount ?? amountPaid, currency),
    // What the buyer has comes back later, if at all.
    restock: lines.some(({ returnable, deliveredAt }) => returnable > 0 && deliveredAt === undefined),
    ...{ cancel: false, through: "auto", reference: "", note: "" },
  };
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
    // What is chosen says how much; what is typed afterwards counts.
    const isChosen =
      changed.kind !== undefined || changed.units !== undefined || changed.withShipping !== undefined;
    const asked =
      isChosen && next.kind !== "amount" ? typeMoney(suggest(order, next), currency) : next.amount;
    setForm({ ...next, amount: asked });
  };
  async function send(amount: number): Promise<void> {
    const { through, note, reference } = form;
    const named = through === "record" && reference.trim() !== "" ? { reference: reference.trim() } : {};
    const way = through === "record" ? { through: "record" } : {};
    const done = await sendMove<Refunded>(order, "refund", { amount, note: note.trim(), ...named, ...way });
    const problem = await follow(done, order, form);
    setResult({ done, problem });
    await onChange();
  }
  function submit(): void {
    const amount = readMoney(form.amount, currency);
    if (amount === undefined || amount === 0 || amount > amountPaid)
      task.refuse(
        new Map([["/amount", text("shop.order.refund.fault", { most: showMoney(amountPaid, currency) })]]),
      );
    else void task.run(() => send(amount));
  }
  if (result !== undefined) return <Result {...result} onClose={onClose} />;
  return (
    <MoveForm
      title={text("shop.order.refund.title", { number: order.number })}
      action={text("shop.order.refund")}
      task={task}
      pointers={["/amount", "/reference", "/note"]}
      danger
      wide
      onClose={onClose}
      onSubmit={submit}
    >
      <Segments<Kind>
        label={text("shop.order.refund.what")}
        value={form.kind}
        choices={(["whole", "lines", "amount"] as const).map((value) => ({
          value,
          label: text(`shop.order.refund.what.${value}`),
        }))}
        onChange={(kind) => change({ kind })}
      />
      {form.kind === "lines" && <LineFields order={order} form={form} onChange={change} />}
      <MoneyField
        label={text("shop.order.refund.amount")}
        hint={text("shop.order.refund.most", { most: showMoney(amountPaid, currency) })}
        error={task.errors.get("/amount")}
        value={form.amount}
        currency={currency}
        onInput={(amount) => change({ amount })}
      />
      <AlsoFields order={order} form={form} onChange={change} />
      <ThroughFields form={form} error={task.errors.get("/reference")} onChange={change} />
      <NoteField value={form.note} task={task} onInput={(note) => change({ note })} />
    </MoveForm>
  );
}
