/** Races of checkout: for the last units, the last uses of a coupon, the last place of those who may wait, and one key. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { coupons } from "../../src/shop/coupons/records.ts";
import { orders } from "../../src/shop/orders/records.ts";
import { stock } from "../../src/shop/products/records.ts";
import { checkLedger } from "../../src/shop/payments/ledger-check.ts";
import { liftLimits } from "./goods.ts";
import { listAll } from "./race-checks.ts";
import { type RaceBench, atOnce, countAnswers } from "./race-bench.ts";

/** Says what must hold; `bench` is there when the tests run. */
export function itKeepsCheckout(bench: () => RaceBench): void {
  it("200 checkouts for 10 units make 10 orders, and no more units are promised at any time", async () => {
    const id = await bench().addProduct({ onHand: 10 });
    const seen: [onHand: number, reserved: number][] = [];
    const stop = { now: false };
    const watching = (async () => {
      while (!stop.now) {
        // A busy store says so; the request is repeated.
        const found = await bench()
          .store.read((tx) => tx.get(stock, id))
          .catch(() => undefined);
        if (found !== undefined) seen.push([found.onHand, found.reserved]);
        await new Promise((resolve) => setImmediate(resolve)); // a store in memory never waits for anything
      }
    })();
    const answers = await atOnce(200, (turn) =>
      bench().checkOut(turn, { items: [{ productId: id, quantity: 1 }] }),
    );
    stop.now = true;
    await watching;
    assert.deepEqual(await countAnswers(answers), { "201": 10, "409 out_of_stock": 190 });
    assert.ok(seen.length > 0 && seen.every(([onHand, reserved]) => onHand === 10 && reserved <= 10));
    const record = await bench().store.read((tx) => tx.get(stock, id));
    assert.deepEqual([record?.onHand, record?.reserved, record?.sold], [10, 10, 0]);
  });

  it("orders of several things that meet in another order take all or nothing", async () => {
    const a = await bench().addProduct({ onHand: 6 });
    const b = await bench().addProduct({ onHand: 4 });
    const answers = await atOnce(40, (turn) => {
      const items = [a, b].map((productId) => ({ productId, quantity: 1 }));
      return bench().checkOut(turn, { items: turn % 2 === 0 ? items : items.toReversed() });
    });
    assert.deepEqual(await countAnswers(answers), { "201": 4, "409 out_of_stock": 36 });
    const [left, none] = await bench().store.read(async (tx) => [
      await tx.get(stock, a),
      await tx.get(stock, b),
    ]);
    assert.deepEqual([left?.reserved, none?.reserved], [4, 4]);
  });

  it("50 checkouts with a coupon of 5 uses are 5 orders", async () => {
    const id = await bench().addProduct({ onHand: 100 });
    const coupon = await bench().addCoupon({ code: "FIVE", maxUses: 5 });
    const answers = await atOnce(50, (turn) =>
      bench().checkOut(turn, { items: [{ productId: id, quantity: 1 }], couponCode: "five" }),
    );
    assert.deepEqual(await countAnswers(answers), { "201": 5, "422 coupon_invalid": 45 });
    const stored = await bench().store.read((tx) => tx.get(coupons, coupon.id));
    assert.equal(stored?.used, 5);
  });

  it("40 checkouts with one gift card spend what it has, and no more", async () => {
    const id = await bench().addProduct({ onHand: 100, price: 300 });
    const code = await bench().addGiftCard(1_000);
    const answers = await atOnce(40, (turn) =>
      bench().checkOut(turn, { items: [{ productId: id, quantity: 1 }], giftCardCodes: [code] }),
    );
    // Three in full, one in part; many codes of a card without a balance are not guesses.
    assert.deepEqual(await countAnswers(answers), { "201": 4, "422 gift_card_invalid": 36 });
    assert.deepEqual((await checkLedger(bench().store)).faults, []);
    const all = await bench().store.read((tx) => listAll(tx, orders));
    const paid = all.flatMap(({ giftCards = [] }) => giftCards).map(({ amount }) => amount);
    assert.deepEqual(
      paid.toSorted((a, b) => a - b),
      [100, 300, 300, 300],
    );
  });

  it("20 checkouts of one user, and of one guest, use a coupon once that each may use once", async () => {
    const id = await bench().addProduct({ onHand: 100 });
    const coupon = await bench().addCoupon({ code: "ONCE", maxUsesPerUser: 1 });
    const body = { items: [{ productId: id, quantity: 1 }], couponCode: "ONCE" };
    for (const who of [{ as: "coupona" }, { email: "coupon-guest@example.org" }]) {
      const answers = await atOnce(20, (turn) => bench().checkOut(turn, body, who));
      assert.deepEqual(await countAnswers(answers), { "201": 1, "422 coupon_invalid": 19 });
    }
    const stored = await bench().store.read((tx) => tx.get(coupons, coupon.id));
    assert.equal(stored?.used, 2);
  });

  it("20 checkouts of one user, and of one guest, get no more of a product than one customer may have", async () => {
    const id = await bench().addProduct({ onHand: 100, maxPerCustomer: 1 });
    for (const who of [{ as: "limita" }, { email: "limit-guest@example.org", from: "203.0.113.8" }]) {
      const items = [{ productId: id, quantity: 1 }];
      const answers = await atOnce(20, (turn) => bench().checkOut(turn, { items }, who));
      assert.deepEqual(await countAnswers(answers), { "201": 1, "422 quantity_limit": 19 });
    }
  });

  it("a key that is sent 20 times at once makes one order, which a later repeat gets", async () => {
    const id = await bench().addProduct({ onHand: 100 });
    const body = { items: [{ productId: id, quantity: 2 }] };
    for (const who of [{ as: "keya" }, {}]) {
      const options = { ...who, email: "key@example.org", key: `key-${JSON.stringify(who).length}` };
      const answers = await atOnce(20, (turn) => bench().checkOut(turn, body, options));
      const counts = await countAnswers(answers);
      const { "201": made = 0, "200": repeated = 0, "409 idempotency_in_progress": refused = 0 } = counts;
      assert.deepEqual([made, repeated + refused], [1, 19], JSON.stringify(counts));
      const later = await bench().checkOut(1, body, options);
      assert.equal(later.status, 200);
      const ids = new Set<string>();
      for (const answer of [...answers.filter(({ ok }) => ok), later])
        ids.add(((await answer.json()) as { order: { id: string } }).order.id); // by the document, which was checked
      assert.equal(ids.size, 1);
      const other = await bench().checkOut(0, { items: [{ productId: id, quantity: 3 }] }, options);
      assert.equal(other.status, 422);
    }
    const record = await bench().store.read((tx) => tx.get(stock, id));
    assert.equal(record?.reserved, 4);
  });

  it("no more orders wait for one user, guest or address than may", async () => {
    const id = await bench().addProduct({ onHand: 200 });
    await bench()
      .app(0)
      .setSite({ maxPending: { user: 3, address: 5, email: 2 } });
    const body = { items: [{ productId: id, quantity: 1 }] };
    const cases = [
      { most: 3, options: { as: "waits" } },
      // From elsewhere each address may have one.
      { most: 2, options: { email: "waits@example.org", from: "203.0.113.6" } },
      { most: 5, options: { from: "203.0.113.7" } },
    ];
    for (const { most, options } of cases) {
      const answers = await atOnce(24, (turn) => bench().checkOut(turn + 1_000, body, options));
      assert.deepEqual(await countAnswers(answers), { "201": most, "429 too_many_pending": 24 - most });
    }
    const waiting = await bench().store.read((tx) =>
      tx.count(orders, "byOpenUser", { prefix: ["usr_waits"] }),
    );
    assert.equal(waiting, 3);
    await liftLimits(bench().app(0));
  });
}
