/**
 * Whether the books of a whole store add up: applied payments − applied refunds and chargebacks must be what each
 * order says of itself.
 */
import type { Page, ReadTx, Store } from "../../store/store.ts";
import { listLedger, sumLedger } from "./ledger.ts";
import { type Books, toPaymentStatus } from "../orders/payment-status.ts";
import type { OrderRecord, OrderStatus } from "../orders/schema.ts";
import type { NoticeRecord } from "./schema.ts";
import { notices } from "./records.ts";
import { sumPaid } from "../gift-cards/book.ts";
import { checkCards } from "../gift-cards/report.ts";
import { CARD_PROVIDER } from "../orders/card-payments.ts";
import { orders } from "../orders/records.ts";

/** Orders of one view: each has its ledger read beside it. */
const ORDERS_PAGE = 100;
const NOTICES_PAGE = 500;

/** States that only money leads to; what was given back later does not end them. */
const paidStates: ReadonlySet<OrderStatus> = new Set(["paid", "fulfilling", "delivered", "completed"]);

/** One thing that an order (or an entry of the ledger) says wrongly. */
export interface LedgerFault {
  /** Absent when an applied entry belongs to no order. */
  readonly orderId?: string;
  /** For people; the entry's id when there is no order. */
  readonly name: string;
  readonly field:
    | ("amountPaid" | "amountRefunded" | "paymentStatus" | "status" | "currency" | "orderId")
    /** Of an order that cards pay; of a card. */
    | ("giftCards" | "balance");
  readonly recorded: string | number;
  /** The value according to the ledger. */
  readonly expected: string | number;
}

/** The sums of the ledger in one currency, in minor units. */
export interface CurrencySums extends Books {
  /** Sum of what the orders say: must be `received` − `refunded`. */
  readonly amountPaid: number;
}

/** Faults of one order according to its ledger and to the book of gift cards. */
function checkOrder({ order, ledger, byCards }: Read): LedgerFault[] {
  const { id: orderId, number: name, total } = order;
  const { received, refunded } = sumLedger(ledger);
  const faults: LedgerFault[] = [];
  const expect = <T extends string | number>(field: LedgerFault["field"], recorded: T, expected: T): void => {
    if (recorded !== expected) faults.push({ orderId, name, field, recorded, expected });
  };
  expect("amountPaid", order.amountPaid, received - refunded);
  expect("amountRefunded", order.amountRefunded, refunded);
  expect("paymentStatus", order.paymentStatus, toPaymentStatus({ total, received, refunded }));
  // What an edit added after the payment is due.
  if (paidStates.has(order.status) && received + (order.balanceDue ?? 0) < total)
    faults.push({ orderId, name, field: "status", recorded: order.status, expected: "not paid" });
  const cards = sumLedger(ledger.filter(({ provider }) => provider === CARD_PROVIDER));
  expect("giftCards", byCards, cards.received - cards.refunded);
  const paid = (order.giftCards ?? []).filter(({ isReleased }) => isReleased !== true);
  const own = paid.reduce((sum, { amount, returned = 0 }) => sum + amount - returned, 0);
  expect("giftCards", own, cards.received - cards.refunded);
  for (const { state, currency } of ledger)
    if (state === "applied") expect("currency", currency, order.currency);
  return faults;
}

/** An order with what is compared with it. */
interface Read {
  readonly order: OrderRecord;
  readonly ledger: readonly NoticeRecord[];
  /** Paid by gift cards, as their book says. */
  readonly byCards: number;
}

/** Calls `each` for all pages of a walk, every page in a separate view. */
async function forEachPage<T>(
  store: Store,
  read: (tx: ReadTx, cursor: string | undefined) => Promise<Page<T>>,
  each: (items: readonly T[]) => void,
): Promise<void> {
  let cursor: string | undefined;
  do {
    const from = cursor;
    const page: Page<T> = await store.read((tx) => read(tx, from));
    each(page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** Orders with their ledgers, both of one view: a shop that goes on meanwhile looks right, too. */
async function readOrders(tx: ReadTx, cursor: string | undefined): Promise<Page<Read>> {
  const page = await tx.list(orders, "id", { limit: ORDERS_PAGE, cursor });
  const items: Read[] = [];
  for (const order of page.items) {
    const ledger = await listLedger(tx, order.id);
    items.push({ order, ledger, byCards: order.giftCards === undefined ? 0 : await sumPaid(tx, order.id) });
  }
  return { ...page, items };
}

/** Applied entries of a page that belong to no order. */
async function readOrphans(tx: ReadTx, cursor: string | undefined): Promise<Page<LedgerFault>> {
  const page = await tx.list(notices, "byState", { prefix: ["applied"], limit: NOTICES_PAGE, cursor });
  const items: LedgerFault[] = [];
  for (const { id, orderId } of page.items) {
    if (orderId !== undefined && (await tx.get(orders, orderId)) !== undefined) continue;
    items.push({ name: id, field: "orderId", recorded: orderId ?? "", expected: "an order" });
  }
  return { ...page, items };
}

export type LedgerReport = Awaited<ReturnType<typeof checkLedger>>;

/** Checks every order of a store against the ledger, and every applied entry of the ledger against the orders; without faults all is well. `applied` counts entries, `sums` are by currency. */
export async function checkLedger(store: Store) {
  const sums = new Map<string, CurrencySums>();
  const faults: LedgerFault[] = [];
  let count = 0;
  let applied = 0;
  await forEachPage(store, readOrders, (items) => {
    for (const read of items) {
      const { order, ledger } = read;
      const { received, refunded } = sumLedger(ledger);
      const sum = sums.get(order.currency) ?? { received: 0, refunded: 0, amountPaid: 0 };
      sums.set(order.currency, {
        received: sum.received + received,
        refunded: sum.refunded + refunded,
        amountPaid: sum.amountPaid + order.amountPaid,
      });
      faults.push(...checkOrder(read));
      count += 1;
      applied += ledger.filter(({ state }) => state === "applied").length;
    }
  });
  await forEachPage(store, readOrphans, (items) => faults.push(...items));
  const cards = await checkCards(store);
  for (const { cardId, recorded, expected } of cards.faults)
    faults.push({ name: cardId, field: "balance", recorded, expected });
  return { orders: count, applied, sums, faults, giftCards: cards.count };
}
