/** When an order can still be edited, and why not. */
import { AppError } from "../../kit/errors.ts";
import { needsPostalCode } from "../base/countries.ts";
import type { Address } from "../base/postal-address.ts";
import { REMOVED_EMAIL } from "../customers/identity.ts";
import { refuse } from "../orders/moves.ts";
import type { OrderRecord, OrderStatus } from "../orders/schema.ts";

/** Entries of a history beyond which no edits are kept: there has to be room for what money does. */
const MAX_EDITS = 150;
const ended: ReadonlySet<OrderStatus> = new Set(["canceled", "expired"]);
const open: ReadonlySet<OrderStatus> = new Set(["pending_payment", "paid", "fulfilling"]);

function isSent({ lines, shipment }: OrderRecord): boolean {
  const isHandedOver = lines.some(
    (line) => line.deliveryType === "shipping" && line.deliveredAt !== undefined,
  );
  return isHandedOver || shipment !== undefined;
}

/** Whether the shipping address can change: nothing of it was shipped yet. */
export function isAddressOpen(order: OrderRecord): boolean {
  const { email, history, status, shippingAddress } = order;
  const isKept = email !== REMOVED_EMAIL && history.length < MAX_EDITS;
  return isKept && open.has(status) && shippingAddress !== undefined && !isSent(order);
}

/** Throws `illegal_transition` for an order that has ended, `conflict` for one that is anonymous or was edited too often. */
export function assertEditable({ status, email, history }: OrderRecord): void {
  if (ended.has(status))
    refuse(status, `An order with the status ${status} cannot be edited`, { allowed: [] });
  if (email === REMOVED_EMAIL)
    throw new AppError(
      "conflict",
      "The customer of this order was anonymized, so the order can no longer be edited",
    );
  if (history.length >= MAX_EDITS)
    throw new AppError("conflict", "The history of this order is full. The order can no longer be edited");
}

/** Throws `conflict` once something was shipped, `invalid` for an address without what its country needs. */
export function assertAddress(order: OrderRecord, address: Address): void {
  if (!open.has(order.status) || isSent(order))
    throw new AppError(
      "conflict",
      "The order was already shipped. Its shipping address can no longer be changed",
    );
  if ((address.postalCode ?? "").trim() !== "" || !needsPostalCode(address.country)) return;
  throw new AppError("invalid", "The postal code of the address is missing", {
    errors: [
      {
        pointer: "/shippingAddress/postalCode",
        code: "required",
        message: `is required in ${address.country}`,
      },
    ],
  });
}
