/** What must be true of a shop's records after whatever happened at once: stock, books, coupons, keys. */
import assert from "node:assert/strict";
import { checkCards } from "../../src/shop/gift-cards/report.ts";
import { listLedger, sumLedger } from "../../src/shop/payments/ledger.ts";
import { invoiceCounters, invoices } from "../../src/shop/invoices/collections.ts";
import type { InvoiceRecord } from "../../src/shop/invoices/schema.ts";
import { toPaymentStatus } from "../../src/shop/orders/payment-status.ts";
import type { OrderRecord } from "../../src/shop/orders/schema.ts";
import type { NoticeRecord } from "../../src/shop/payments/schema.ts";
import type { SecretRecord, StockRecord } from "../../src/shop/products/schema.ts";
import { coupons, couponUses } from "../../src/shop/coupons/records.ts";
import { idempotency } from "../../src/shop/checkout/records.ts";
import { notices } from "../../src/shop/payments/records.ts";
import { isRenewal } from "../../src/shop/orders/order.ts";
import { orders } from "../../src/shop/orders/records.ts";
import { products, secrets, stock } from "../../src/shop/products/records.ts";
import type { Collection, ReadTx, Store, StoreRecord } from "../../src/store/store.ts";

/** Everything of a collection, however large. */
export async function listAll<T extends StoreRecord>(tx: ReadTx, collection: Collection<T>): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const page: { items: readonly T[]; nextCursor?: string } = await tx.list(collection, "id", {
      limit: 1_000,
      ...(cursor === undefined ? {} : { cursor }),
    });
    all.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}

/** Units that there were before anything was sold, by the id of the stock record. */
export type Units = ReadonlyMap<string, number>;

function countBy<T>(
  all: readonly T[],
  toEntry: (one: T) => [key: string, count: number],
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) {
    const [key, count] = toEntry(one);
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return counts;
}

/** Units of lines that count for an order in this state. */
function toLineCounts(
  all: readonly OrderRecord[],
  isCounted: (order: OrderRecord, line: OrderRecord["lines"][number]) => boolean,
): Map<string, number> {
  // The renewal of a license takes no further unit.
  const lines = all.flatMap((order) =>
    order.lines.filter((line) => line.renewal === undefined && isCounted(order, line)),
  );
  return countBy(lines, ({ stockId, quantity }) => [stockId, quantity]);
}

const PAID = new Set(["paid", "fulfilling", "delivered", "completed"]);

function checkStock(records: readonly StockRecord[], all: readonly OrderRecord[], before: Units): void {
  const tracked = (line: OrderRecord["lines"][number]): boolean => line.stockMode === "tracked";
  const reserved = toLineCounts(all, ({ status }, line) => status === "pending_payment" && tracked(line));
  // Of a canceled order only what had been handed over is gone.
  const sold = toLineCounts(
    all,
    ({ status }, { deliveredAt }) => PAID.has(status) || (status === "canceled" && deliveredAt !== undefined),
  );
  for (const record of records) {
    const { id } = record;
    assert.ok(
      0 <= record.reserved && record.reserved <= record.onHand,
      `oversold: ${JSON.stringify(record)}`,
    );
    assert.equal(record.reserved, reserved.get(id) ?? 0, `reserved of ${id}`);
    assert.equal(record.sold, sold.get(id) ?? 0, `sold of ${id}`);
    if (before.has(id)) assert.equal(record.onHand + record.sold, before.get(id), `units of ${id}`);
  }
}

