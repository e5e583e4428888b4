/** Changes how an order is shipped. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../../app/texts.ts";
import { Checkbox } from "../../../ui/controls.tsx";
import { showToast } from "../../../ui/controls-toast.tsx";
import { useMove } from "../../ui/moves.tsx";
import { type OrderPart, sendMove } from "../../ui/orders/order-data.ts";
import { type ShipmentForm, ShipmentFields, shipmentPointers } from "./shipment-fields.tsx";
import { FormDialog } from "../../../ui/console/form-dialog.tsx";

/** The dialog. */
export function ShipmentDialog({
  order,
  onChange,
  onClose,
}: OrderPart & { onClose: () => void }): JSX.Element {
  const { carrier = "", trackingNumber = "" } = order.shipment ?? {};
  // The address follows from the carrier and the number, unless another one is typed.
  const [form, setForm] = useState<ShipmentForm>({ carrier, trackingNumber, trackingUrl: "" });
  const [mail, setMail] = useState(true);
  const task = useMove(onChange);
  async function send(): Promise<void> {
    await sendMove(order, "shipment", { shipment: form, mail });
    showToast(text("admin.saved"));
    await onChange();
    onClose();
  }
  return (
    <FormDialog
      title={text("shop.order.shipment.title", { number: order.number })}
      action={text("admin.save")}
      task={task}
      pointers={shipmentPointers}
      onClose={onClose}
      onSubmit={() => void task.run(send)}
    >
      <ShipmentFields form={form} errors={task.errors} onChange={setForm} />
      <Checkbox label={text("shop.order.mailBuyer")} checked={mail} onChange={setMail} />
    </FormDialog>
  );
}
