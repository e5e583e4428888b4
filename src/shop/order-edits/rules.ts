/** When an order can still be edited, and why not. */
import { AppError } from "../../kit/errors.ts";
import type { ReadTx } from "../../store/store.ts";
import { needsPostalCode } from "../base/countries.ts";
import type { Address } from "../base/postal-address.ts";
import { REMOVED_EMAIL } from "../customers/identity.ts";
import { refuse } from "../orders/moves.ts";
import type { OrderLine, OrderRecord, OrderStatus } from "../orders/schema.ts";
import { refunds } from "../payments/records.ts";
import { listWithdrawals } from "../withdrawals/records.ts";

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

/** Whether an edit leaves a line as it is. */
export function isFrozen({ deliveredAt, returned, secretIds }: OrderLine): boolean {
  return deliveredAt !== undefined || returned !== undefined || secretIds.length > 0;
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

function refuseItems(message: string): never {
  throw new AppError("conflict", message);
}

/**
 * Why the items and the shipping of an order cannot be edited. Throws `illegal_transition` after the delivery,
 * `conflict` with what to do first.
 */
export async function assertItemsOpen(tx: ReadTx, order: OrderRecord): Promise<void> {
  const { id, status, amountRefunded, attention } = order;
  if (!open.has(status))
    refuse(status, `The items of an order with the status ${status} can no longer be edited`, {
      allowed: [],
    });
  if (amountRefunded > 0)
    refuseItems(
      "The order has a refund, so its items can no longer be edited. Place a new order for what the buyer wants",
    );
  if (attention.includes("chargeback"))
    refuseItems("The order has an open dispute. Resolve it before you edit the items");
  const { items } = await tx.list(refunds, "byOrder", { prefix: [id], limit: 1_000 });
  if (items.some((refund) => refund.status === "pending" || refund.status === "unclear"))
    refuseItems("A refund of this order is not finished. Wait until it is before you edit the items");
  if ((await listWithdrawals(tx, id)).some(({ state }) => state !== "declined"))
    refuseItems("The buyer withdrew from this order. Decide about the withdrawal before you edit the items");
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
