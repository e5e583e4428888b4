/** Two nodes with one PostgreSQL renew the same subscriptions at once: each period has one order, paid once, and no invoice number is missing. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { subscriptions } from "../../../src/shop/subscriptions/records.ts";
import type { RenewalRecord } from "../../../src/shop/subscriptions/schema.ts";
import { openPostgresStore } from "../../../src/store/postgres/postgres-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { createTestDatabase } from "../../support/postgres.ts";
import type { TestShop } from "../app-fixture.ts";
import { listAll } from "../race-checks.ts";
import {
  DAY,
  MONTHLY,
  addRenewing,
  assertRenewalBooks,
  buyRenewing,
  findOrder,
  kindsOfMails,
  listRenewals,
  openRenewalShop,
  pay,
  setUp,
} from "./renewal-room.ts";

const SUBSCRIPTIONS = 4;
const PERIODS = 3;

describe("renewals by two nodes on PostgreSQL", () => {
  const stores: Store[] = [];
  let drop: () => Promise<void>;
  const nodes: TestShop[] = [];

  before(async () => {
    const database = await createTestDatabase();
    drop = database.drop;
    const options = { url: database.url, name: "shop", collections: shopCollections, patienceMs: 600_000 };
    const clock = createFixedClock(Date.parse("2026-01-31T09:00:00Z"));
    for (const _node of [1, 2]) {
      const store = await openPostgresStore(options);
      stores.push(store);
      nodes.push(await openRenewalShop({ store, clock, isShared: true }));
    }
  });
  after(async () => {
    for (const store of stores) await store.close();
    await drop?.();
  });

  it("make one order of each period, take one payment of it, and give out invoice numbers without a gap", async () => {
    const [app] = nodes;
    assert.ok(app !== undefined);
    await setUp(app);
    await addRenewing(app, MONTHLY);
    for (let count = 0; count < SUBSCRIPTIONS; count += 1)
      await buyRenewing(app, undefined, { email: `buyer${count}@example.org` });
    /** Both nodes run the job twice, all at once. */
    const race = (): Promise<unknown> =>
      Promise.all([...nodes, ...nodes].map((node) => node.shop.renewalJobs.run()));
    await race();
    for (let period = 1; period <= PERIODS; period += 1) {
      app.clock.advance(20 * DAY);
      await race();
      const open: RenewalRecord[] = (await listRenewals(app)).filter(({ state }) => state === "open");
      assert.equal(open.length, SUBSCRIPTIONS, `open orders of period ${period}`);
      // Both nodes get the notice of each payment, while both look for what is due.
      const due = await Promise.all(open.map(({ orderId }) => findOrder(app, orderId)));
      await Promise.all([race(), ...due.flatMap((order) => nodes.map((node) => pay(node, order)))]);
      await race();
      await assertRenewalBooks(app);
      app.clock.advance(11 * DAY);
      await race();
    }
    const paid = (await listRenewals(app)).filter(({ state }) => state === "paid");
    assert.equal(paid.length, SUBSCRIPTIONS * PERIODS);
    const kept = await app.store.read((tx) => listAll(tx, subscriptions));
    for (const { id } of kept) {
      const own = paid.filter(({ subscriptionId }) => subscriptionId === id);
      assert.deepEqual(
        own.map(({ number }) => number).toSorted((a, b) => a - b),
        Array.from({ length: PERIODS }, (_each, index) => index + 1),
      );
      assert.equal(new Set(own.map(({ from }) => from)).size, PERIODS);
    }
    const mails = (await kindsOfMails(app)).filter((kind) => kind === "renewal_invoice");
    assert.equal(mails.length, new Set((await listRenewals(app)).map(({ id }) => id)).size);
    await assertRenewalBooks(app);
  });
});
