/** The orders of a customer. */
import type { ReadTx } from "../../store/store.ts";
import { toMailbox } from "../base/mailbox.ts";
import { walkCustomerOrders } from "./customer-orders.ts";
import type { OrderRecord } from "../orders/schema.ts";
import type { Buyer } from "./identity.ts";

/** All orders of an account, or those that guests placed for a mailbox; the oldest first. */
export async function listCustomerOrders(tx: ReadTx, customer: Buyer): Promise<OrderRecord[]> {
  const { userId, emailLower } = customer;
  const mailbox = toMailbox(emailLower);
  const found: OrderRecord[] = [];
  for await (const order of walkCustomerOrders(tx, customer)) {
    const isGuests = order.userId === undefined && toMailbox(order.emailLower) === mailbox;
    if (userId !== undefined || isGuests) found.push(order);
  }
  return found.toSorted((a, b) => a.createdAt - b.createdAt);
}
