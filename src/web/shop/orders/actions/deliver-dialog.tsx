/** Lines are handed over: sent in a parcel, written to the buyer, or given from the keys that there are. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { deliverySchema } from "../../../../shop/fulfilment/schema.ts";
import { text } from "../../../app/texts.ts";
import { Checkbox, TextField } from "../../../ui/controls.tsx";
import { showToast } from "../../../ui/controls-toast.tsx";
import { toFields } from "../../../ui/resource/field-source.ts";
import { NoteField, useMove } from "../../ui/moves.tsx";
import { type LineView, type OrderPart, sendMove } from "../../ui/orders/order-data.ts";
import { nameLine } from "../../ui/orders/line-name.ts";
import { type ShipmentForm, ShipmentFields, shipmentPointers } from "./shipment-fields.tsx";
import { FormDialog } from "../../../ui/console/form-dialog.tsx";

const noShipment: ShipmentForm = { carrier: "", trackingNumber: "", trackingUrl: "" };

/** Whether a person hands it over. */
function isByHand({ deliveryType }: LineView): boolean {
  return deliveryType === "manual" || deliveryType === "shipping";
}

function ByHandLine(props: {
  line: LineView;
  chosen: boolean;
  content: string;
  onChoose: (chosen: boolean) => void;
  onContent: (content: string) => void;
}): JSX.Element {
  const { line, chosen, content, onChoose, onContent } = props;
  const name = `${line.quantity} × ${nameLine(line)}`;
  return (
    <li class="stack-small">
      <Checkbox label={name} checked={chosen} onChange={onChoose} />
      {chosen && line.deliveryType === "manual" && (
        <TextField
          label={text("shop.order.deliver.content", { name })}
          hint={text("shop.order.deliver.content.hint")}
          long
          maxLength={toFields(deliverySchema)["lines"]?.fields?.["content"]?.max}
          value={content}
          onInput={onContent}
        />
      )}
    </li>
  );
}

/** The dialog. */
export function DeliverDialog({
  order,
  onChange,
  onClose,
}: OrderPart & { onClose: () => void }): JSX.Element {
  const open = order.lines.filter(({ deliveredAt }) => deliveredAt === undefined);
  const byHand = open.filter(isByHand);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [contents, setContents] = useState<ReadonlyMap<string, string>>(new Map());
  const [shipment, setShipment] = useState<ShipmentForm>(noShipment);
  const [note, setNote] = useState("");
  const task = useMove(onChange);
  const chosen = byHand.filter(({ id }) => !left.has(id));
  const isSent = chosen.some(({ deliveryType }) => deliveryType === "shipping");
  const hasKeys = open.length > byHand.length;
  async function send(): Promise<void> {
    const lines = chosen.map(({ id: lineId }) => {
      const content = contents.get(lineId) ?? "";
      return { lineId, ...(content.trim() === "" ? {} : { content }) };
    });
    await sendMove(order, "deliver", {
      note: note.trim(),
      ...(lines.length === 0 ? {} : { lines }),
      ...(isSent ? { shipment } : {}),
    });
    showToast(text("shop.order.deliver.done"));
    await onChange();
    onClose();
  }
  function submit(): void {
    if (chosen.length === 0 && !hasKeys) task.refuse(new Map([["", text("shop.order.deliver.nothing")]]));
    else void task.run(send);
  }
  function choose(id: string, isChosen: boolean): void {
    const next = new Set(left);
    if (isChosen) next.delete(id);
    else next.add(id);
    setLeft(next);
  }
  return (
    <FormDialog
      title={text("shop.order.deliver.title", { number: order.number })}
      action={text(isSent ? "shop.order.deliver.send" : "shop.order.deliver")}
      task={task}
      pointers={["/note", ...shipmentPointers]}
      wide
      onClose={onClose}
      onSubmit={submit}
    >
      <ul class="plain-list stack-small">
        {byHand.map((line) => (
          <ByHandLine
            line={line}
            key={line.id}
            chosen={!left.has(line.id)}
            content={contents.get(line.id) ?? ""}
            onChoose={(isChosen) => choose(line.id, isChosen)}
            onContent={(content) => setContents(new Map([...contents, [line.id, content]]))}
          />
        ))}
      </ul>
      {hasKeys && <p class="field-hint">{text("shop.order.deliver.keys")}</p>}
      {isSent && <ShipmentFields form={shipment} errors={task.errors} onChange={setShipment} />}
      <NoteField forBuyer value={note} task={task} onInput={setNote} />
    </FormDialog>
  );
}
