/** What an administrator does about goods that were sold: another key, units back to the shelf, a withdrawal. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { keyReplacementSchema } from "../../../../shop/fulfilment/schema.ts";
import { statementSchema } from "../../../../shop/withdrawals/schema.ts";
import { text } from "../../../app/texts.ts";
import { Checkbox, TextField } from "../../../ui/controls.tsx";
import { showToast } from "../../../ui/controls-toast.tsx";
import { adminRequest } from "../../../ui/console/session.ts";
import { toDateText } from "../../../ui/forms/local-time.ts";
import { nameLine } from "../../ui/orders/line-name.ts";
import { toFields } from "../../../ui/resource/field-source.ts";
import { makeForm } from "../../../ui/resource/form.ts";
import { MoveFields } from "../../ui/move-fields.tsx";
import { NoteField, useMove } from "../../ui/moves.tsx";
import { type LineView, type OrderPart, sendMove } from "../../ui/orders/order-data.ts";
import { FormDialog } from "../../../ui/console/form-dialog.tsx";

interface DialogProps extends OrderPart {
  readonly onClose: () => void;
}

/** One licence key of a line. */
export interface KeyPlace {
  readonly line: LineView;
  readonly index: number;
}

const keyForm = makeForm({
  schema: keyReplacementSchema,
  words: "shop.order",
  fields: {
    mail: { label: "shop.order.mailBuyer" },
    note: { label: ({ mail }) => (mail === true ? "shop.order.noteForBuyer" : "shop.order.noteForUs") },
    lineId: false,
    index: false,
    version: false,
  },
  panels: [{ fields: ["mail", "note"] }],
});

/** Another key in place of one that does not work. */
export function KeyDialog(props: DialogProps & { place: KeyPlace }): JSX.Element {
  const { order, onChange, onClose, place } = props;
  const { line, index } = place;
  return (
    <MoveFields
      title={text("shop.order.key.title")}
      action={text("shop.order.key")}
      form={keyForm}
      context={undefined}
      done={text("shop.order.key.done")}
      send={(fields) => sendMove(order, "replace-key", { ...fields, lineId: line.id, index })}
      onChange={onChange}
      onClose={onClose}
    >
      <p>{text("shop.order.key.text")}</p>
      <p>
        {nameLine(line)}: <code>{line.delivered?.[index]}</code>
      </p>
    </MoveFields>
  );
}

/** The number of units that was typed, within what there is. */
function readUnits(typed: string, most: number): number {
  return Math.min(most, Number(typed.replaceAll(/\D/gu, "")));
}

/** Units of lines, none of each at first. */
function UnitsFields(props: {
  lines: readonly LineView[];
  toMost: (line: LineView) => number;
  units: Readonly<Record<string, number>>;
  onChange: (units: Readonly<Record<string, number>>) => void;
}): JSX.Element {
  const { lines, toMost, units, onChange } = props;
  return (
    <>
      {lines.map((line) => (
        <TextField
          key={line.id}
          label={text("shop.order.refund.units", { name: nameLine(line), count: toMost(line) })}
          inputMode="numeric"
          value={String(units[line.id] ?? 0)}
          onInput={(typed) => onChange({ ...units, [line.id]: readUnits(typed, toMost(line)) })}
        />
      ))}
    </>
  );
}

function toChosen(units: Readonly<Record<string, number>>) {
  return Object.entries(units).flatMap(([lineId, quantity]) =>
    quantity === 0 ? [] : [{ lineId, quantity }],
  );
}

/** Units go back to the shelf. */
export function RestockDialog({ order, onChange, onClose }: DialogProps): JSX.Element {
  const lines = order.lines.filter(({ returnable }) => returnable > 0);
  const [units, setUnits] = useState<Readonly<Record<string, number>>>({});
  const [note, setNote] = useState("");
  const task = useMove(onChange);
  async function send(): Promise<void> {
    await sendMove(order, "restock", { lines: toChosen(units), note: note.trim() });
    showToast(text("shop.order.restock.done"));
    await onChange();
    onClose();
  }
  return (
    <FormDialog
      title={text("shop.order.restock.title", { number: order.number })}
      action={text("shop.order.restock")}
      task={task}
      pointers={["/note"]}
      onClose={onClose}
      onSubmit={() => {
        if (toChosen(units).length === 0) task.refuse(new Map([["", text("shop.order.units.none")]]));
        else void task.run(send);
      }}
    >
      <p>{text("shop.order.restock.text")}</p>
      <UnitsFields lines={lines} toMost={(line) => line.returnable} units={units} onChange={setUnits} />
      <NoteField value={note} task={task} onInput={setNote} />
    </FormDialog>
  );
}

/** A withdrawal that came by letter, telephone or mail. */
export function WithdrawalDialog({ order, onChange, onClose }: DialogProps): JSX.Element {
  const [units, setUnits] = useState<Readonly<Record<string, number>>>({});
  const [isWhole, setWhole] = useState(true);
  const [what, setWhat] = useState("");
  const [day, setDay] = useState(() => toDateText(Date.now()));
  const task = useMove(onChange);
  async function send(): Promise<void> {
    const isToday = day === toDateText(Date.now());
    const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
    // A letter of the order's own day came after the order.
    const noon = Math.max(new Date(year, month - 1, date, 12).getTime(), Date.parse(order.createdAt));
    const receivedAt = isToday ? {} : { receivedAt: new Date(noon).toISOString() };
    const lines = isWhole ? [] : toChosen(units);
    const body = { orderId: order.id, what: what.trim(), lines, ...receivedAt };
    await adminRequest("/api/admin/withdrawals", { method: "POST", body });
    showToast(text("shop.order.withdraw.done"));
    await onChange();
    onClose();
  }
  return (
    <FormDialog
      title={text("shop.order.withdraw.title", { number: order.number })}
      action={text("shop.order.withdraw")}
      task={task}
      pointers={["/what", "/receivedAt"]}
      onClose={onClose}
      onSubmit={() => {
        if (!isWhole && toChosen(units).length === 0)
          task.refuse(new Map([["", text("shop.order.units.none")]]));
        else void task.run(send);
      }}
    >
      <p>{text("shop.order.withdraw.text", { email: order.contact.email })}</p>
      <TextField
        label={text("shop.order.withdraw.day")}
        type="date"
        error={task.errors.get("/receivedAt")}
        value={day}
        onInput={setDay}
      />
      <Checkbox label={text("shop.order.withdraw.whole")} checked={isWhole} onChange={setWhole} />
      {!isWhole && (
        <UnitsFields lines={order.lines} toMost={(line) => line.quantity} units={units} onChange={setUnits} />
      )}
      <TextField
        label={text("shop.order.withdraw.what")}
        long
        maxLength={toFields(statementSchema)["what"]?.max}
        error={task.errors.get("/what")}
        value={what}
        onInput={setWhat}
      />
    </FormDialog>
  );
}
