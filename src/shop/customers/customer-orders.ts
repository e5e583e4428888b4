/** Where the orders of a customer are indexed: by user, or by mailbox. */
import { pagesOf } from "../../store/every-page.ts";
import type { IndexRange, ReadTx } from "../../store/store.ts";
import { toMailboxRanges } from "../base/mailbox.ts";
import { orders } from "../orders/records.ts";
import type { OrderRecord } from "../orders/schema.ts";

const PAGE = 100;

function toRanges({
  userId,
  emailLower,
}: Pick<OrderRecord, "userId" | "emailLower">): (readonly ["byUser" | "byEmail", IndexRange])[] {
  if (userId !== undefined) return [["byUser", { prefix: [userId] }]];
  return toMailboxRanges(emailLower).map((range) => ["byEmail", range] as const);
}

/** All orders of a user; without one, all that may be of the mailbox, whose address the caller still compares. */
export async function* walkCustomerOrders(
  tx: ReadTx,
  customer: Pick<OrderRecord, "userId" | "emailLower">,
): AsyncGenerator<OrderRecord, void> {
  for (const [index, range] of toRanges(customer))
    for await (const page of pagesOf(tx, orders, { index, range, pageSize: PAGE })) yield* page;
}
