/** What must be true of subscriptions and their renewals, whatever happened. */
import assert from "node:assert/strict";
import { licenses } from "../../../src/shop/licence-keys/records.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import { addPeriods } from "../../../src/shop/subscriptions/periods.ts";
import { renewals, subscriptions } from "../../../src/shop/subscriptions/records.ts";
import type { Store } from "../../../src/store/store.ts";
import { listAll } from "../race-checks.ts";

/** Throws AssertionError unless periods, their orders, and the expiry of licenses agree with each other. */
export async function assertPeriods(store: Store): Promise<void> {
  const { subs, periods, all, keys } = await store.read(async (tx) => ({
    subs: await listAll(tx, subscriptions),
    periods: await listAll(tx, renewals),
    all: await listAll(tx, orders),
    keys: await listAll(tx, licenses),
  }));
  const byId = new Map(all.map((one) => [one.id, one]));
  for (const sub of subs) {
    const own = periods.filter(({ subscriptionId }) => subscriptionId === sub.id);
    const paid = own.filter(({ state }) => state === "paid").toSorted((a, b) => a.from - b.from);
    for (const [index, period] of paid.entries())
      assert.ok(index === 0 || period.from >= (paid[index - 1]?.until ?? 0), `${period.id} overlaps`);
    assert.ok(own.filter(({ state }) => state === "open").length <= 1, `${sub.id} has two open renewals`);
    assert.equal(
      addPeriods(sub.anchorAt, sub.terms, { periods: sub.paid, timeZone: sub.timeZone }),
      sub.paidUntil,
      "paid until",
    );
    for (const { lineId, expiresAt, disabledAt } of keys)
      if (lineId === sub.lineId && disabledAt === undefined)
        assert.ok(
          expiresAt === sub.paidUntil || expiresAt === sub.graceUntil || sub.state === "ended",
          `${sub.id}: a license expires at ${expiresAt}, paid until ${sub.paidUntil}`,
        );
  }
  for (const { id, orderId, state, total } of periods) {
    const found = byId.get(orderId);
    assert.ok(found, id);
    assert.equal(found.total, total, id);
    const isPaid = ["paid", "fulfilling", "delivered", "completed"].includes(found.status);
    if (state === "paid") assert.ok(isPaid && found.amountPaid === found.total, `${id} ${found.status}`);
    if (state === "unpaid" || state === "canceled") assert.ok(!isPaid, `${id} ${found.status}`);
  }
}
