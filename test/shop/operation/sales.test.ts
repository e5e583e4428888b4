/** Sales by day, week and month, with top products and views, and the same days before. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toPeriodStart } from "../../../src/shop/operation/sales.ts";
import { products } from "../../../src/shop/products/records.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, order, sendNotice, setProvider, toNotice } from "../goods.ts";

interface Sums {
  readonly orders: number;
  readonly paidOrders: number;
  readonly revenue: number;
  readonly views?: number;
}
interface Sales {
  readonly from: string;
  readonly to: string;
  readonly total: Sums;
  readonly before: Sums & { readonly from: string; readonly to: string };
  readonly periods: readonly (Sums & { readonly start: string })[];
  readonly products: readonly { title: string; units: number; revenue: number }[];
  readonly isComplete: boolean;
}

const DAY_MS = 86_400_000;
const PATH = "/api/admin/sales";

async function sell(app: TestShop, productId: string, quantity = 1): Promise<void> {
  const made = await order(app, [{ productId, quantity }]);
  await sendNotice(app, toNotice(made.order, { id: `evt-${made.order.number}` }));
}

describe("sales", () => {
  it("are summed by day, week and month, beside as many days before", async () => {
    const app = await createTestShop();
    await setProvider(app);
    const [mug, hat] = [
      await addProduct(app, { title: "Mug" }),
      await addProduct(app, { title: "Hat", price: 5_000 }),
    ];
    const to = (): string => new Date(app.clock.now()).toISOString().slice(0, 10);
    await sell(app, mug.id);
    app.clock.advance(2 * DAY_MS);
    await sell(app, mug.id, 2);
    await sell(app, hat.id);
    await order(app, [{ productId: hat.id }]);
    const from = new Date(app.clock.now() - DAY_MS).toISOString().slice(0, 10);
    const sales = await read<Sales>(await app.admin("GET", `${PATH}?from=${from}&to=${to()}`));
    assert.deepEqual(sales.total, { orders: 3, paidOrders: 2, revenue: 7_000 });
    assert.deepEqual(sales.before, {
      from: new Date(app.clock.now() - 3 * DAY_MS).toISOString().slice(0, 10),
      to: new Date(app.clock.now() - 2 * DAY_MS).toISOString().slice(0, 10),
      orders: 1,
      paidOrders: 1,
      revenue: 1_000,
    });
    assert.deepEqual(sales.periods, [
      { start: from, orders: 0, paidOrders: 0, revenue: 0 },
      { start: to(), orders: 3, paidOrders: 2, revenue: 7_000 },
    ]);
    assert.deepEqual(
      sales.products.map(({ title, units, revenue }) => [title, units, revenue]),
      [
        ["Hat", 1, 5_000],
        ["Mug", 2, 2_000],
      ],
    );
    assert.equal(sales.isComplete, true);
    const month = await read<Sales>(await app.admin("GET", `${PATH}?unit=month`));
    assert.ok(month.periods.length <= 2 && month.periods.every(({ start }) => start.endsWith("-01")));
    assert.equal(month.total.orders, 4, "of the last 30 days");
  });

  it("name a product that is gone as its orders do", async () => {
    const app = await createTestShop();
    await setProvider(app);
    const mug = await addProduct(app, { title: "Mug" });
    await sell(app, mug.id);
    await app.store.transact((tx) => tx.remove(products, mug.id));
    const { products: top } = await read<Sales>(await app.admin("GET", PATH));
    assert.deepEqual(
      top.map(({ title }) => title),
      ["Mug"],
    );
  });

  it("have the views of each day since they are counted", async () => {
    const app = await createTestShop();
    const { id } = await addProduct(app);
    const look = (address: string): boolean =>
      app.shop.views.count(id, { clientAddress: address, userAgent: "x" });
    assert.ok(look("192.0.2.1") && look("192.0.2.2"));
    await app.shop.views.flush();
    app.clock.advance(DAY_MS);
    look("192.0.2.3");
    await app.shop.views.flush();
    const { periods, total, before } = await read<Sales>(await app.admin("GET", PATH));
    assert.deepEqual(
      periods.slice(-3).map(({ views }) => views),
      [undefined, 2, 1],
    );
    assert.deepEqual([total.views, before.views], [3, undefined]);
  });

  it("come as a table, in decimal numbers of the currency", async () => {
    const app = await createTestShop();
    await setProvider(app);
    await sell(app, (await addProduct(app)).id);
    const day = new Date(app.clock.now()).toISOString().slice(0, 10);
    const response = await app.admin("GET", `${PATH}/export?from=${day}&to=${day}`);
    assert.equal(
      await response.text(),
      `start,orders,paidOrders,revenue,currency,views\r\n${day},1,1,10.00,EUR,\r\n`,
    );
    assert.match(response.headers.get("content-disposition") ?? "", /sales-.*\.csv/u);
  });

  it("are for administrators, and for days that make sense", async () => {
    const app = await createTestShop();
    assert.deepEqual(await code(await app.send("GET", PATH)), [401, "unauthenticated"]);
    for (const query of ["from=2026-02-02&to=2026-02-01", "from=yesterday", "from=2020-01-01", "unit=year"])
      assert.deepEqual(await code(await app.admin("GET", `${PATH}?${query}`)), [422, "invalid"], query);
  });
});

it("weeks begin on Monday, months on the first", () => {
  assert.equal(toPeriodStart("2026-11-23", "week"), "2026-11-23");
  assert.equal(toPeriodStart("2026-11-22", "week"), "2026-11-16");
  assert.equal(toPeriodStart("1969-12-31", "week"), "1969-12-29");
  assert.equal(toPeriodStart("2026-11-23", "month"), "2026-11-01");
  assert.equal(toPeriodStart("2026-11-23", "day"), "2026-11-23");
});
