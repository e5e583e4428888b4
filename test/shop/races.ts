/** Invariants of concurrent identical requests, through two shops: one suite for every store. */
import { after, afterEach, before, describe } from "node:test";
import { assertConsistent } from "./race-checks.ts";
import { type OpenedStores, type RaceBench, createRaceBench } from "./race-bench.ts";
import { itKeepsCheckout } from "./races-checkout.ts";
import { itKeepsInvoices } from "./races-invoices.ts";
import { itKeepsOrders } from "./races-orders.ts";
import { itKeepsPayments } from "./races-payments.ts";

/** Runs the suite on the stores of one kind; all records must agree after each race. */
export function describeRaces(kind: string, open: () => Promise<OpenedStores>): void {
  describe(`many at once on ${kind}`, () => {
    let bench: RaceBench;
    before(async () => {
      bench = await createRaceBench(await open());
    });
    after(() => bench.close());
    afterEach(() => assertConsistent(bench.store, bench.units));

    itKeepsCheckout(() => bench);
    itKeepsPayments(() => bench);
    itKeepsOrders(() => bench);
    itKeepsInvoices(() => bench);
  });
}
