/** Invariants of a shop's records other than its books: reserved units, keys, and numbers of invoices. */
import { pagesOf } from "../../store/every-page.ts";
import type { ReadTx, Store } from "../../store/store.ts";
import { invoiceCounters, invoices } from "../invoices/collections.ts";
import { orders } from "../orders/records.ts";
import { secrets, stock } from "../products/records.ts";

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** Units that open orders reserve, by the id of the stock record, and the order that each key was given to. */
async function readOrders(
  tx: ReadTx,
): Promise<{ reserved: Map<string, number>; holders: Map<string, string>; twice: string[] }> {
  const reserved = new Map<string, number>();
  const holders = new Map<string, string>();
  const twice: string[] = [];
  for await (const page of pagesOf(tx, orders, { index: "id" }))
    for (const { id, number, status, lines } of page)
      for (const { stockId, stockMode, quantity, secretIds } of lines) {
        if (status === "pending_payment" && stockMode === "tracked") add(reserved, stockId, quantity);
        for (const secretId of secretIds) {
          if (holders.has(secretId)) twice.push(`key ${secretId} was given twice, last to order ${number}`);
          holders.set(secretId, id);
        }
      }
  return { reserved, holders, twice };
}

/** Faults of units and license keys; each as a sentence for people. */
export function checkStock(store: Store): Promise<string[]> {
  return store.read(async (tx) => {
    const { reserved, holders, twice } = await readOrders(tx);
    const faults = [...twice];
    for await (const page of pagesOf(tx, stock, { index: "id" }))
      for (const { id, onHand, reserved: recorded } of page) {
        const expected = reserved.get(id) ?? 0;
        reserved.delete(id);
        if (recorded !== expected)
          faults.push(`stock ${id} says ${recorded} reserved, open orders reserve ${expected}`);
        if (recorded > onHand) faults.push(`stock ${id} has ${onHand} on hand and ${recorded} reserved`);
      }
    for (const [id, count] of reserved)
      faults.push(`open orders reserve ${count} of stock ${id}, which has no record`);
    for await (const page of pagesOf(tx, secrets, { index: "id" }))
      for (const { id, state, orderId } of page)
        if (state === "given" && holders.get(id) !== orderId)
          faults.push(`key ${id} says that order ${orderId} has it, and that order does not`);
    return faults;
  });
}

/** Problems with the numbers of invoices and credit notes: gaps, and wrong counters. */
export function checkInvoiceNumbers(store: Store): Promise<string[]> {
  return store.read(async (tx) => {
    const series = new Map<string, { first: number; last: number; count: number }>();
    for await (const page of pagesOf(tx, invoices, { index: "id" }))
      for (const { series: name, sequence } of page) {
        const known = series.get(name) ?? { first: sequence, last: sequence, count: 0 };
        known.first = Math.min(known.first, sequence);
        known.last = Math.max(known.last, sequence);
        known.count += 1;
        series.set(name, known);
      }
    const faults: string[] = [];
    for (const [name, { first, last, count }] of series) {
      const lacking = last - first + 1 - count;
      if (lacking > 0) faults.push(`numbers ${first} to ${last} of "${name}" lack ${lacking}`);
      const counter = await tx.get(invoiceCounters, name);
      if (counter?.last !== last)
        faults.push(
          `the counter of "${name}" stands at ${counter?.last ?? "nothing"}, its last number is ${last}`,
        );
    }
    return faults;
  });
}
