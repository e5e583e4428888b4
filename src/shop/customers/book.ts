/** Customers as their orders make them, and those that an import brought: no sum is stored that could differ from the orders. */
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { toMailbox } from "../base/mailbox.ts";
import type { OrderRow, OrderRows } from "../order-search/rows.ts";
import type { OrderStatus } from "../orders/schema.ts";
import { REMOVED_EMAIL, toGuestId } from "./identity.ts";
import type { ProfileRow, ProfileRows } from "./profile-rows.ts";

/** States in which something is still to be done about an order. */
export const openStates: ReadonlySet<OrderStatus> = new Set(["pending_payment", "paid", "fulfilling"]);

/** A customer over all orders. */
export interface CustomerSummary {
  readonly id: string;
  /** Absent for guests. */
  readonly userId: string | undefined;
  /** The address of the newest order, in small letters; else the imported one. */
  readonly email: string;
  /** Imported; "" where no import brought one. */
  readonly name: string;
  readonly orders: number;
  readonly openOrders: number;
  /** Payments minus refunds, by currency. */
  readonly paid: ReadonlyMap<string, number>;
  readonly firstOrderAt: number | undefined;
  readonly lastOrderAt: number | undefined;
}

interface Growing extends CustomerSummary {
  userId: string | undefined;
  email: string;
  orders: number;
  openOrders: number;
  paid: Map<string, number>;
  lastOrderAt: number | undefined;
}

function begin(id: string, { userId, emailLower, createdAt }: OrderRow, name: string): Growing {
  const counts = { orders: 0, openOrders: 0, paid: new Map<string, number>() };
  return { id, userId, email: emailLower, name, ...counts, firstOrderAt: createdAt, lastOrderAt: createdAt };
}

function fromProfile({ id, account, emailLower, name }: ProfileRow): CustomerSummary {
  const counts = { orders: 0, openOrders: 0, paid: new Map<string, number>() };
  const times = { firstOrderAt: undefined, lastOrderAt: undefined };
  return { id: account ?? id, userId: account, email: emailLower, name, ...counts, ...times };
}

function add(summary: Growing, { status, currency, received, emailLower, createdAt }: OrderRow): void {
  summary.orders += 1;
  if (openStates.has(status)) summary.openOrders += 1;
  if (received !== 0) summary.paid.set(currency, (summary.paid.get(currency) ?? 0) + received);
  summary.email = emailLower;
  summary.lastOrderAt = createdAt;
}

export type CustomerBook = ReturnType<typeof createCustomerBook>;

/** Creates the book over rows of orders, and those of imported customers. */
export function createCustomerBook(
  box: Pick<SecretBox, "lookup">,
  rows: Pick<OrderRows, "read" | "revision">,
  profiles: ProfileRows,
) {
  const guestIds = new Map<string, string>();
  let known: ReadonlyMap<string, CustomerSummary> = new Map();
  let revision = "";

  function toId({ userId, emailLower }: OrderRow): string {
    if (userId !== undefined) return userId;
    const mailbox = toMailbox(emailLower);
    const id = guestIds.get(mailbox) ?? toGuestId(box, mailbox);
    guestIds.set(mailbox, id);
    return id;
  }

  /** All customers by id; those who ordered last come last, those who did not order here first. */
  async function readAll(): Promise<ReadonlyMap<string, CustomerSummary>> {
    const all = await rows.read();
    const imported = await profiles.read();
    const now = `${rows.revision()} ${profiles.revision()}`;
    if (revision === now) return known;
    revision = now;
    const names = new Map<string, string>();
    for (const { id, account, name } of imported.values()) names.set(account ?? id, name);
    const growing = new Map<string, Growing>();
    for (const row of all) {
      if (row.emailLower === REMOVED_EMAIL) continue;
      const id = toId(row);
      const summary = growing.get(id) ?? begin(id, row, names.get(id) ?? "");
      add(summary, row);
      growing.delete(id); // to the end of the order
      growing.set(id, summary);
    }
    const others = [...imported.values()]
      .filter(({ id, account }) => !growing.has(account ?? id))
      .toSorted((a, b) => a.createdAt - b.createdAt)
      .map((row) => fromProfile(row));
    known = new Map([...others.map((one) => [one.id, one] as const), ...growing]);
    return known;
  }

  return { readAll };
}
