/** A yearly series over New Year, which begins by the shop's time zone, on two nodes. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { invoices } from "../../../src/shop/invoices/collections.ts";
import { checkInvoiceNumbers } from "../../../src/shop/operation/records-check.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { createTestShop } from "../app-fixture.ts";
import { openShop, pay, placeOrder } from "../order-edits/edit-room.ts";
import { listAll } from "../race-checks.ts";

describe("a yearly series of invoices", () => {
  // An hour before New Year in Tokyo is 14:00 UTC, in New York 04:00 UTC of the next day.
  for (const [timeZone, startMs] of [
    ["Asia/Tokyo", Date.UTC(2026, 11, 31, 14)],
    ["America/New_York", Date.UTC(2027, 0, 1, 4)],
  ] as const)
    it(`begins again at midnight in ${timeZone}, without a gap on two nodes`, async () => {
      const app = await openShop();
      await app.setSite({ timeZone });
      app.clock.advance(startMs - app.clock.now());
      const clock = createFixedClock(app.clock.now());
      const other = await createTestShop({ store: app.store, clock, isShared: true });
      for (const hours of [0, 2]) {
        app.clock.advance(hours * 3_600_000);
        clock.advance(hours * 3_600_000);
        for (const one of [app, other, app])
          await pay(one, await placeOrder(one, [{ price: 1_200, quantity: 1 }]));
      }
      const all = await app.store.read((tx) => listAll(tx, invoices));
      const numbers = all.map(({ number }) => number).sort();
      assert.deepEqual(numbers, [
        ...["2026-00001", "2026-00002", "2026-00003"],
        ...["2027-00001", "2027-00002", "2027-00003"],
      ]);
      assert.deepEqual(await checkInvoiceNumbers(app.store), []);
    });
});
