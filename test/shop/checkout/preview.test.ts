/** The preview of an order: from items alone, with stock by line, tax as soon as a country is known. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { sellerSchema, taxSettingsSchema } from "../../../src/shop/site/selling-schema.ts";
import { type TestShop, createTestShop, read } from "../app-fixture.ts";
import { addProduct, setProvider } from "../goods.ts";

interface Preview {
  readonly total: number;
  readonly isEstimate: boolean;
  readonly tax?: { amount: number; rates: { country: string; rate: number }[] };
  readonly lines: readonly { isAvailable: boolean; left?: number; taxRate?: number }[];
}

describe("the preview", () => {
  let app: TestShop;
  let key: string;
  const seller = sellerSchema.parse({ country: "DE" });
  const tax = taxSettingsSchema.parse({ enabled: true, destination: "buyer" });
  beforeEach(async () => {
    app = await createTestShop();
    await setProvider(app);
    key = (await addProduct(app, { id: "prd_key", price: 1_190, onHand: 3 })).id;
  });
  const preview = async (fields: object = {}, quantity = 1): Promise<Preview> =>
    read(
      await app.send("POST", "/api/checkout/preview", {
        body: { items: [{ productId: key, quantity }], ...fields },
      }),
    );

  it("needs nothing but items, and tells what there is too little of, line by line", async () => {
    const plenty = await preview();
    assert.deepEqual([plenty.isEstimate, plenty.tax, plenty.lines[0]?.isAvailable], [false, undefined, true]);
    const few = await preview({}, 4);
    assert.deepEqual([few.lines[0]?.isAvailable, few.lines[0]?.left], [false, 3]);
  });

  it("estimates tax at the seller's rate until the country is known, and says so", async () => {
    await app.setSite({ seller, tax });
    const early = await preview();
    assert.deepEqual([early.isEstimate, early.total, early.tax?.rates[0]?.country], [true, 1_190, "DE"]);
    const known = await preview({ country: "HU" });
    assert.deepEqual([known.isEstimate, known.total, known.tax?.amount], [false, 1_190, 253]);
    assert.equal(known.lines[0]?.taxRate, 2_700);
    await app.setSite({ tax: { ...tax, vatIds: "checked" } });
    const place = { name: "Eva", company: "Atelier SARL", line1: "Rue 1", city: "Lyon", country: "FR" };
    const business = await preview({ billingAddress: place, vatId: "FR40303265045" });
    assert.deepEqual([business.total, business.tax?.amount], [1_000, 0]);
    // What was shown is what is charged.
    const body = {
      items: [{ productId: key, quantity: 1 }],
      contact: { email: "ann@example.org" },
      consents: { digitalContent: true },
      expectedTotal: 1_190,
    };
    const refused = await app.send("POST", "/api/checkout", { body });
    const problem = await read<{ errors: { pointer: string }[] }>(refused, 422);
    assert.deepEqual(problem.errors[0]?.pointer, "/country");
    const done = await app.send("POST", "/api/checkout", { body: { ...body, country: "HU" } });
    assert.equal((await read<{ order: { country: string } }>(done, 201)).order.country, "HU");
    const cheaper = { ...body, billingAddress: place, vatId: "FR40303265045" };
    assert.equal((await app.send("POST", "/api/checkout", { body: cheaper })).status, 409);
  });
});