async function checkBooks(tx: ReadTx, all: readonly OrderRecord[]): Promise<void> {
  let kept = 0;
  for (const order of all) {
    const { received, refunded } = sumLedger(await listLedger(tx, order.id));
    assert.ok(refunded <= received, `${order.id} gave back more than came in`);
    assert.deepEqual(
      [order.amountPaid, order.amountRefunded, order.paymentStatus],
      [received - refunded, refunded, toPaymentStatus({ total: order.total, received, refunded })],
      `books of ${order.id}`,
    );
    // An order that was paid had all its money once, but for what an edit made due.
    if (PAID.has(order.status))
      assert.ok(received >= order.total - (order.balanceDue ?? 0), `${order.id} is ${order.status}`);
    kept += order.amountPaid;
  }
  const { received, refunded } = sumLedger(await listAll(tx, notices));
  assert.equal(received - refunded, kept, "applied notices less refunds are what orders hold");
}

/** Each move once, and nothing left of the states before. */
function checkMoves(order: OrderRecord): void {
  const { id, status, history, needsAttention, attention } = order;
  const entered = history.flatMap(({ to }) => (to === undefined ? [] : [to]));
  assert.equal(entered.length, new Set(entered).size, `${id} came twice into a state: ${entered.join()}`);
  assert.equal(entered.at(-1), status, `${id} is where its history ends`);
  const isOpen = status === "pending_payment";
  assert.equal(order.pendingUntil !== undefined, isOpen, `${id} expires while it is open`);
  // Orders of staff and renewals count against no buyer.
  const counts = isOpen && order.draftId === undefined && !isRenewal(order);
  assert.equal(order.openAddress !== undefined, counts, `${id} counts as open while it is`);
  assert.equal(needsAttention === "yes", attention.length > 0, `flag of ${id}`);
}

async function checkCoupons(tx: ReadTx, all: readonly OrderRecord[]): Promise<void> {
  const using = all.filter(({ status }) => status !== "canceled" && status !== "expired");
  const used = countBy(using, ({ couponId = "" }) => [couponId, 1]);
  const byPerson = countBy(await listAll(tx, couponUses), ({ couponId, uses }) => [couponId, uses]);
  for (const coupon of await listAll(tx, coupons)) {
    const expected = used.get(coupon.id) ?? 0;
    assert.deepEqual([coupon.used, byPerson.get(coupon.id) ?? 0], [expected, expected], coupon.code);
    // A buyer who pays after the order has expired still gets the promised price.
    const late = using.filter(
      ({ couponId, history }) => couponId === coupon.id && history.some(({ to }) => to === "expired"),
    );
    if (coupon.maxUses !== undefined) assert.ok(coupon.used - late.length <= coupon.maxUses, coupon.code);
  }
}

function checkKeys(keys: readonly SecretRecord[], all: readonly OrderRecord[]): void {
  const holders = new Map<string, string>();
  for (const { id: orderId, lines } of all) {
    for (const { secretIds, quantity } of lines) {
      assert.ok(secretIds.length === 0 || secretIds.length === quantity, `keys of ${orderId}`);
      for (const id of secretIds) {
        assert.equal(holders.get(id), undefined, `key ${id} was given twice`);
        holders.set(id, orderId);
      }
    }
  }
  for (const { id, state, orderId } of keys) {
    assert.equal(state === "given", holders.has(id), `key ${id} is ${state}`);
    assert.equal(orderId, holders.get(id), `holder of key ${id}`);
  }
}

async function checkFreeKeys(
  tx: ReadTx,
  records: readonly StockRecord[],
  keys: readonly SecretRecord[],
): Promise<void> {
  const free = countBy(keys, ({ stockId, state }) => [stockId, state === "free" ? 1 : 0]);
  const keyed = new Set(
    (await listAll(tx, products)).flatMap(({ id, deliveryType }) =>
      deliveryType === "auto_secret" ? [id] : [],
    ),
  );
  for (const { id, productId, onHand } of records)
    if (keyed.has(productId)) assert.equal(onHand, free.get(id) ?? 0, `units of ${id} are its free keys`);
}

