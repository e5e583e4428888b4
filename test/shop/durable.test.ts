/** A payment notice is answered when it is on disk and not before; what cannot be stored is not acknowledged. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { notices } from "../../src/shop/payments/records.ts";
import { secrets } from "../../src/shop/products/records.ts";
import { shopCollections } from "../../src/shop/app/records.ts";
import type { OrderRecord } from "../../src/shop/orders/schema.ts";
import { type JournalStore, openJournalStore } from "../../src/store/journal/journal-store.ts";
import type { Store } from "../../src/store/store.ts";
import { type Fault, FaultyFiles } from "../store/faulty-files.ts";
import { stateOf } from "../store/journal/journal-harness.ts";
import { type FixedClock, createFixedClock } from "../support/fixed-clock.ts";
import { type TestShop, code, createTestShop, read } from "./app-fixture.ts";
import { addProduct, order, sendNotice, setProvider, toNotice } from "./goods.ts";
import { assertConsistent } from "./race-checks.ts";

let lives = 0;
let files: FaultyFiles;
let clock: FixedClock;
let store: JournalStore;
let app: TestShop;
let productId: string;
let placed: OrderRecord;

function open(disk: FaultyFiles): Promise<JournalStore> {
  lives += 1;
  return openJournalStore({
    folder: "/data/shop",
    name: "shop",
    collections: shopCollections,
    clock,
    files: disk,
    // Each life has its own boot, so that the lock of the life before is known to be dead.
    lock: {
      watchMs: 0,
      identity: { pid: lives, bootId: `boot ${lives}`, namespace: "one", startTicks: "1" },
    },
  });
}

beforeEach(async () => {
  files = new FaultyFiles();
  clock = createFixedClock();
  store = await open(files);
  app = await createTestShop({ store, clock });
  await setProvider(app);
  productId = (await addProduct(app, { keys: ["key-1", "key-2"] })).id;
  placed = (await order(app, [{ productId }])).order;
});

// A disk without power cannot be closed in good order.
afterEach(() => store.close().catch(() => undefined));

const notify = (): Promise<Response> => sendNotice(app, toNotice(placed));

async function resultOf(response: Response): Promise<string> {
  const { result } = await read<{ result: string }>(response);
  return result;
}

/** What a store holds of the order's payment: entries of the ledger, and keys that were given. */
async function paymentIn(place: Store): Promise<[entries: number, keys: number]> {
  return place.read(async (tx) => [
    await tx.count(notices, "byOrder", { prefix: [placed.id] }),
    await tx.count(secrets, "byOrder", { prefix: [placed.id] }),
  ]);
}

/** The same on the disk that a power cut leaves now. */
async function paymentAfterPowerCut(): Promise<[entries: number, keys: number]> {
  const again = await open(files.afterPowerCut());
  try {
    await assertConsistent(again);
    return await paymentIn(again);
  } finally {
    await again.close();
  }
}

describe("the answer to a payment notice", () => {
  it("waits until the notice is on disk, and so does that to a repeat", async () => {
    files.holdSyncs();
    const first = notify();
    const second = notify();
    const third = notify();
    assert.equal(await stateOf(Promise.race([first, second, third])), "pending");
    // No response was sent, and nothing is stored.
    assert.deepEqual(await paymentAfterPowerCut(), [0, 0]);
    files.releaseSyncs();
    assert.deepEqual(await Promise.all([first, second, third].map(async (one) => resultOf(await one))), [
      "applied",
      "duplicate",
      "duplicate",
    ]);
    assert.deepEqual(await paymentAfterPowerCut(), [1, 1]);
  });

  it("waits also for a repeat that comes while the first is on its way to the disk", async () => {
    files.holdSyncs();
    const first = notify();
    assert.equal(await stateOf(first), "pending");
    const repeat = notify();
    assert.equal(await stateOf(repeat), "pending");
    files.releaseSyncs();
    assert.deepEqual([await resultOf(await first), await resultOf(await repeat)], ["applied", "duplicate"]);
    assert.deepEqual(await paymentAfterPowerCut(), [1, 1]);
  });

  it("waits for an order that is not stored yet, too", async () => {
    files.holdSyncs();
    const body = {
      items: [{ productId, quantity: 1 }],
      contact: { email: "ben@example.org" },
      consents: { digitalContent: true },
    };
    const bought = app.send("POST", "/api/checkout", { body });
    assert.equal(await stateOf(bought), "pending");
    files.releaseSyncs();
    assert.equal((await bought).status, 201);
  });
});

const faults: readonly (readonly [string, Fault])[] = [
  ["a full disk", { operation: "append", path: "journal", code: "ENOSPC" }],
  ["a short write", { operation: "append", path: "journal", code: "ENOSPC", shortBy: "half" }],
  ["an fsync error", { operation: "datasync", path: "journal" }],
];

describe("a disk that fails", () => {
  for (const [what, fault] of faults) {
    it(`${what}: 503, no notice is acknowledged, and after healing one of the repeats is applied`, async () => {
      files.fail(fault, { operation: "open", path: "json.tmp", times: 2 });
      const together = await Promise.all([notify(), notify(), notify()]);
      for (const answer of together) {
        assert.ok(answer.headers.has("retry-after"));
        assert.deepEqual(await code(answer), [503, "store_unavailable"]);
      }
      assert.deepEqual(await code(await notify()), [503, "store_unavailable"]);
      // What is known can be read, and is what it was before.
      const shown = await app.send("GET", "/api/products");
      assert.equal(shown.status, 200);
      assert.deepEqual(await paymentIn(store), [0, 0]);
      assert.deepEqual(await paymentAfterPowerCut(), [0, 0]);

      for (const wait of [1_000, 1_000, 2_000]) {
        await store.check().catch(() => undefined);
        clock.advance(wait);
      }
      await store.check();
      const retried = await Promise.all([notify(), notify()]);
      assert.deepEqual((await Promise.all(retried.map(resultOf))).toSorted(), ["applied", "duplicate"]);
      assert.deepEqual(await paymentAfterPowerCut(), [1, 1]);
      const mails = await app.mails(placed.email);
      assert.deepEqual(mails.map(({ kind }) => kind).toSorted(), ["order_delivered", "order_placed"]);
      await assertConsistent(store);
    });
  }
});

describe("a power cut at any step of an order and its notice", () => {
  it("leaves all of what was acknowledged and nothing by half", async () => {
    const start = files.operations;
    await notify();
    const steps = files.operations - start;
    assert.ok(steps > 0);
    for (let step = 0; step <= steps; step += 1) {
      files = new FaultyFiles();
      store = await open(files);
      app = await createTestShop({ store, clock });
      await setProvider(app);
      productId = (await addProduct(app, { keys: ["key-1", "key-2"] })).id;
      placed = (await order(app, [{ productId }])).order;
      files.powerCutAfter = files.operations + step;
      const answer = await notify();
      const isAcknowledged = answer.status === 200;
      assert.ok(isAcknowledged || answer.status === 503, String(answer.status));
      const [entries, keys] = await paymentAfterPowerCut();
      assert.equal(entries, keys);
      if (isAcknowledged) assert.equal(entries, 1);
    }
  });
});
