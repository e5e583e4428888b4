/** Races of what ends an order: payment, time and cancellation at once; and jobs that two processes run. */
import assert from "node:assert/strict";
import { it } from "node:test";
import type { OrderRecord } from "../../src/shop/orders/schema.ts";
import { stock } from "../../src/shop/products/records.ts";
import { sendNotice, toNotice } from "./goods.ts";
import { type RaceBench, atOnce } from "./race-bench.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Events of an order's history that moved it. */
function movesOf({ history }: OrderRecord): string[] {
  return history.flatMap(({ event, to }) => (to === undefined ? [] : [event]));
}

/** Both processes run a job, twice at once, until there is nothing left to do; resolves with how much they did. */
async function runJobs(bench: RaceBench, name: "expire" | "complete"): Promise<number> {
  let done = 0;
  for (;;) {
    const counts = await atOnce(4, (turn) => bench.app(turn).shop.orderJobs[name]());
    const sum = counts.reduce((all, count) => all + count, 0);
    if (sum === 0) return done;
    done += sum;
  }
}

/** Says what must hold; `bench` is there when the tests run. */
export function itKeepsOrders(bench: () => RaceBench): void {
  it("paid, expired and canceled at once, each of 30 orders ends in one way", async () => {
    const keys = Array.from({ length: 30 }, (_, n) => `end-${String(n).padStart(2, "0")}`);
    const productId = await bench().addProduct({ keys });
    const coupon = await bench().addCoupon({ code: "ENDS" });
    const placed: OrderRecord[] = [];
    for (let turn = 0; turn < 30; turn += 1) {
      const body = { items: [{ productId, quantity: 1 }], couponCode: coupon.code };
      const answer = await bench().checkOut(turn, body);
      const { order }: { order: { id: string } } = await answer.json();
      placed.push(await bench().findOrder(order.id));
    }
    bench()
      .app(0)
      .clock.advance(15 * MINUTE);
    const notified: Response[] = [];
    const ends = placed.map((one, turn) => {
      const calls = [
        async () => notified.push(await sendNotice(bench().app(turn), toNotice(one))),
        () =>
          bench()
            .app(turn + 1)
            .admin("POST", `/api/admin/orders/${one.id}/cancel`, {}),
        // Ends all that are due, as each process does every second.
        ...(turn % 5 === 0 ? [() => bench().app(turn).shop.orderJobs.expire()] : []),
      ];
      // Each of the three comes first for some.
      const order = [...calls.slice(turn % calls.length), ...calls.slice(0, turn % calls.length)];
      return Promise.all(order.map((call) => call()));
    });
    await Promise.all(ends);
    for (const answer of notified) assert.equal(answer.status, 200, await answer.clone().text());
    const states = new Map<string, number>();
    for (const { id } of placed) {
      const order = await bench().findOrder(id);
      const path = [order.status, ...movesOf(order)].join(" ");
      assert.match(
        path,
        /^(?:delivered placed (?:pay|expire pay_late) start_fulfilling deliver|canceled placed cancel)$/u,
      );
      if (order.status === "canceled") assert.deepEqual(order.attention, ["paid_after_cancel"]);
      states.set(order.status, (states.get(order.status) ?? 0) + 1);
    }
    const delivered = states.get("delivered") ?? 0;
    const record = await bench().store.read((tx) => tx.get(stock, productId));
    assert.deepEqual([record?.sold, record?.onHand, record?.reserved], [delivered, 30 - delivered, 0]);
  });

  it("late payments for units that others took in the meantime: no more are sold than there are", async () => {
    const productId = await bench().addProduct({ onHand: 6 });
    const late = await bench().place(6, productId);
    bench()
      .app(0)
      .clock.advance(15 * MINUTE);
    await runJobs(bench(), "expire");
    const fresh = await bench().place(3, productId);
    await Promise.all([...late, ...fresh].map((one, turn) => sendNotice(bench().app(turn), toNotice(one))));
    const found = await Promise.all([...late, ...fresh].map(({ id }) => bench().findOrder(id)));
    assert.equal(found.filter(({ status }) => status === "paid").length, 6);
    assert.ok(found.slice(6).every(({ status }) => status === "paid"));
    const short = found.filter(({ attention }) => attention.includes("stock_shortfall"));
    assert.deepEqual(
      short.map(({ status }) => status),
      ["expired", "expired", "expired"],
    );
  });

  it("two processes expire each order once, and what was due during a stop at the next start", async () => {
    const productId = await bench().addProduct({ onHand: 40 });
    await runJobs(bench(), "expire");
    const placed = await bench().place(40, productId);
    // As long as a stop over a night.
    bench().app(0).clock.advance(DAY);
    assert.equal(await runJobs(bench(), "expire"), 40);
    assert.equal(await runJobs(bench(), "expire"), 0);
    for (const { id } of placed) assert.deepEqual(movesOf(await bench().findOrder(id)), ["placed", "expire"]);
    const record = await bench().store.read((tx) => tx.get(stock, productId));
    assert.deepEqual([record?.onHand, record?.reserved], [40, 0]);
  });

  it("two processes and the buyer complete each order once", async () => {
    const keys = Array.from({ length: 12 }, (_, n) => `done-${String(n).padStart(2, "0")}`);
    const placed = await bench().place(12, await bench().addProduct({ keys }));
    for (const one of placed) await sendNotice(bench().app(0), toNotice(one));
    bench()
      .app(0)
      .clock.advance(14 * DAY);
    const mailsBefore = (await bench().app(0).mails()).length;
    await Promise.all([
      runJobs(bench(), "complete"),
      ...placed
        .slice(0, 6)
        .map(({ id }, turn) => bench().app(turn).admin("POST", `/api/orders/${id}/confirm`, {})),
    ]);
    assert.equal(await runJobs(bench(), "complete"), 0);
    for (const { id } of placed) {
      const order = await bench().findOrder(id);
      assert.equal(movesOf(order).filter((event) => event === "complete").length, 1);
    }
    assert.equal((await bench().app(0).mails()).length, mailsBefore);
  });

  it("two processes send each mail once", async () => {
    const { sentMails } = bench();
    await bench().place(20, await bench().addProduct({ onHand: 20 }), { email: "mailed@example.org" });
    const { outbox } = bench().app(0).shop.deps;
    // A run takes 20 mails; those of the races before wait, too, and some of them for too long.
    while ((await outbox.list({ state: "waiting", limit: 1 })).items.length > 0)
      await atOnce(4, (turn) => bench().app(turn).shop.deps.outbox.deliver());
    assert.equal(new Set(sentMails).size, sentMails.length);
    const mails = await bench().app(1).mails("mailed@example.org");
    assert.equal(mails.length, 20);
    for (const { id, state } of mails)
      assert.ok(state === "sent" && sentMails.includes(id), `${id} is ${state}`);
  });
}
