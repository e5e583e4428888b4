/** Form that changes how an order is shipped. */
import type { JSX } from "preact";
import { shipmentChangeSchema } from "../../../../shop/fulfilment/schema.ts";
import { text } from "../../../app/texts.ts";
import { makeForm, nestFields } from "../../../ui/resource/form.ts";
import { MoveFields } from "../../ui/move-fields.tsx";
import { type OrderPart, sendMove } from "../../ui/orders/order-data.ts";
import { shipmentRules, shipmentRows } from "./shipment-rules.ts";

export const shipmentForm = makeForm({
  schema: shipmentChangeSchema,
  words: "shop.order",
  only: "panels",
  fields: { ...shipmentRules, mail: { label: "shop.order.mailBuyer" } },
  panels: [{ fields: [...shipmentRows, "mail"] }],
});

/** The dialog. */
export function ShipmentDialog({
  order,
  onChange,
  onClose,
}: OrderPart & { onClose: () => void }): JSX.Element {
  const { carrier = "", trackingNumber = "" } = order.shipment ?? {};
  return (
    <MoveFields
      title={text("shop.order.shipment.title", { number: order.number })}
      action={text("admin.save")}
      form={shipmentForm}
      context={undefined}
      // The URL follows from the carrier and the number, unless another one is typed.
      initial={{ "shipment/carrier": carrier, "shipment/trackingNumber": trackingNumber }}
      done={text("admin.saved")}
      send={(fields) => sendMove(order, "shipment", nestFields(fields))}
      onChange={onChange}
      onClose={onClose}
    />
  );
}
