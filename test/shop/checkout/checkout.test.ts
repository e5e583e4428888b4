/** Checkout: prices, coupons, and what can be ordered. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { coupons } from "../../../src/shop/coupons/records.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import { stock } from "../../../src/shop/products/records.ts";
import type { CouponRecord } from "../../../src/shop/coupons/schema.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, setProvider } from "../goods.ts";

interface Line {
  readonly discount: number;
  readonly total: number;
  readonly title: string;
  readonly inputs: Record<string, string>;
}
interface Made {
  readonly order: {
    id: string;
    total: number;
    subtotal: number;
    discount: number;
    shipping: number;
    status: string;
    lines: Line[];
  };
  readonly accessToken: string;
}

let app: TestShop;
beforeEach(async () => {
  app = await createTestShop();
  await setProvider(app);
});

const EMAIL = "ann@example.org";
type Item = { productId: string; variantId?: string; quantity: number; inputs?: Record<string, string> };

const checkout = (
  items: readonly Item[],
  more: object = {},
  request: { as?: string; from?: string; headers?: Record<string, string> } = {},
): Promise<Response> =>
  app.send("POST", "/api/checkout", {
    body: { items, contact: { email: EMAIL }, consents: { digitalContent: true }, ...more },
    ...request,
  });

const reservedOf = async (id: string): Promise<number | undefined> =>
  (await app.store.read((tx) => tx.get(stock, id)))?.reserved;

async function addCoupon(fields: Partial<CouponRecord> = {}): Promise<void> {
  const id = fields.id ?? "cpn_1";
  await app.store.transact(async (tx) => {
    await tx.insert(coupons, {
      code: "SAVE",
      codeKey: "SAVE",
      kind: "percent",
      value: 1_000,
      currency: "EUR",
      minimum: 0,
      used: 0,
      productIds: [],
      categoryIds: [],
      enabled: true,
      note: "",
      createdAt: 0,
      updatedAt: 0,
      ...fields,
      id,
    });
  });
}

describe("what an order costs", () => {
  it("is the shop's own price, whatever the request says", async () => {
    const { id } = await addProduct(app, { price: 1_250 });
    const { order } = await read<Made>(await checkout([{ productId: id, quantity: 3 }]), 201);
    assert.deepEqual([order.subtotal, order.discount, order.shipping, order.total], [3_750, 0, 0, 3_750]);
    assert.deepEqual(await code(await checkout([{ productId: id, quantity: 1, price: 1 } as Item])), [
      422,
      "invalid",
    ]);
  });

  it("is that of the variant", async () => {
    const variants = [
      { id: "var_s", sku: "S", options: { size: "S" }, price: 500 },
      { id: "var_l", sku: "L", options: { size: "L" }, price: 700 },
    ];
    const { id } = await addProduct(app, { variants });
    const { order } = await read<Made>(
      await checkout([{ productId: id, variantId: "var_l", quantity: 2 }]),
      201,
    );
    assert.equal(order.total, 1_400);
    assert.deepEqual([await reservedOf("var_l"), await reservedOf("var_s")], [2, 0]);
    for (const variantId of [undefined, "var_x"]) {
      const item = { productId: id, quantity: 1, ...(variantId === undefined ? {} : { variantId }) };
      assert.deepEqual(await code(await checkout([item])), [422, "invalid"]);
    }
  });

  it("has the fee of sending once, and needs an address for it", async () => {
    await app.setSite({ shippingFee: 490 });
    const { id } = await addProduct(app, { deliveryType: "shipping" });
    assert.deepEqual(await code(await checkout([{ productId: id, quantity: 1 }])), [422, "invalid"]);
    const address = { name: "Ann", line1: "Street 1", city: "Town", country: "DE" };
    const lacking = await checkout([{ productId: id, quantity: 1 }], { shippingAddress: address });
    const { errors } = await read<{ errors: { pointer: string }[] }>(lacking, 422);
    assert.deepEqual(
      errors.map(({ pointer }) => pointer),
      ["/shippingAddress/postalCode"],
    );
    const withoutCodes = { ...address, country: "HK" };
    await read(await checkout([{ productId: id, quantity: 1 }], { shippingAddress: withoutCodes }), 201);
    const shippingAddress = { ...address, postalCode: "10115" };
    const { order } = await read<Made>(
      await checkout([{ productId: id, quantity: 2 }], { shippingAddress }),
      201,
    );
    assert.deepEqual([order.shipping, order.total], [490, 2_490]);
  });

  it("is what a preview says, which takes nothing", async () => {
    const { id } = await addProduct(app);
    await addCoupon();
    const body = {
      items: [{ productId: id, quantity: 3 }],
      contact: { email: EMAIL },
      consents: { digitalContent: true },
      couponCode: "save",
    };
    const preview = await read<{ total: number; discount: number }>(
      await app.send("POST", "/api/checkout/preview", { body }),
    );
    assert.deepEqual([preview.total, preview.discount], [2_700, 300]);
    assert.equal(await reservedOf(id), 0);
    const { order } = await read<Made>(await checkout(body.items, { couponCode: "save" }), 201);
    assert.equal(order.total, preview.total);
  });

  it("must be what the buyer was shown", async () => {
    const { id } = await addProduct(app);
    const response = await checkout([{ productId: id, quantity: 1 }], { expectedTotal: 900 });
    const problem: { code: string; total: number } = await response.clone().json();
    assert.deepEqual([response.status, problem.code, problem.total], [409, "price_changed", 1_000]);
    assert.equal(await reservedOf(id), 0);
    assert.equal((await checkout([{ productId: id, quantity: 1 }], { expectedTotal: 1_000 })).status, 201);
  });
});

describe("what can be ordered", () => {
  it("is only what is for sale, in numbers that the product allows", async () => {
    const draft = await addProduct(app, { status: "draft" });
    const dollars = await addProduct(app, { currency: "USD" });
    for (const productId of [draft.id, dollars.id, "prd_none"])
      assert.deepEqual(await code(await checkout([{ productId, quantity: 1 }])), [422, "invalid"]);
    const pair = await addProduct(app, { minQuantity: 2, maxQuantity: 4 });
    for (const quantity of [1, 5])
      assert.deepEqual(await code(await checkout([{ productId: pair.id, quantity }])), [
        422,
        "quantity_limit",
      ]);
    const twice = [
      { productId: pair.id, quantity: 3 },
      { productId: pair.id, quantity: 2 },
    ];
    assert.deepEqual(await code(await checkout(twice)), [422, "quantity_limit"]);
  });

  it("is not more than there is; nothing of the order is kept then", async () => {
    const many = await addProduct(app, { onHand: 5 });
    const few = await addProduct(app, { onHand: 1 });
    const response = await checkout([
      { productId: many.id, quantity: 2 },
      { productId: few.id, quantity: 2 },
    ]);
    const problem: { code: string; items: object[] } = await response.clone().json();
    assert.deepEqual(
      [response.status, problem.code, problem.items],
      [409, "out_of_stock", [{ productId: few.id, available: 1 }]],
    );
    assert.deepEqual([await reservedOf(many.id), await reservedOf(few.id)], [0, 0]);
    assert.equal(await app.store.read((tx) => tx.count(orders)), 0);
  });

  it("asks for what the product wants to know", async () => {
    const inputs = [
      { key: "nick", label: "Nickname", kind: "text", required: true, options: [], maxLength: 5 },
      {
        key: "side",
        label: "Side",
        kind: "select",
        required: false,
        options: ["left", "right"],
        maxLength: 9,
      },
    ] as const;
    const { id } = await addProduct(app, {
      inputs: inputs.map((one) => ({ ...one, options: [...one.options] })),
    });
    for (const given of [{}, { nick: "too long" }, { nick: "ann", side: "up" }])
      assert.deepEqual(await code(await checkout([{ productId: id, quantity: 1 }], { inputs: given })), [
        422,
        "invalid",
      ]);
    const item = { productId: id, quantity: 1, inputs: { side: "left" } };
    const { order } = await read<Made>(await checkout([item], { inputs: { nick: "ann", other: "x" } }), 201);
    assert.deepEqual(order.lines[0]?.inputs, { nick: "ann", side: "left" });
  });
});

describe("coupons", () => {
  const buy = (productId: string, more: object = {}, as?: string): Promise<Response> =>
    checkout([{ productId, quantity: 1 }], { couponCode: "save", ...more }, as === undefined ? {} : { as });

  it("share their discount out over the lines in their scope, to the last unit", async () => {
    const one = await addProduct(app, { price: 333 });
    const two = await addProduct(app, { price: 334 });
    const three = await addProduct(app, { price: 5_000 });
    await addCoupon({ kind: "fixed", value: 100, productIds: [one.id, two.id] });
    const items = [one, two, three].map(({ id }) => ({ productId: id, quantity: 1 }));
    const { order } = await read<Made>(await checkout(items, { couponCode: " Save " }), 201);
    assert.deepEqual(
      order.lines.map(({ discount }) => discount),
      [50, 50, 0],
    );
    assert.equal(
      order.total,
      order.lines.reduce((sum, { total }) => sum + total, 0),
    );
  });

  it("are refused with a reason", async () => {
    const { id } = await addProduct(app);
    const now = app.clock.now();
    const cases: readonly [Partial<CouponRecord>, string][] = [
      [{ enabled: false }, "unusable"],
      [{ startsAt: now + 1 }, "unusable"],
      [{ endsAt: now }, "unusable"],
      [{ minimum: 1_001 }, "minimum"],
      [{ productIds: ["prd_other"] }, "scope"],
      [{ kind: "fixed", currency: "USD" }, "currency"],
      [{ maxUses: 1, used: 1 }, "unusable"],
    ];
    for (const [index, [fields, reason]] of cases.entries()) {
      const codeKey = `C${index}`;
      await addCoupon({ id: `cpn_c${index}`, code: codeKey, codeKey, ...fields });
      const response = await buy(id, { couponCode: codeKey });
      const problem: { code: string; reason: string } = await response.clone().json();
      assert.deepEqual([response.status, problem.code, problem.reason], [422, "coupon_invalid", reason]);
    }
    assert.equal(await reservedOf(id), 0);
  });

  it("count for one person, and come back with an order that ends unpaid", async () => {
    const { id } = await addProduct(app);
    await addCoupon({ maxUsesPerUser: 1, maxUses: 2 });
    const { order } = await read<Made>(await buy(id, {}, "ann"), 201);
    assert.deepEqual(await code(await buy(id, {}, "ann")), [422, "coupon_invalid"]);
    assert.equal((await buy(id, {}, "bob")).status, 201);
    assert.deepEqual(await code(await buy(id)), [422, "coupon_invalid"]);
    await read(await app.send("POST", `/api/orders/${order.id}/cancel`, { as: "ann" }));
    assert.equal((await buy(id, {}, "ann")).status, 201);
  });
});
