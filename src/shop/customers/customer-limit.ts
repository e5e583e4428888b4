/**
 * How many units of a product one customer may have, over all of their orders that were not canceled and did not
 * expire. They are counted from the orders themselves, and only when a product has such a bound.
 */
import { ShopError } from "../base/errors.ts";
import type { ReadTx } from "../../store/store.ts";
import type { OrderLine, OrderRecord } from "../orders/schema.ts";
import { toMailbox } from "../base/mailbox.ts";
import { walkCustomerOrders } from "./customer-orders.ts";
import type { ProductRecord } from "../products/schema.ts";
import { products } from "../products/records.ts";

/** The customer whose units are counted: a user, or a guest's mailbox. */
type Customer = Pick<OrderRecord, "userId" | "emailLower"> & Partial<Pick<OrderRecord, "openAddress">>;
type Limited = Pick<ProductRecord, "id" | "maxPerCustomer">;

function isCounted(order: OrderRecord, { userId, emailLower: asked, openAddress }: Customer): boolean {
  const { status, emailLower } = order;
  if (status === "canceled" || status === "expired") return false;
  // An order that was only placed in a guest's name from elsewhere does not count against the guest.
  const isElsewhere = openAddress !== undefined && order.openAddress !== openAddress;
  if (userId === undefined && status === "pending_payment" && isElsewhere) return false;
  return userId !== undefined || toMailbox(emailLower) === toMailbox(asked);
}

/** Ids of products of which the customer would have more than one may; without a customer, by the lines alone. */
async function findExceeded(
  tx: ReadTx,
  wanted: {
    readonly lines: readonly Pick<OrderLine, "productId" | "quantity">[];
    readonly products: readonly Limited[];
    readonly customer: Customer | undefined;
    /** The order of these lines, if it is stored already. */
    readonly orderId?: string;
  },
): Promise<Set<string>> {
  const left = new Map<string, number>();
  for (const { id, maxPerCustomer } of wanted.products)
    if (maxPerCustomer !== undefined) left.set(id, maxPerCustomer);
  const exceeded = new Set<string>();
  const count = (lines: typeof wanted.lines): void => {
    for (const { productId, quantity } of lines) {
      const units = left.get(productId);
      if (units === undefined) continue;
      left.set(productId, units - quantity);
      if (units < quantity) exceeded.add(productId);
    }
  };
  count(wanted.lines);
  if (wanted.customer === undefined || exceeded.size === left.size) return exceeded;
  for await (const order of walkCustomerOrders(tx, wanted.customer)) {
    if (order.id !== wanted.orderId && isCounted(order, wanted.customer)) count(order.lines);
    if (exceeded.size === left.size) break;
  }
  return exceeded;
}

/** Throws `quantity_limit` when the customer would have more of a product than one may. */
export async function assertCustomerLimit(
  tx: ReadTx,
  priced: readonly { readonly line: OrderLine; readonly product: Limited }[],
  customer: Customer | undefined,
): Promise<void> {
  const lines = priced.map(({ line }) => line);
  const exceeded = await findExceeded(tx, {
    lines,
    products: priced.map(({ product }) => product),
    customer,
  });
  if (exceeded.size === 0) return;
  const errors = priced.flatMap(({ product }, index) => {
    if (!exceeded.has(product.id)) return [];
    const message = `the limit for this product is ${product.maxPerCustomer} per customer, including earlier orders`;
    return [{ pointer: `/items/${index}/quantity`, code: "quantity_limit", message }];
  });
  throw new ShopError("quantity_limit", "The limit per customer is exceeded. Reduce the quantity", {
    errors,
  });
}

/** Whether the customer of an order has bought so much since that one may not have its units, too. */
export async function exceedsCustomerLimit(tx: ReadTx, order: OrderRecord): Promise<boolean> {
  const ids = [...new Set(order.lines.map(({ productId }) => productId))];
  const found: Limited[] = [];
  for (const id of ids) found.push((await tx.get(products, id)) ?? { id });
  const { id: orderId, lines } = order;
  return (await findExceeded(tx, { lines, products: found, customer: order, orderId })).size > 0;
}
