/** The parcel of an order: as it is sent, and as it is corrected afterwards. */
import { toTrackingUrl } from "../shipping/carriers.ts";
import { refuse } from "./moves.ts";
import { type MoveNote, type Moved, withHistory } from "./order.ts";
import type { OrderRecord } from "./schema.ts";

type Shipment = NonNullable<OrderRecord["shipment"]>;

/** A shipment with the address where it is followed, where its carrier is known. */
export function withTracking(shipment: Shipment): Shipment {
  const { carrier, trackingNumber, trackingUrl } = shipment;
  return {
    ...shipment,
    trackingUrl: trackingUrl === "" ? toTrackingUrl(carrier, trackingNumber) : trackingUrl,
  };
}

/** Changes the shipment of an order; the buyer is notified if `isMailed`. Throws `illegal_transition`. */
export function changeShipment(
  order: OrderRecord,
  {
    shipment,
    isMailed,
    by,
    atMs,
    note,
  }: MoveNote & { readonly shipment: Shipment; readonly isMailed: boolean },
): Moved {
  const { status } = order;
  if (status === "pending_payment" || status === "expired" || status === "canceled")
    refuse(status, `An order with the status ${status} cannot be shipped`, { allowed: [] });
  const shippedAt = shipment.shippedAt ?? order.shipment?.shippedAt ?? atMs;
  const noted = withHistory(order, { at: atMs, by, event: "shipment_changed", note });
  return {
    order: { ...noted, shipment: withTracking({ ...shipment, shippedAt }) },
    effects: isMailed ? [{ kind: "mail", mail: "order_shipped", note }] : [],
  };
}
