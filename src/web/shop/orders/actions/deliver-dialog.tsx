/** Lines are handed over: sent in a parcel, written to the buyer, or given from the keys that there are. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { deliverySchema } from "../../../../shop/fulfilment/schema.ts";
import { text } from "../../../app/texts.ts";
import { Checkbox, TextField } from "../../../ui/controls.tsx";
import { toFields } from "../../../ui/resource/field-source.ts";
import { makeForm, nestFields } from "../../../ui/resource/form.ts";
import { type Form, type Kind, type Typed, isTypedGroup, memberText } from "../../../ui/resource/kind.ts";
import { sayPlain } from "../../../ui/resource/kinds.tsx";
import { MoveFields } from "../../ui/move-fields.tsx";
import { nameLine } from "../../ui/orders/line-name.ts";
import { type LineView, type OrderPart, type OrderView, sendMove } from "../../ui/orders/order-data.ts";
import { shipmentRows, shipmentRules } from "./shipment-rules.ts";

/** The form values of a line. */
function findLine(typed: Typed | undefined, id: string): Form {
  const line = isTypedGroup(typed) ? typed[id] : undefined;
  return isTypedGroup(line) ? line : {};
}

function ByHandLine(props: { line: LineView; typed: Form; onChange: (typed: Form) => void }): JSX.Element {
  const { line, typed, onChange } = props;
  const name = `${line.quantity} × ${nameLine(line)}`;
  const isChosen = typed["isLeft"] !== true;
  return (
    <li class="stack-small">
      <Checkbox
        label={name}
        checked={isChosen}
        onChange={(chosen) => onChange({ ...typed, isLeft: !chosen })}
      />
      {isChosen && line.deliveryType === "manual" && (
        <TextField
          label={text("shop.order.deliver.content", { name })}
          hint={text("shop.order.deliver.content.hint")}
          long
          maxLength={toFields(deliverySchema)["lines"]?.fields?.["content"]?.max}
          value={memberText(typed, "content")}
          onInput={(content) => onChange({ ...typed, content })}
        />
      )}
    </li>
  );
}

/** The form of what is open of an order. */
export function toDeliverForm({ lines }: Pick<OrderView, "lines">) {
  const open = lines.filter(({ deliveredAt }) => deliveredAt === undefined);
  const byHand = open.filter(({ deliveryType }) => deliveryType === "manual" || deliveryType === "shipping");
  const hasKeys = open.length > byHand.length;
  const listChosen = (typed: Typed | undefined): readonly LineView[] =>
    byHand.filter(({ id }) => findLine(typed, id)["isLeft"] !== true);
  const isSent = (form: Form): boolean =>
    listChosen(form["lines"]).some(({ deliveryType }) => deliveryType === "shipping");
  const linesKind = (): Kind<unknown> => ({
    blank: {},
    toTyped: () => ({}),
    read: (typed) => {
      const chosen = listChosen(typed).map(({ id: lineId }) => {
        const content = memberText(findLine(typed, lineId), "content");
        return content.trim() === "" ? { lineId } : { lineId, content };
      });
      if (chosen.length > 0) return { value: chosen };
      return hasKeys ? { value: undefined } : { fault: "shop.order.deliver.nothing" };
    },
    Field: ({ value, error, onChange }) => (
      <>
        <ul class="plain-list stack-small">
          {byHand.map((line) => (
            <ByHandLine
              key={line.id}
              line={line}
              typed={findLine(value, line.id)}
              onChange={(typed) => onChange({ ...(isTypedGroup(value) && value), [line.id]: typed })}
            />
          ))}
        </ul>
        {error && <span class="field-error">{error}</span>}
        {hasKeys && <p class="field-hint">{text("shop.order.deliver.keys")}</p>}
      </>
    ),
    say: sayPlain,
  });
  const form = makeForm({
    schema: deliverySchema,
    words: "shop.order",
    only: "panels",
    fields: {
      lines: { kind: linesKind, label: "shop.order.deliver" },
      "shipment/carrier": { ...shipmentRules["shipment/carrier"], when: isSent },
      "shipment/trackingNumber": { ...shipmentRules["shipment/trackingNumber"], when: isSent },
      "shipment/trackingUrl": { ...shipmentRules["shipment/trackingUrl"], when: isSent },
      note: { label: "shop.order.noteForBuyer" },
    },
    panels: [{ fields: ["lines", ...shipmentRows, "note"] }],
  });
  return { form, isSent };
}

/** The dialog. */
export function DeliverDialog({
  order,
  onChange,
  onClose,
}: OrderPart & { onClose: () => void }): JSX.Element {
  const { form, isSent } = useMemo(() => toDeliverForm(order), [order]);
  return (
    <MoveFields
      title={text("shop.order.deliver.title", { number: order.number })}
      action={(typed) => text(isSent(typed) ? "shop.order.deliver.send" : "shop.order.deliver")}
      form={form}
      context={undefined}
      wide
      done={text("shop.order.deliver.done")}
      send={(fields) => sendMove(order, "deliver", nestFields(fields))}
      onChange={onChange}
      onClose={onClose}
    />
  );
}