/** Numbers without a gap, and what each order says of its documents. */
function checkInvoices(
  documents: readonly InvoiceRecord[],
  { counters, all }: { counters: ReadonlyMap<string, number>; all: readonly OrderRecord[] },
): void {
  const bySeries = new Map<string, number[]>();
  for (const { series, sequence } of documents)
    bySeries.set(series, [...(bySeries.get(series) ?? []), sequence]);
  for (const [series, sequences] of bySeries) {
    const sorted = sequences.toSorted((a, b) => a - b);
    const [first = 0] = sorted;
    assert.deepEqual(
      sorted,
      sorted.map((_, index) => first + index),
      `numbers of ${series} have a gap`,
    );
    assert.equal(counters.get(series), sorted.at(-1), `counter of ${series}`);
  }
  const orderIds = new Map(all.map((order) => [order.id, order]));
  for (const { id, kind, orderId, total, tax } of documents) {
    const order = orderIds.get(orderId);
    assert.ok(order !== undefined, `${id} is of no order`);
    const rows = tax?.rates ?? [];
    if (tax !== undefined)
      assert.equal(
        rows.reduce((sum, { gross }) => sum + gross, 0),
        total,
        `tax of ${id}`,
      );
    if (kind === "invoice" && order.invoiceId === id && order.balanceDue === undefined)
      assert.equal(order.total, total, id);
  }
  const sumOf = (notes: readonly InvoiceRecord[]): number => notes.reduce((sum, { total }) => sum + total, 0);
  for (const { id, invoiceId, credited = 0, amountPaid, total, status, balanceDue } of all) {
    const own = documents.filter(({ orderId }) => orderId === id);
    const billed = own.filter(({ kind }) => kind === "invoice");
    for (const invoice of billed) {
      const notes = own.filter(({ corrects }) => corrects?.id === invoice.id);
      // An invoice that another replaced is credited as a whole.
      assert.equal(
        sumOf(notes),
        invoice.id === invoiceId ? credited : invoice.total,
        `credit notes of ${id}`,
      );
    }
    // The invoice of a renewal that was never paid is credited as a whole.
    const isOver = status === "expired" || status === "canceled";
    assert.equal(
      billed.filter((invoice) => invoice.id === invoiceId).length,
      billed.length === 0 || (isOver && invoiceId === undefined) ? 0 : 1,
      id,
    );
    const kept = sumOf(billed) - sumOf(own.filter(({ kind }) => kind === "credit_note"));
    // An invoice that is paid later counts as a whole, and one of an order with a balance is the former one.
    const isSettled = invoiceId !== undefined && status !== "pending_payment" && balanceDue === undefined;
    if (isSettled) assert.equal(kept, Math.min(total, amountPaid), `documents of ${id}`);
  }
}

/** No two entries of a ledger are the same payment. */
function checkLedger(entries: readonly NoticeRecord[]): void {
  const applied = entries.filter(({ state }) => state === "applied");
  const references = applied.map(({ provider, providerRef, type }) => `${provider} ${providerRef} ${type}`);
  assert.equal(references.length, new Set(references).size, "a payment was applied twice");
}

/** Throws AssertionError unless all records agree with each other, and with the units that there were `before`. */
export async function assertConsistent(store: Store, before: Units = new Map()): Promise<void> {
  assert.deepEqual((await checkCards(store)).faults, []);
  await store.read(async (tx) => {
    const all = await listAll(tx, orders);
    const records = await listAll(tx, stock);
    const keys = await listAll(tx, secrets);
    checkStock(records, all, before);
    for (const order of all) checkMoves(order);
    await checkBooks(tx, all);
    await checkCoupons(tx, all);
    checkKeys(keys, all);
    await checkFreeKeys(tx, records, keys);
    checkLedger(await listAll(tx, notices));
    const counters = await listAll(tx, invoiceCounters);
    checkInvoices(await listAll(tx, invoices), {
      counters: new Map(counters.map(({ id, last }) => [id, last])),
      all,
    });
    const ids = new Set(all.map(({ id }) => id));
    for (const { orderId } of await listAll(tx, idempotency))
      assert.ok(ids.has(orderId), `an answer is remembered of an order that is not there: ${orderId}`);
  });
}
