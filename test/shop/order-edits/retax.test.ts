/** Another country or VAT ID of an order: its tax, its prices, what becomes due, and its documents. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkLedger } from "../../../src/shop/payments/ledger-check.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import { type TestShop, code, read } from "../app-fixture.ts";
import { type Placed, edit, load, openShop, papers, pay, place, placeOrder, sumPapers } from "./edit-room.ts";

const berlin = { name: "Ann", line1: "Weg 1", city: "Berlin", postalCode: "10115", country: "DE" };
const company = { ...berlin, company: "Beispiel GmbH" };
/** Its check digits are right. */
const VAT_ID = "DE136695976";

interface Preview {
  readonly total: number;
  readonly difference: number;
  readonly overpaid: number;
  readonly amountDue: number;
  readonly tax: { readonly rates: { kind: string; country: string; rate: number }[] };
}

function preview(app: TestShop, placed: Placed, body: object): Promise<Response> {
  return app.admin("POST", `/api/admin/orders/${placed.order.id}/edit-preview`, body);
}

async function change(app: TestShop, placed: Placed, body: object): Promise<[Preview, OrderRecord]> {
  const shown = await read<Preview>(await preview(app, placed, body));
  await read(await edit(app, placed, { ...body, expectedTotal: shown.total }));
  return [shown, await load(app, placed)];
}

async function assertBooks(app: TestShop, placed: Placed): Promise<void> {
  const order = await load(app, placed);
  const sums = sumPapers(await papers(app, placed));
  assert.equal(sums["total"], order.total);
  for (const { kind, country, rate, gross, tax } of order.tax?.rates ?? []) {
    assert.equal(sums[`${kind} ${country} ${rate} gross`], gross);
    assert.equal(sums[`${kind} ${country} ${rate} tax`], tax);
  }
  assert.deepEqual((await checkLedger(app.store)).faults, []);
}

describe("another country of a taxed order", () => {
  it("keeps prices that include the tax, and replaces the invoice with that of the other rate", async () => {
    const app = await openShop({ destination: "buyer" });
    const placed = await placeOrder(app, [{ price: 1_200, quantity: 2 }]);
    await pay(app, placed);
    const [shown, order] = await change(app, placed, { shippingAddress: berlin });
    assert.deepEqual(
      [shown.difference, shown.tax.rates.map(({ country, rate }) => [country, rate])],
      [0, [["DE", 1_900]]],
    );
    assert.deepEqual([order.lines[0]?.taxRate, order.lines[0]?.taxCountry], [1_900, "DE"]);
    assert.deepEqual(
      (await papers(app, placed)).map(({ kind }) => kind),
      ["invoice", "credit_note", "invoice"],
    );
    await assertBooks(app, placed);
  });

  it("has a balance due where the tax comes on top, and needs the total that was shown", async () => {
    const app = await openShop({ destination: "buyer", pricesIncludeTax: false });
    const placed = await placeOrder(app, [{ price: 1_000, quantity: 1 }], { shippingAddress: berlin });
    await pay(app, placed);
    const body = { shippingAddress: place };
    assert.deepEqual(await code(await edit(app, placed, body)), [409, "price_changed"]);
    const [shown, order] = await change(app, placed, body);
    assert.equal(order.balanceDue, shown.amountDue);
    assert.equal(shown.amountDue, 1_908 - 1_892);
    await pay(app, placed, { id: "rest", amount: shown.amountDue });
    await assertBooks(app, placed);
  });

  it("is refused after a delivery, and where the shop taxes in another way now", async () => {
    const app = await openShop({ destination: "buyer" });
    const placed = await placeOrder(app, [
      { price: 1_200, quantity: 1 },
      { price: 900, quantity: 1, isSent: false },
    ]);
    await pay(app, placed);
    await app.setSite({ tax: { ...app.shop.catalogue.site().tax, pricesIncludeTax: false } });
    assert.deepEqual(await code(await preview(app, placed, { shippingAddress: berlin })), [409, "conflict"]);
    await app.setSite({ tax: { ...app.shop.catalogue.site().tax, pricesIncludeTax: true } });
    const { lines } = await load(app, placed);
    await read(
      await app.admin("POST", `/api/admin/orders/${placed.order.id}/deliver`, {
        lines: [{ lineId: lines[1]?.id }],
      }),
    );
    const refused = await preview(app, placed, { billingAddress: berlin });
    assert.deepEqual(await code(refused), [409, "conflict"]);
  });
});

describe("an address that leaves the tax as it is", () => {
  it("is corrected also after the delivery: another country without another tax", async () => {
    const app = await openShop({ destination: "seller" });
    const placed = await placeOrder(app, [{ price: 1_200, quantity: 1, isSent: false }], {
      shippingAddress: undefined,
    });
    await pay(app, placed);
    await read(await app.admin("POST", `/api/admin/orders/${placed.order.id}/deliver`, {}));
    await read(await edit(app, placed, { billingAddress: berlin }));
    assert.equal((await load(app, placed)).billingAddress?.city, "Berlin");
    assert.equal((await papers(app, placed)).at(-1)?.billingAddress?.city, "Berlin");
    await assertBooks(app, placed);
  });
});

describe("the VAT ID of a paid order", () => {
  it("takes the tax off, which is then to be refunded, and puts it back", async () => {
    const app = await openShop({ vatIds: "checked" });
    const placed = await placeOrder(app, [{ price: 1_190, quantity: 1, isSent: false }], {
      shippingAddress: undefined,
      billingAddress: company,
    });
    await pay(app, placed);
    const [shown, order] = await change(app, placed, { vatId: VAT_ID });
    assert.deepEqual([shown.tax.rates[0]?.kind, shown.total, shown.overpaid], ["reverse_charge", 992, 198]);
    assert.deepEqual([order.vatId, order.attention], [VAT_ID, ["overpaid"]]);
    await assertBooks(app, placed);
    const [back, again] = await change(app, placed, { vatId: "" });
    assert.deepEqual([back.total, again.attention, again.vatId], [1_190, [], undefined]);
    await assertBooks(app, placed);
  });

  it("needs right digits and the company, and is held where a person checks it", async () => {
    const app = await openShop({ vatIds: "review" });
    const placed = await placeOrder(app, [{ price: 1_190, quantity: 1 }], { shippingAddress: berlin });
    await pay(app, placed);
    assert.deepEqual(await code(await preview(app, placed, { vatId: "DE136695975" })), [422, "invalid"]);
    assert.deepEqual(await code(await preview(app, placed, { vatId: VAT_ID })), [422, "invalid"]);
    const [, order] = await change(app, placed, { vatId: VAT_ID, billingAddress: company });
    assert.deepEqual([order.attention.includes("vat_id"), order.vatCheck?.isHeld], [true, true]);
  });
});
