/** Dialogs for sold goods: replace a key, restock units, decide about a withdrawal. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { FieldsJson } from "../../../../kit/fields/field-json.ts";
import { keyReplacementSchema, moveSchema } from "../../../../shop/fulfilment/schema.ts";
import { statementSchema } from "../../../../shop/withdrawals/schema.ts";
import { text } from "../../../app/texts.ts";
import { TextField } from "../../../ui/controls.tsx";
import { adminRequest } from "../../../ui/console/session.ts";
import { toDateText } from "../../../ui/forms/local-time.ts";
import { toFields } from "../../../ui/resource/field-source.ts";
import { makeForm } from "../../../ui/resource/form.ts";
import { type KindOf, type Typed, isTypedGroup, memberText, toText } from "../../../ui/resource/kind.ts";
import { sayPlain } from "../../../ui/resource/kinds.tsx";
import { MoveFields } from "../../ui/move-fields.tsx";
import { nameLine } from "../../ui/orders/line-name.ts";
import { type LineView, type OrderPart, type OrderView, sendMove } from "../../ui/orders/order-data.ts";

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

/** Units of lines, none of each at first; at least one of any. */
function unitsKind(lines: readonly LineView[], toMost: (line: LineView) => number): KindOf<unknown> {
  const toUnits = (typed: Typed, line: LineView): number =>
    Math.min(toMost(line), Number(memberText(typed, line.id).replaceAll(/\D/gu, "")));
  return () => ({
    blank: {},
    toTyped: () => ({}),
    read: (typed) => {
      const chosen = lines
        .map((line) => ({ lineId: line.id, quantity: toUnits(typed, line) }))
        .filter(({ quantity }) => quantity > 0);
      return chosen.length === 0 ? { fault: "shop.order.units.none" } : { value: chosen };
    },
    Field: ({ value, error, onChange }) => (
      <>
        {lines.map((line) => (
          <TextField
            key={line.id}
            label={text("shop.order.refund.units", { name: nameLine(line), count: toMost(line) })}
            inputMode="numeric"
            value={String(toUnits(value, line))}
            onInput={(typed) => onChange({ ...(isTypedGroup(value) && value), [line.id]: typed })}
          />
        ))}
        {error && <span class="field-error">{error}</span>}
      </>
    ),
    say: sayPlain,
  });
}

/** The form of units that go back to the shelf. */
export function toRestockForm({ lines }: Pick<OrderView, "lines">) {
  const returnable = lines.filter((line) => line.returnable > 0);
  return makeForm<FieldsJson>({
    schema: { lines: { kind: "list" }, note: { ...toFields(moveSchema)["note"], kind: "text" } },
    words: "shop.order",
    fields: {
      lines: { kind: unitsKind(returnable, (line) => line.returnable), label: "shop.order.restock" },
      note: { label: "shop.order.noteForUs" },
    },
  });
}

/** Units go back to the shelf. */
export function RestockDialog({ order, onChange, onClose }: DialogProps): JSX.Element {
  const form = useMemo(() => toRestockForm(order), [order]);
  return (
    <MoveFields
      title={text("shop.order.restock.title", { number: order.number })}
      action={text("shop.order.restock")}
      form={form}
      context={undefined}
      done={text("shop.order.restock.done")}
      send={(fields) => sendMove(order, "restock", fields)}
      onChange={onChange}
      onClose={onClose}
    >
      <p>{text("shop.order.restock.text")}</p>
    </MoveFields>
  );
}

/** A day, today at first; today is not sent. */
function dayKind(createdAt: string): KindOf<unknown> {
  return () => ({
    blank: toDateText(Date.now()),
    toTyped: () => toDateText(Date.now()),
    read: (typed) => {
      if (typed === toDateText(Date.now())) return { value: undefined };
      const [year = Number.NaN, month = 1, date = 1] = toText(typed).split("-").map(Number);
      // A letter of the order's own day came after the order.
      const noon = Math.max(new Date(year, month - 1, date, 12).getTime(), Date.parse(createdAt));
      return Number.isNaN(noon) ? { fault: "admin.fault.moment" } : { value: new Date(noon).toISOString() };
    },
    Field: ({ label, error, value, onChange }) => (
      <TextField label={label} error={error} type="date" value={toText(value)} onInput={onChange} />
    ),
    say: sayPlain,
  });
}

/** The form of a withdrawal. */
export function toWithdrawalForm({ lines, createdAt }: Pick<OrderView, "lines" | "createdAt">) {
  return makeForm<FieldsJson>({
    schema: {
      receivedAt: { kind: "time" },
      isWhole: { kind: "switch", initial: true },
      lines: { kind: "list", when: { name: "isWhole", among: ["false"] } },
      what: { ...toFields(statementSchema)["what"], kind: "text" },
    },
    words: "shop.order.withdraw",
    fields: {
      receivedAt: { kind: dayKind(createdAt), label: "shop.order.withdraw.day" },
      isWhole: { label: "shop.order.withdraw.whole" },
      lines: { kind: unitsKind(lines, (line) => line.quantity), label: "shop.order.withdraw" },
    },
  });
}

/** A withdrawal that came by letter, telephone or mail. */
export function WithdrawalDialog({ order, onChange, onClose }: DialogProps): JSX.Element {
  const form = useMemo(() => toWithdrawalForm(order), [order]);
  return (
    <MoveFields
      title={text("shop.order.withdraw.title", { number: order.number })}
      action={text("shop.order.withdraw")}
      form={form}
      context={undefined}
      done={text("shop.order.withdraw.done")}
      send={({ isWhole: _isWhole, ...fields }) =>
        adminRequest("/api/admin/withdrawals", { method: "POST", body: { ...fields, orderId: order.id } })
      }
      onChange={onChange}
      onClose={onClose}
    >
      <p>{text("shop.order.withdraw.text", { email: order.contact.email })}</p>
    </MoveFields>
  );
}
