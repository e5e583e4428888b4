/** Races of money: one notice many times, many notices for one order, keys for many orders, and refunds. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { notices } from "../../src/shop/payments/records.ts";
import { orders } from "../../src/shop/orders/records.ts";
import { secrets } from "../../src/shop/products/records.ts";
import type { OrderRecord } from "../../src/shop/orders/schema.ts";
import { sendNotice, toNotice, WEBHOOK_SECRET } from "./goods.ts";
import { type RaceBench, atOnce, countAnswers } from "./race-bench.ts";

const makeKeys = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${name}-${String(n).padStart(4, "0")}`);

async function countResults(answers: readonly Response[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const answer of answers) {
    const { result }: { result?: string } = await answer.clone().json();
    const name = `${answer.status} ${result ?? ""}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Kinds of the mails that went to an address, beside that of the checkout. */
async function mailKindsTo(bench: RaceBench, email: string): Promise<string[]> {
  const mails = await bench.app(0).mails(email);
  return mails.map(({ kind }) => kind).filter((kind) => kind !== "order_placed");
}

async function keysOf(bench: RaceBench, { id }: OrderRecord): Promise<string[]> {
  const { handedOver } = await bench.app(1).shop.orders.get(id, { isAdmin: true });
  return handedOver.flatMap(({ values }) => values);
}

