import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { sweepAudit, verifyAudit, writeAudit } from "../../src/kit/audit.ts";
import { auditCollection as audit } from "../../src/kit/audit.ts";
import { authCollections } from "../../src/auth/records.ts";
import { createMemoryStore } from "../../src/store/journal/memory-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createFixedClock } from "../support/fixed-clock.ts";

const clock = createFixedClock();
const actor = { name: "token", clientId: "test", requestId: "request" };
let store: Store;

async function write(count: number): Promise<void> {
  for (let number = 0; number < count; number += 1)
    await store.transact((tx) =>
      writeAudit(
        tx,
        { actor, action: "user.change", target: "usr_x", changes: [`number: ${number}`] },
        clock,
      ),
    );
}

async function idAt(index: number): Promise<string> {
  const { items } = await store.read((tx) => tx.list(audit, "id", { limit: 1_000 }));
  const entry = items[index];
  assert.ok(entry);
  return entry.id;
}

beforeEach(() => {
  store = createMemoryStore({ collections: authCollections });
});

describe("the audit's chain", () => {
  it("is whole when empty, and after entries", async () => {
    assert.deepEqual(await verifyAudit(store), { valid: true, entries: 0 });
    await write(5);
    assert.deepEqual(await verifyAudit(store), { valid: true, entries: 5 });
  });

  it("stays whole when many are written at once", async () => {
    await Promise.all(Array.from({ length: 20 }, () => write(1)));
    assert.deepEqual(await verifyAudit(store), { valid: true, entries: 20 });
  });

  it("stays whole after its oldest entries were dropped, and goes on from there", async () => {
    await write(10);
    assert.equal(await sweepAudit(store, 4), 6);
    assert.deepEqual(await verifyAudit(store), { valid: true, entries: 4 });
    await write(3);
    assert.deepEqual(await verifyAudit(store), { valid: true, entries: 7 });
    assert.equal(await sweepAudit(store, 7), 0);
  });

  it("drops at most 500 at a time", async () => {
    await write(510);
    assert.equal(await sweepAudit(store, 1), 500);
    assert.equal(await sweepAudit(store, 1), 9);
    assert.deepEqual(await verifyAudit(store), { valid: true, entries: 1 });
  });

  for (const [field, value] of [
    ["actor", "somebody else"],
    ["action", "user.read"],
    ["target", "usr_y"],
    ["result", "refused"],
    ["at", 1],
    ["clientId", "other"],
    ["requestId", "other"],
    ["changes", []],
    ["prevHash", "0".repeat(64)],
    ["hash", "0".repeat(64)],
  ] as const) {
    it(`shows a changed ${field}, also after older entries were dropped`, async () => {
      await write(6);
      await sweepAudit(store, 4);
      const id = await idAt(1);
      await store.transact(async (tx) => {
        const entry = await tx.get(audit, id);
        assert.ok(entry);
        await tx.put(audit, { ...entry, [field]: value });
      });
      assert.deepEqual(await verifyAudit(store), { valid: false, entries: 1, brokenAt: id });
    });
  }

  it("shows an entry that was taken out: the first, one in between, and the last", async () => {
    for (const [index, brokenIndex] of [
      [0, 1],
      [1, 2],
    ] as const) {
      store = createMemoryStore({ collections: authCollections });
      await write(4);
      const [id, next] = [await idAt(index), await idAt(brokenIndex)];
      await store.transact((tx) => tx.remove(audit, id));
      assert.deepEqual(await verifyAudit(store), { valid: false, entries: index, brokenAt: next });
    }
    store = createMemoryStore({ collections: authCollections });
    await write(4);
    const last = await idAt(3);
    await store.transact((tx) => tx.remove(audit, last));
    assert.deepEqual(await verifyAudit(store), { valid: false, entries: 3, brokenAt: "the end" });
  });

  it("keeps no entry of work that failed", async () => {
    await assert.rejects(
      store.transact(async (tx) => {
        await writeAudit(tx, { actor, action: "user.change", target: "usr_x" }, clock);
        throw new Error("it failed");
      }),
      /it failed/u,
    );
    assert.deepEqual(await verifyAudit(store), { valid: true, entries: 0 });
  });
});
