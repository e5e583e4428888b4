/** Sales for administrators. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, order, sendNotice, setProvider, toNotice } from "../goods.ts";

interface Stats {
  readonly byStatus: Record<string, number>;
  readonly revenue: number;
  readonly needAttention: number;
  readonly openNotices: number;
  readonly days: { day: string; orders: number; paidOrders: number; revenue: number }[];
}

it("adds up orders by state and by the day of the shop's time zone", async () => {
  const app = await createTestShop();
  await setProvider(app);
  await app.setSite({ timeZone: "Pacific/Auckland" });
  const { id } = await addProduct(app);
  const day = (ms: number): string =>
    new Intl.DateTimeFormat("en-CA", { timeZone: "Pacific/Auckland", dateStyle: "short" }).format(ms);
  const first = day(app.clock.now());
  const one = (await order(app, [{ productId: id }])).order;
  await sendNotice(app, toNotice(one));
  await sendNotice(app, toNotice(one, { id: "r", status: "refunded", amount: 300 }));
  app.clock.advance(86_400_000);
  const two = (await order(app, [{ productId: id }])).order;
  await sendNotice(app, toNotice(two, { currency: "USD" }));
  const stats = await read<Stats>(await app.admin("GET", "/api/admin/stats"));
  assert.deepEqual([stats.byStatus["paid"], stats.byStatus["pending_payment"]], [1, 1]);
  assert.deepEqual([stats.revenue, stats.needAttention, stats.openNotices], [700, 1, 1]);
  assert.deepEqual(stats.days, [
    { day: first, orders: 1, paidOrders: 1, revenue: 700 },
    { day: day(app.clock.now()), orders: 1, paidOrders: 0, revenue: 0 },
  ]);
  const to = encodeURIComponent(new Date(app.clock.now() - 3_600_000).toISOString());
  assert.equal((await read<Stats>(await app.admin("GET", `/api/admin/stats?to=${to}`))).days.length, 1);
});

it("is for administrators, and for a range of time that makes sense", async () => {
  const app = await createTestShop();
  assert.deepEqual(await code(await app.send("GET", "/api/admin/stats")), [401, "unauthenticated"]);
  const times = "from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z";
  for (const query of [times, "from=yesterday", "from=2020-01-01T00:00:00Z"])
    assert.deepEqual(
      await code(await app.admin("GET", `/api/admin/stats?${query}`)),
      [422, "invalid"],
      query,
    );
  assert.deepEqual((await read<Stats>(await app.admin("GET", "/api/admin/stats"))).days, []);
});
