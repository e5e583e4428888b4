/** Units that came in, went out or were counted, with the reason, which the audit keeps. */
import type { JSX } from "preact";
import type { FieldJson, FieldsJson } from "../../../kit/fields/field-json.ts";
import { type StockRowView, stockChangeSchema } from "../../../shop/stock/answer-schema.ts";
import { toNumber } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { toFields } from "../../ui/resource/field-source.ts";
import { FieldsDialog } from "../../ui/resource/form-dialogs.tsx";
import { makeForm } from "../../ui/resource/form.ts";
import { type Form, type Kind, toText } from "../../ui/resource/kind.ts";
import { choiceKind, numberKind } from "../../ui/resource/kinds.tsx";
import { suggestKind } from "../../ui/resource/reference-kinds.tsx";
import { toProductPath } from "../products/product-data.ts";
import { nameRow } from "./stock-row.ts";

const reasons = ["delivery", "count", "return", "damage"] as const;

/** Units on hand after the change; undefined until a number is typed. */
function toAfter({ onHand }: StockRowView, form: Form): number | undefined {
  const units = /^\d{1,10}$/u.test(toText(form["units"]).trim()) ? Number(form["units"]) : undefined;
  if (units === undefined || form["way"] === "set") return units;
  return onHand + (form["way"] === "add" ? units : -units);
}

/** A number of units, with what it leaves. */
function unitsKind(json: FieldJson): Kind<StockRowView> {
  const number = numberKind<StockRowView>()(json);
  return {
    ...number,
    Field: (props) => {
      const after = toAfter(props.context, props.form);
      const hint = after === undefined ? undefined : text("shop.stock.after", { units: toNumber(after) });
      return <number.Field {...props} hint={hint} />;
    },
  };
}

const { onHand, reason } = toFields(stockChangeSchema);
const schema: FieldsJson = {
  way: { kind: "choice", choices: ["add", "take", "set"] },
  units: { kind: "number", ...onHand, required: true },
  reason: { kind: "text", ...reason },
};

export const adjustForm = makeForm<FieldsJson, StockRowView>({
  schema,
  words: "shop.stock",
  fields: {
    way: { kind: choiceKind({ as: "segments" }) },
    units: {
      kind: unitsKind,
      label: "shop.ui.units",
      fault: "shop.ui.fault.whole",
      missing: "shop.ui.fault.whole",
    },
    reason: { kind: suggestKind(() => reasons.map((name) => text(`shop.stock.reason.${name}`))) },
  },
  check: ({ way, units }) => new Map(units === 0 && way !== "set" ? [["/units", "shop.ui.fault.whole"]] : []),
});

/** Request body: the units on hand, or the difference. */
export function toStockChange({ way, units, reason: why }: Readonly<Record<string, unknown>>): object {
  if (way === "set") return { onHand: units, reason: why };
  return { change: way === "add" ? units : -Number(units), reason: why };
}

/** The dialog. */
export function AdjustDialog(props: {
  row: StockRowView;
  onDone: () => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { row, onDone, onClose } = props;
  const name = nameRow(row);
  return (
    <FieldsDialog
      title={text("shop.stock.adjust.of", { name })}
      action={text("admin.save")}
      form={adjustForm}
      context={row}
      above={
        <p>{text("shop.stock.now", { onHand: toNumber(row.onHand), reserved: toNumber(row.reserved) })}</p>
      }
      send={(fields) => {
        const body = { ...toStockChange(fields), variantId: row.variantId };
        return adminRequest(`${toProductPath(row.productId)}/stock`, { method: "POST", body });
      }}
      done={text("shop.stock.changed", { name })}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
