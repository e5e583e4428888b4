/** Units that came, went or were counted, with the reason, which the audit keeps. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { toNumber } from "../../app/format.ts";
import { text, withHint } from "../../app/texts.ts";
import { Segments, TextField } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { SuggestField } from "../../ui/console/field-kinds.tsx";
import { FormDialog } from "../../ui/console/form-dialog.tsx";
import { useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { parseWhole } from "../../ui/forms/parsed.ts";
import { toProductPath } from "../products/product-data.ts";
import { type StockRow, nameRow } from "./stock-data.ts";

const MAX_STOCK = 1_000_000_000;
const ways = ["add", "take", "set"] as const;
type Way = (typeof ways)[number];
const reasons = ["delivery", "count", "return", "damage"] as const;

function toChange(way: Way, units: number): { onHand: number } | { change: number } {
  if (way === "set") return { onHand: units };
  return { change: way === "add" ? units : -units };
}

/** The dialog. */
export function AdjustDialog(props: { row: StockRow; onDone: () => void; onClose: () => void }): JSX.Element {
  const { row, onDone, onClose } = props;
  const [way, setWay] = useState<Way>("add");
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState("");
  const task = useTask();
  const units = parseWhole(typed, { min: way === "set" ? 0 : 1, max: MAX_STOCK });
  const after =
    units === undefined ? undefined : way === "set" ? units : row.onHand + (way === "add" ? units : -units);
  async function save(): Promise<void> {
    const faults = new Map([
      ...(units === undefined ? [["/units", text("shop.ui.fault.whole")] as const] : []),
      ...(reason.trim() === "" ? [["/reason", text("admin.fault.empty")] as const] : []),
    ]);
    if (units === undefined || faults.size > 0) return task.refuse(faults);
    const body = { ...toChange(way, units), variantId: row.variantId, reason: reason.trim() };
    const path = `${toProductPath(row.productId)}/stock`;
    if (!(await task.run(() => adminRequest<unknown>(path, { method: "POST", body })))) return;
    showToast(text("shop.stock.changed", { name: nameRow(row) }));
    onDone();
  }
  return (
    <FormDialog
      title={text("shop.stock.adjust.of", { name: nameRow(row) })}
      action={text("admin.save")}
      task={task}
      pointers={["/units", "/onHand", "/change", "/reason"]}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <p>{text("shop.stock.now", { onHand: toNumber(row.onHand), reserved: toNumber(row.reserved) })}</p>
      <Segments<Way>
        label={text("shop.stock.way")}
        value={way}
        choices={ways.map((value) => ({ value, label: text(`shop.stock.way.${value}`) }))}
        onChange={setWay}
      />
      <TextField
        label={text("shop.ui.units")}
        hint={after === undefined ? undefined : text("shop.stock.after", { units: toNumber(after) })}
        inputMode="numeric"
        value={typed}
        error={
          findError(task.errors, "/units") ??
          findError(task.errors, "/change") ??
          findError(task.errors, "/onHand")
        }
        onInput={setTyped}
      />
      <SuggestField
        {...withHint("shop.stock.reason")}
        maxLength={300}
        value={reason}
        suggestions={reasons.map((name) => text(`shop.stock.reason.${name}`))}
        error={findError(task.errors, "/reason")}
        onInput={setReason}
      />
    </FormDialog>
  );
}
