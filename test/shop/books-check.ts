/** The books of all orders of a store: its records agree, and the documents of each order are what the shop keeps. */
import assert from "node:assert/strict";
import { checkLedger } from "../../src/shop/payments/ledger-check.ts";
import { checkInvoiceNumbers, checkStock } from "../../src/shop/operation/records-check.ts";
import { invoices } from "../../src/shop/invoices/collections.ts";
import type { InvoiceRecord } from "../../src/shop/invoices/schema.ts";
import { orders } from "../../src/shop/orders/records.ts";
import { readSite } from "../../src/shop/site/settings.ts";
import type { Store } from "../../src/store/store.ts";
import { assertConsistent, listAll } from "./race-checks.ts";
import { assertPapers } from "./order-edits/paper-checks.ts";

/** Throws AssertionError; resolves with the number of orders and of documents that were looked at. */
export async function assertBooks(store: Store): Promise<{ orders: number; documents: number }> {
  assert.deepEqual((await checkLedger(store)).faults, []);
  assert.deepEqual(await checkStock(store), []);
  assert.deepEqual(await checkInvoiceNumbers(store), []);
  await assertConsistent(store);
  return store.read(async (tx) => {
    const { paymentProviders } = await readSite(tx);
    const titles = Object.fromEntries(paymentProviders.map(({ word, title }) => [word, title]));
    const papers = new Map<string, InvoiceRecord[]>();
    for (const paper of await listAll(tx, invoices))
      papers.set(paper.orderId, [...(papers.get(paper.orderId) ?? []), paper]);
    const all = await listAll(tx, orders);
    for (const order of all) {
      const own = (papers.get(order.id) ?? []).toSorted(
        (a, b) => a.issuedAt - b.issuedAt || a.sequence - b.sequence,
      );
      assertPapers(order, own, titles);
    }
    return { orders: all.length, documents: [...papers.values()].flat().length };
  });
}