/** Says what must hold; `bench` is there when the tests run. */
export function itKeepsPayments(bench: () => RaceBench): void {
  for (const [what, toEvent] of [
    ["with one event id", () => "evt-same"],
    ["with one reference and an event id each", (turn: number) => `evt-${turn}`],
  ] as const) {
    it(`50 identical notices ${what} are applied once: one delivery, one mail, 50 × 200`, async () => {
      const keys = makeKeys(`same-${what.length}`, 10);
      const productId = await bench().addProduct({ keys });
      const email = `same-${what.length}@example.org`;
      const [placed = assert.fail()] = await bench().place(1, productId, { email });
      const answers = await atOnce(50, (turn) =>
        sendNotice(bench().app(turn), toNotice(placed), {
          "x-webhook-secret": WEBHOOK_SECRET,
          "webhook-id": `${placed.id}-${toEvent(turn)}`,
        }),
      );
      assert.deepEqual(await countResults(answers), { "200 applied": 1, "200 duplicate": 49 });
      assert.deepEqual(await mailKindsTo(bench(), email), ["order_delivered"]);
      assert.equal((await keysOf(bench(), placed)).length, 1);
      const order = await bench().findOrder(placed.id);
      assert.deepEqual([order.status, order.amountPaid], ["delivered", order.total]);
      const ledger = await bench().store.read((tx) =>
        tx.list(notices, "byOrder", { prefix: [placed.id], limit: 10 }),
      );
      assert.deepEqual(
        ledger.items.map(({ state, repeats }) => [state, repeats]),
        [["applied", 49]],
      );
    });
  }

  it("20 orders that are paid at once get 20 different keys of 20", async () => {
    const keys = makeKeys("each", 20);
    const placed = await bench().place(20, await bench().addProduct({ keys }));
    const answers = await atOnce(20, (turn) =>
      sendNotice(bench().app(turn), toNotice(placed[turn] ?? assert.fail())),
    );
    assert.deepEqual(await countResults(answers), { "200 applied": 20 });
    const given: string[] = [];
    for (const one of placed) given.push(...(await keysOf(bench(), one)));
    assert.deepEqual(given.toSorted(), keys);
  });

  it("payments with other references for one order: one pays it, the others wait for a person", async () => {
    const [placed = assert.fail()] = await bench().place(1, await bench().addProduct({ onHand: 5 }));
    const answers = await atOnce(12, (turn) =>
      sendNotice(bench().app(turn), toNotice(placed, { id: `ref-${placed.id}-${turn}` })),
    );
    assert.deepEqual(await countResults(answers), { "200 applied": 1, "200 needs_review": 11 });
    const order = await bench().findOrder(placed.id);
    assert.deepEqual([order.amountPaid, order.attention], [order.total, ["duplicate_payment"]]);
  });

  it("payments of a part each add up, and the last one that is needed pays", async () => {
    const [placed = assert.fail()] = await bench().place(1, await bench().addProduct({ onHand: 5 }));
    const answers = await atOnce(14, (turn) =>
      sendNotice(bench().app(turn), toNotice(placed, { id: `part-${placed.id}-${turn}`, amount: 100 })),
    );
    assert.deepEqual(await countResults(answers), { "200 applied": 10, "200 needs_review": 4 });
    const order = await bench().findOrder(placed.id);
    assert.deepEqual([order.status, order.amountPaid, order.paymentStatus], ["paid", 1_000, "paid"]);
  });

  it("one reference that names two orders pays one of them", async () => {
    const placed = await bench().place(2, await bench().addProduct({ onHand: 5 }));
    const answers = await atOnce(10, (turn) =>
      sendNotice(
        bench().app(turn),
        toNotice(placed[(turn >> 1) & 1] ?? assert.fail(), { id: `both-${placed[0]?.id ?? ""}` }),
      ),
    );
    assert.equal((await countResults(answers))["200 applied"], 1);
    const states = await Promise.all(placed.map(async ({ id }) => (await bench().findOrder(id)).status));
    assert.deepEqual(states.toSorted(), ["paid", "pending_payment"]);
  });

  it("refunds of administrators and of the provider never give back more than was paid", async () => {
    const [placed = assert.fail()] = await bench().place(1, await bench().addProduct({ onHand: 5 }));
    assert.equal((await sendNotice(bench().app(0), toNotice(placed))).status, 200);
    const path = `/api/admin/orders/${placed.id}/refund`;
    const [byAdmin, byProvider] = await Promise.all([
      atOnce(10, (turn) => bench().app(turn).admin("POST", path, { amount: 300 })),
      atOnce(10, (turn) =>
        sendNotice(
          bench().app(turn),
          toNotice(placed, { id: `back-${placed.id}-${turn}`, amount: 300, status: "refunded" }),
        ),
      ),
    ]);
    const { "200": done = 0, "422 invalid": refused = 0 } = await countAnswers(byAdmin);
    const results = await countResults(byProvider);
    assert.equal(done + refused, 10);
    assert.equal(done + (results["200 applied"] ?? 0), 3);
    assert.equal((results["200 applied"] ?? 0) + (results["200 needs_review"] ?? 0), 10);
    const order = await bench().findOrder(placed.id);
    assert.deepEqual([order.amountPaid, order.amountRefunded], [100, 900]);
  });

  it("20 refunds of everything are one, and 10 cancels after it put units back once", async () => {
    const productId = await bench().addProduct({ onHand: 5 });
    const [placed = assert.fail()] = await bench().place(1, productId, { email: "back@example.org" });
    assert.equal((await sendNotice(bench().app(0), toNotice(placed))).status, 200);
    const path = `/api/admin/orders/${placed.id}`;
    const refunds = await atOnce(20, (turn) =>
      bench().app(turn).admin("POST", `${path}/refund`, { amount: placed.total }),
    );
    assert.deepEqual(await countAnswers(refunds), { "200": 1, "422 invalid": 19 });
    const cancels = await atOnce(10, (turn) => bench().app(turn).admin("POST", `${path}/cancel`, {}));
    assert.deepEqual(await countAnswers(cancels), { "200": 1, "409 illegal_transition": 9 });
    const kinds = await mailKindsTo(bench(), "back@example.org");
    assert.deepEqual(kinds.toSorted(), ["order_canceled", "order_paid", "order_refunded"]);
  });

  it("marked as paid by two administrators and the provider at once, an order is paid once", async () => {
    const placed = await bench().place(8, await bench().addProduct({ keys: makeKeys("mark", 8) }));
    const path = (id: string): string => `/api/admin/orders/${id}/mark-paid`;
    await Promise.all(
      placed.flatMap((one) => [
        bench().app(0).admin("POST", path(one.id), {}),
        bench().app(1).admin("POST", path(one.id), {}),
        sendNotice(bench().app(0), toNotice(one)),
      ]),
    );
    for (const { id } of placed) {
      const order = await bench().findOrder(id);
      assert.deepEqual([order.status, order.amountPaid], ["delivered", order.total]);
    }
    const free = await bench().store.read((tx) =>
      tx.count(secrets, "byState", { prefix: [placed[0]?.lines[0]?.stockId ?? "", "free"] }),
    );
    assert.equal(free, 0);
    assert.equal(
      await bench().store.read((tx) => tx.count(orders, "byPendingUntil")),
      await countPending(bench()),
    );
  });
}

function countPending({ store }: RaceBench): Promise<number> {
  return store.read((tx) => tx.count(orders, "byStatus", { prefix: ["pending_payment"] }));
}
