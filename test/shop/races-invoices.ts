/** Races of numbers: many payments and refunds at once give documents without a gap. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { invoices } from "../../src/shop/invoices/collections.ts";
import {
  invoiceSettingsSchema,
  sellerSchema,
  taxSettingsSchema,
} from "../../src/shop/site/selling-schema.ts";
import { sendNotice, toNotice } from "./goods.ts";
import { type RaceBench, atOnce, countAnswers } from "./race-bench.ts";
import { listAll } from "./race-checks.ts";

const seller = sellerSchema.parse({ name: "Shop", line1: "Street 1", city: "Berlin", country: "DE" });

/** Says what must hold; `bench` is there when the tests run. */
export function itKeepsInvoices(bench: () => RaceBench): void {
  it("50 payments at once get the numbers 1 to 50, and refunds of them credit notes without a gap", async () => {
    const site = {
      seller,
      tax: taxSettingsSchema.parse({ enabled: true }),
      invoices: invoiceSettingsSchema.parse({ enabled: true }),
    };
    await bench().app(0).setSite(site);
    const placed = await bench().place(50, await bench().addProduct({ onHand: 60 }));
    const paid = await atOnce(50, (turn) =>
      sendNotice(bench().app(turn), toNotice(placed[turn] ?? assert.fail())),
    );
    assert.deepEqual(await countAnswers(paid), { "200": 50 });
    const refunds = await atOnce(40, (turn) =>
      bench()
        .app(turn)
        .admin("POST", `/api/admin/orders/${placed[turn >> 1]?.id ?? ""}/refund`, { amount: 333 }),
    );
    assert.deepEqual(await countAnswers(refunds), { "200": 40 });
    await bench()
      .app(0)
      .setSite({ invoices: invoiceSettingsSchema.parse({}), tax: taxSettingsSchema.parse({}) });
    const all = await bench().store.read((tx) => listAll(tx, invoices));
    for (const [kind, count] of [
      ["invoice", 50],
      ["credit_note", 40],
    ] as const) {
      const sequences = all.filter((one) => one.kind === kind).map(({ sequence }) => sequence);
      const expected = Array.from({ length: count }, (_, index) => index + 1);
      assert.deepEqual(
        sequences.toSorted((a, b) => a - b),
        expected,
      );
    }
  });
}
