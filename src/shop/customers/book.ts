/** Customers as their orders make them: nothing is stored that could differ from the orders. */
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { toMailbox } from "../base/mailbox.ts";
import type { OrderRow, OrderRows } from "../order-search/rows.ts";
import type { OrderStatus } from "../orders/schema.ts";
import { REMOVED_EMAIL, toGuestId } from "./identity.ts";

/** States in which something is still to be done about an order. */
export const openStates: ReadonlySet<OrderStatus> = new Set(["pending_payment", "paid", "fulfilling"]);

/** A customer over all orders. */
export interface CustomerSummary {
  readonly id: string;
  /** Absent for guests. */
  readonly userId: string | undefined;
  /** The address of the newest order, in small letters. */
  readonly email: string;
  readonly orders: number;
  readonly openOrders: number;
  /** Payments minus refunds, by currency. */
  readonly paid: ReadonlyMap<string, number>;
  readonly firstOrderAt: number;
  readonly lastOrderAt: number;
}

interface Growing extends CustomerSummary {
  userId: string | undefined;
  email: string;
  orders: number;
  openOrders: number;
  paid: Map<string, number>;
  lastOrderAt: number;
}

function begin(id: string, { userId, emailLower, createdAt }: OrderRow): Growing {
  const counts = { orders: 0, openOrders: 0, paid: new Map<string, number>() };
  return { id, userId, email: emailLower, ...counts, firstOrderAt: createdAt, lastOrderAt: createdAt };
}

function add(summary: Growing, { status, currency, amountPaid, emailLower, createdAt }: OrderRow): void {
  summary.orders += 1;
  if (openStates.has(status)) summary.openOrders += 1;
  if (amountPaid !== 0) summary.paid.set(currency, (summary.paid.get(currency) ?? 0) + amountPaid);
  summary.email = emailLower;
  summary.lastOrderAt = createdAt;
}

export type CustomerBook = ReturnType<typeof createCustomerBook>;

/** Creates the book over rows. */
export function createCustomerBook(box: Pick<SecretBox, "mac">, rows: Pick<OrderRows, "read" | "revision">) {
  const guestIds = new Map<string, string>();
  let known: ReadonlyMap<string, CustomerSummary> = new Map();
  let revision = -1;

  function toId({ userId, emailLower }: OrderRow): string {
    if (userId !== undefined) return userId;
    const mailbox = toMailbox(emailLower);
    const id = guestIds.get(mailbox) ?? toGuestId(box, mailbox);
    guestIds.set(mailbox, id);
    return id;
  }

  /** All customers by id; those who ordered last come last. */
  async function readAll(): Promise<ReadonlyMap<string, CustomerSummary>> {
    const all = await rows.read();
    if (revision === rows.revision()) return known;
    revision = rows.revision();
    const growing = new Map<string, Growing>();
    for (const row of all) {
      if (row.emailLower === REMOVED_EMAIL) continue;
      const id = toId(row);
      const summary = growing.get(id) ?? begin(id, row);
      add(summary, row);
      growing.delete(id); // to the end of the order
      growing.set(id, summary);
    }
    known = growing;
    return known;
  }

  return { readAll };
}
