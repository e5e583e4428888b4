/** Discounts without a code, free shipping, and how several go together. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { CouponView } from "../../../src/shop/coupons/schema.ts";
import { coupons } from "../../../src/shop/coupons/records.ts";
import { readSite } from "../../../src/shop/site/settings.ts";
import { type TestShop, read } from "../app-fixture.ts";
import { write } from "../draft-orders/draft-room.ts";
import { addProduct, liftLimits } from "../goods.ts";
import { type Placed, edit, load, openShop, papers, pay, place } from "../order-edits/edit-room.ts";
import { createShopBrowser } from "../pages/shop-browser.ts";

const PATH = "/api/admin/coupons";
const contact = { email: "ann@example.org" };

interface Applied {
  readonly title: string;
  readonly amount: number;
  readonly shipping: number;
}
interface Sums {
  readonly subtotal: number;
  readonly discount: number;
  readonly shipping: number;
  readonly total: number;
  readonly discounts: readonly Applied[];
  readonly shippingMethods: readonly { readonly price: number }[];
}

async function create(app: TestShop, fields: object): Promise<CouponView> {
  const all = { automatic: true, title: "Sale", kind: "percent", ...fields };
  app.clock.advance(1);
  return read<CouponView>(await app.admin("POST", PATH, all), 201);
}

async function preview(app: TestShop, items: object[], fields: object = {}): Promise<Sums> {
  return read<Sums>(await app.send("POST", "/api/checkout/preview", { body: { items, ...fields } }));
}

async function checkOut(app: TestShop, items: object[], fields: object = {}): Promise<Placed> {
  const body = { items, contact, shippingAddress: place, ...fields };
  return read<Placed>(await app.send("POST", "/api/checkout", { body }), 201);
}

const names = (sums: Pick<Sums, "discounts">): string[] => sums.discounts.map(({ title }) => title);

describe("automatic discounts", () => {
  let app: TestShop;
  let items: { productId: string; quantity: number }[];
  beforeEach(async () => {
    app = await openShop();
    const mug = await addProduct(app, { price: 1_000, onHand: 999, deliveryType: "shipping" });
    items = [{ productId: mug.id, quantity: 3 }];
  });

  it("have a title in place of a code, and are kept in the settings while they are enabled", async () => {
    const bare = await app.admin("POST", PATH, {
      automatic: true,
      kind: "percent",
      value: 1_000,
      minimum: 1,
    });
    assert.equal(bare.status, 422);
    const made = await create(app, { value: 1_000, minimum: 2_000, code: "IGNORED" });
    assert.equal(made.code, "");
    const other = await create(app, { value: 500, minimum: 2_000 });
    const ids = async (): Promise<readonly string[]> => (await app.store.read(readSite)).automaticDiscounts;
    assert.deepEqual(await ids(), [made.id, other.id]);
    await read(await app.admin("PATCH", `${PATH}/${made.id}`, { enabled: false }));
    assert.deepEqual(await ids(), [other.id]);
    const coupon = await read<CouponView>(
      await app.admin("PATCH", `${PATH}/${other.id}`, { automatic: false }),
    );
    assert.match(coupon.code, /^[0-9A-Z]{10}$/u);
    assert.deepEqual(await ids(), []);
    await read(await app.admin("PATCH", `${PATH}/${made.id}`, { enabled: true }));
    assert.equal((await app.admin("DELETE", `${PATH}/${made.id}`)).status, 204);
    assert.deepEqual(await ids(), []);
    // The settings of the shop neither show nor change them.
    const site = await read<object>(await app.admin("GET", "/api/admin/site"));
    assert.equal("automaticDiscounts" in site, false);
    assert.equal((await app.admin("PATCH", "/api/admin/site", { automaticDiscounts: ["x"] })).status, 422);
  });

  it("are given where their conditions are met: amount, quantity, time, country, products, uses", async () => {
    const made = await create(app, { value: 1_000, minimum: 3_000, minimumQuantity: 3, countries: ["FR"] });
    const sent = { shippingAddress: place };
    assert.deepEqual(names(await preview(app, items, sent)), ["Sale"]);
    // The country is not known yet.
    assert.deepEqual(names(await preview(app, items)), []);
    const abroad = { shippingAddress: { ...place, country: "BE", postalCode: "1000" } };
    assert.deepEqual(names(await preview(app, items, abroad)), []);
    const [{ productId } = assert.fail()] = items;
    assert.deepEqual(names(await preview(app, [{ productId, quantity: 2 }], sent)), []);
    const other = await addProduct(app, { price: 9_000, categoryId: "lamps" });
    await app.store.transact(async (tx) => {
      const record = (await tx.get(coupons, made.id)) ?? assert.fail();
      await tx.put(coupons, { ...record, categoryIds: ["lamps"], minimumQuantity: undefined });
    });
    assert.deepEqual(names(await preview(app, items, sent)), []);
    const mixed = await preview(app, [...items, { productId: other.id, quantity: 1 }], sent);
    assert.deepEqual(mixed.discounts, [{ id: made.id, title: "Sale", amount: 900, shipping: 0 }]);
    const future = new Date(app.clock.now() + 1_000).toISOString();
    await app.store.transact(async (tx) => {
      const record = (await tx.get(coupons, made.id)) ?? assert.fail();
      await tx.put(coupons, { ...record, categoryIds: [], minimum: 1, maxUsesPerUser: 1 });
    });
    await read(await app.admin("PATCH", `${PATH}/${made.id}`, { startsAt: future }));
    assert.deepEqual(names(await preview(app, items, sent)), []);
    app.clock.advance(1_000);
    await checkOut(app, items);
    assert.deepEqual(names(await preview(app, items, { ...sent, contact })), []);
    assert.deepEqual(names(await preview(app, items, { ...sent, contact: { email: "ben@example.org" } })), [
      "Sale",
    ]);
  });

  it("are the same in cart, preview, draft, order, invoice and email, and count as used", async () => {
    await liftLimits(app);
    const made = await create(app, { title: "Three for less", value: 1_550, minimum: 3_000 });
    const shown = await preview(app, items, { shippingAddress: place });
    assert.deepEqual([shown.discount, shown.total], [465, 3_000 - 465 + 590]);
    const { open } = createShopBrowser(app);
    const [{ productId } = assert.fail()] = items;
    await open("/cart");
    await open("/cart", { productId, quantity: "3" });
    const cart = (await open("/cart")).text;
    assert.ok(cart.includes("Three for less") && cart.includes("-€4.65"), cart);
    const checkout = (await open("/checkout")).text;
    assert.ok(checkout.includes("Three for less") && checkout.includes("-€4.65"), checkout);
    const placed = await checkOut(app, items, { expectedTotal: shown.total });
    assert.equal(placed.order.total, shown.total);
    const draft = await write(app, { items });
    assert.equal(draft.quoted?.total, shown.total);
    const own = await write(app, { items, discount: { kind: "fixed", value: 100, reason: "agreed" } });
    assert.equal(own.quoted?.discount, 100);
    await pay(app, placed);
    const [invoice = assert.fail()] = await papers(app, placed);
    assert.deepEqual(
      [invoice.couponCode, invoice.discount, invoice.total],
      ["Three for less", 465, shown.total],
    );
    // An edit that changes nothing on it leaves it as it is.
    await read(await edit(app, placed, { buyersNote: "Ring twice" }));
    assert.equal((await papers(app, placed)).length, 1);
    const outbox = await read<{ items: { id: string; subject: string }[] }>(
      await app.admin("GET", "/api/admin/smtp/outbox"),
    );
    assert.ok(outbox.items.length > 0);
    const { used } = await read<CouponView>(await app.admin("GET", `${PATH}/${made.id}`));
    assert.equal(used, 1);
    assert.equal((await app.admin("DELETE", `${PATH}/${made.id}`)).status, 409);
    const unpaid = await checkOut(app, items);
    await read(await app.admin("POST", `/api/admin/orders/${unpaid.order.id}/cancel`, {}));
    assert.equal((await read<CouponView>(await app.admin("GET", `${PATH}/${made.id}`))).used, 1);
  });

  it("give the one that saves most, or all that stack; a code that saves less is not used up", async () => {
    await create(app, { title: "Ten", value: 1_000, minimum: 1, stacks: true });
    await create(app, { title: "Two euros", kind: "fixed", value: 200, minimum: 1, stacks: true });
    await create(app, { title: "Fifteen", value: 1_500, minimum: 1 });
    // 10 % of 30.00, then 2.00: 5.00 is more than 15 %.
    const stacked = await preview(app, items);
    assert.deepEqual([names(stacked), stacked.discount], [["Ten", "Two euros"], 500]);
    const [{ productId } = assert.fail()] = items;
    const more = await preview(app, [{ productId, quantity: 9 }]);
    assert.deepEqual([names(more), more.discount], [["Fifteen"], 1_350]);
    const code = { automatic: false, title: undefined, code: "FIVE", value: 500 };
    const five = await create(app, code);
    const kept = await checkOut(app, items, { couponCode: "five" });
    const record = await load(app, kept);
    assert.deepEqual([record.couponId, record.couponCode, record.discount], [undefined, undefined, 500]);
    assert.equal((await read<CouponView>(await app.admin("GET", `${PATH}/${five.id}`))).used, 0);
    await read(await app.admin("PATCH", `${PATH}/${five.id}`, { stacks: true }));
    const all = await preview(app, items, { couponCode: "five" });
    // 10 % of 30.00, 5 % of 27.00, then 2.00.
    assert.deepEqual([names(all), all.discount], [["Ten", "FIVE", "Two euros"], 300 + 135 + 200]);
    await read(await app.admin("PATCH", `${PATH}/${five.id}`, { stacks: false, value: 5_000 }));
    const half = await preview(app, items, { couponCode: "five" });
    assert.deepEqual([names(half), half.discount], [["FIVE"], 1_500]);
  });

  it("for every order are refused where EU law calls them a price reduction", async () => {
    const refused = await app.admin("POST", PATH, {
      automatic: true,
      title: "All",
      kind: "percent",
      value: 1_000,
    });
    const { errors } = await read<{ errors: { pointer: string }[] }>(refused, 422);
    assert.deepEqual(
      errors.map(({ pointer }) => pointer),
      ["/minimum"],
    );
    await create(app, { value: 1_000, minimumQuantity: 2 });
    await create(app, { kind: "shipping" });
    await app.setSite({ eu: { ...(await app.store.read(readSite)).eu, mode: "off" } });
    await create(app, { value: 1_000 });
  });

  it("of shipping reduce the fee, together as far as there is one, and its tax", async () => {
    await create(app, { title: "Free", kind: "shipping", minimum: 3_000, cap: 500, stacks: true });
    const partly = await preview(app, items);
    assert.deepEqual([partly.shipping, partly.total, partly.discount], [90, 3_090, 0]);
    await create(app, { title: "Free too", kind: "shipping", minimum: 3_000, stacks: true });
    const free = await preview(app, items);
    assert.deepEqual([free.shipping, free.total], [0, 3_000]);
    assert.deepEqual(
      free.discounts.map(({ shipping }) => shipping),
      [500, 90],
    );
    const placed = await checkOut(app, items);
    const order = await load(app, placed);
    assert.deepEqual([order.shipping, order.tax?.shipping], [0, 0]);
    const [{ productId } = assert.fail()] = items;
    assert.equal((await preview(app, [{ productId, quantity: 2 }])).shipping, 590);
    await app.setSite({
      shipping: {
        ...(await app.store.read(readSite)).shipping,
        methods: [
          {
            id: "shm_a",
            title: "Parcel",
            description: "",
            deliveryTime: "",
            translations: {},
            enabled: true,
            countries: [],
            excludedCountries: [],
            by: "weight",
            steps: [{ from: 0, price: 490 }],
            sortOrder: 0,
          },
        ],
      },
    });
    assert.deepEqual(
      (await preview(app, items)).shippingMethods.map(({ price }) => price),
      [0],
    );
  });

  it("by a code reduce the fee, and are refused where nothing is shipped", async () => {
    await create(app, { automatic: false, title: undefined, code: "POST", kind: "shipping" });
    const shown = await preview(app, items, { couponCode: "post" });
    assert.deepEqual([shown.shipping, shown.total], [0, 3_000]);
    const digital = await addProduct(app, { price: 500 });
    const body = { items: [{ productId: digital.id, quantity: 1 }], couponCode: "post" };
    const answer = await app.send("POST", "/api/checkout/preview", { body });
    const { errors } = await read<{ errors: { code: string }[] }>(answer, 422);
    assert.deepEqual(
      errors.map(({ code }) => code),
      ["scope"],
    );
  });
});

describe("buy X, get Y", () => {
  it("is in cart, order and invoice, refunded line by line to the unit, and follows an edit", async () => {
    const app = await openShop();
    await liftLimits(app);
    const mug = await addProduct(app, { price: 1_001, onHand: 999, deliveryType: "shipping" });
    const pen = await addProduct(app, { price: 333, onHand: 999, deliveryType: "shipping" });
    for (const [fields, pointer] of [
      [{}, "/buyQuantity"],
      [{ buyQuantity: 2, getQuantity: 1, cap: 5 }, "/cap"],
      [{ buyQuantity: 2, getQuantity: 1, getProductIds: ["prd_none"] }, "/getProductIds/0"],
    ] as const) {
      const body = { automatic: true, title: "No", kind: "buy_get", value: 10_000, ...fields };
      const refused = await read<{ errors: { pointer: string }[] }>(await app.admin("POST", PATH, body), 422);
      assert.ok(
        refused.errors.some((one) => one.pointer === pointer),
        pointer,
      );
    }
    const fields = { buyQuantity: 2, getQuantity: 1, value: 10_000 };
    await create(app, { title: "Two and one free", kind: "buy_get", stacks: true, ...fields });
    await create(app, { title: "A tenth", value: 1_000, minimum: 1, stacks: true });
    const items = [
      { productId: mug.id, quantity: 4 },
      { productId: pen.id, quantity: 3 },
    ];
    const shown = await preview(app, items, { shippingAddress: place });
    // Two of three pens are free; then a tenth of what is left.
    assert.deepEqual(
      shown.discounts.map(({ title, amount }) => [title, amount]),
      [
        ["Two and one free", 666],
        ["A tenth", 434],
      ],
    );
    const placed = await checkOut(app, items, { expectedTotal: shown.total });
    await pay(app, placed);
    const lines = (await load(app, placed)).lines;
    assert.ok(lines.every(({ total }) => total >= 0));
    for (const line of lines)
      for (let unit = 0; unit < line.quantity; unit += 1)
        await read(
          await app.admin("POST", `/api/admin/orders/${placed.order.id}/refund`, {
            lines: [{ lineId: line.id, quantity: 1 }],
          }),
        );
    const after = await load(app, placed);
    assert.equal(after.amountPaid, after.shipping);
    const documents = await papers(app, placed);
    const kept = documents.reduce((sum, { kind, total }) => sum + (kind === "invoice" ? total : -total), 0);
    assert.equal(kept, after.shipping);
    const second = await checkOut(app, [{ productId: mug.id, quantity: 2 }]);
    const { discounts = [], lines: ordered } = await load(app, second);
    assert.deepEqual(names({ discounts }), ["A tenth"]);
    const [line = assert.fail()] = ordered;
    const more = [{ lineId: line.id, quantity: 3 }];
    const path = `/api/admin/orders/${second.order.id}/edit-preview`;
    const { total } = await read<{ total: number }>(await app.admin("POST", path, { lines: more }));
    await read(await edit(app, second, { lines: more, expectedTotal: total }));
    assert.equal((await load(app, second)).discount, 1_001 + 200);
  });

  it("is not used by a code where too few units are in the cart", async () => {
    const app = await openShop();
    const mug = await addProduct(app, { price: 1_000, onHand: 999, deliveryType: "shipping" });
    const body = { code: "THREE", kind: "buy_get", value: 5_000, buyQuantity: 2, getQuantity: 1 };
    await read(await app.admin("POST", PATH, body), 201);
    const ask = (quantity: number): Promise<Response> =>
      app.send("POST", "/api/checkout/preview", {
        body: { items: [{ productId: mug.id, quantity }], couponCode: "THREE" },
      });
    const refused = await read<{ reason: string }>(await ask(2), 422);
    assert.equal(refused.reason, "quantity");
    assert.equal((await read<Sums>(await ask(3))).discount, 500);
  });
});

describe("an edited order", () => {
  it("gains and loses discounts as a new one would, and keeps those that ended since", async () => {
    const app = await openShop();
    const mug = await addProduct(app, { price: 1_000, onHand: 999, deliveryType: "shipping" });
    const made = await create(app, { title: "Bulk", value: 1_000, minimum: 5_000 });
    const placed = await checkOut(app, [{ productId: mug.id, quantity: 3 }]);
    const used = async (): Promise<number> =>
      (await read<CouponView>(await app.admin("GET", `${PATH}/${made.id}`))).used;
    const setQuantity = async (quantity: number): Promise<void> => {
      const [line = assert.fail()] = (await load(app, placed)).lines;
      const lines = [{ lineId: line.id, quantity }];
      const path = `/api/admin/orders/${placed.order.id}/edit-preview`;
      const { total } = await read<{ total: number }>(await app.admin("POST", path, { lines }));
      await read(await edit(app, placed, { lines, expectedTotal: total }));
    };
    assert.equal(await used(), 0);
    await setQuantity(5);
    const more = await load(app, placed);
    assert.deepEqual(
      [more.discount, more.total, names({ discounts: more.discounts ?? [] })],
      [500, 5_090, ["Bulk"]],
    );
    assert.equal(await used(), 1);
    // As a checkout of the same items would be.
    const fresh = await preview(app, [{ productId: mug.id, quantity: 5 }], { shippingAddress: place });
    assert.equal(fresh.total, more.total);
    await read(await app.admin("PATCH", `${PATH}/${made.id}`, { enabled: false }));
    await setQuantity(6);
    assert.equal((await load(app, placed)).discount, 600);
    await setQuantity(4);
    const less = await load(app, placed);
    assert.deepEqual([less.discount, less.discounts, await used()], [0, undefined, 0]);
    await setQuantity(7);
    assert.equal((await load(app, placed)).discount, 0);
  });

  it("pays for the shipping again once it is no longer free", async () => {
    const app = await openShop();
    const mug = await addProduct(app, { price: 1_000, onHand: 999, deliveryType: "shipping" });
    await create(app, { title: "Free", kind: "shipping", minimum: 3_000 });
    const placed = await checkOut(app, [{ productId: mug.id, quantity: 3 }]);
    assert.equal((await load(app, placed)).total, 3_000);
    const [line = assert.fail()] = (await load(app, placed)).lines;
    const path = `/api/admin/orders/${placed.order.id}/edit-preview`;
    const toTotal = async (quantity: number): Promise<number> => {
      const lines = [{ lineId: line.id, quantity }];
      return (await read<{ total: number }>(await app.admin("POST", path, { lines }))).total;
    };
    assert.deepEqual([await toTotal(2), await toTotal(4)], [2_590, 4_000]);
  });
});
