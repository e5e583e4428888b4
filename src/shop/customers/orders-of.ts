/** The orders of a customer. */
import { pagesOf } from "../../store/every-page.ts";
import type { IndexRange, ReadTx } from "../../store/store.ts";
import { toMailbox } from "../mailbox.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { orders } from "../records.ts";
import type { Buyer } from "./identity.ts";

const PAGE = 100;

/** All orders of an account, or those that guests placed for a mailbox; the oldest first. */
export async function listCustomerOrders(tx: ReadTx, { userId, emailLower }: Buyer): Promise<OrderRecord[]> {
  const mailbox = toMailbox(emailLower);
  const name = mailbox.slice(0, mailbox.lastIndexOf("@"));
  const ranges: (readonly ["byUser" | "byEmail", IndexRange])[] =
    userId === undefined
      ? [
          ["byEmail", { prefix: [mailbox] }],
          // "," is the character after "+".
          ["byEmail", { from: [`${name}+`], to: [`${name},`] }],
        ]
      : [["byUser", { prefix: [userId] }]];
  const found: OrderRecord[] = [];
  for (const [index, range] of ranges)
    for await (const page of pagesOf(tx, orders, { index, range, pageSize: PAGE }))
      for (const order of page) {
        const isGuests = order.userId === undefined && toMailbox(order.emailLower) === mailbox;
        if (userId !== undefined || isGuests) found.push(order);
      }
  return found.toSorted((a, b) => a.createdAt - b.createdAt);
}
