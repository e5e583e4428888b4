import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { auditCollection as audit, auditHeadCollection as heads } from "../../src/records/audit-chain.ts";
import { listAudit, verifyAudit, writeAudit } from "../../src/records/audit.ts";
import { createMemoryStore } from "../../src/store/journal/memory-store.ts";
import type { Store } from "../../src/store/store.ts";
import { withTestKey } from "../support/audited-store.ts";
import { createFixedClock } from "../support/fixed-clock.ts";

const clock = createFixedClock();
const actor = { name: "token", clientId: "test", requestId: "request" };
let store: Store;

async function write(count: number, into: Store = store): Promise<void> {
  for (let number = 0; number < count; number += 1)
    await into.transact((tx) =>
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

/** Whether the chain is whole, how many entries were read, and where it breaks. */
async function check(): Promise<readonly [valid: boolean, entries: number, brokenAt?: string]> {
  const { valid, entries, brokenAt } = await verifyAudit(store);
  return brokenAt === undefined ? [valid, entries] : [valid, entries, brokenAt];
}

async function changeHead(change: object): Promise<void> {
  await store.transact(async (tx) => {
    const head = await tx.get(heads, "head");
    assert.ok(head);
    await tx.put(heads, { ...head, ...change });
  });
}

beforeEach(() => {
  store = withTestKey(createMemoryStore({ collections: [audit, heads] }));
});

describe("entries of the audit", () => {
  const log = (entry: Partial<Parameters<typeof writeAudit>[1]>): Promise<void> =>
    store.transact((tx) =>
      writeAudit(tx, { actor, action: "user.change", target: "usr_x", ...entry }, clock),
    );

  it("keep who did it, from where, and through which application", async () => {
    await log({ actor: { ...actor, network: "192.0.2.0/24" } });
    await log({ actor: { name: "ann", requestId: "other" } });
    const { items } = await listAudit(store, { limit: 2 });
    assert.deepEqual(
      items.map(({ id, actor: who, clientId, requestId, network }) => [
        id,
        who,
        clientId,
        requestId,
        network,
      ]),
      [
        ["aud_000000000002", "ann", "", "other", undefined],
        ["aud_000000000001", "token", "test", "request", "192.0.2.0/24"],
      ],
    );
    assert.ok(!("network" in (items[0] ?? {})));
    // The network is part of the chain.
    await store.transact(async (tx) => {
      const entry = await tx.get(audit, "aud_000000000001");
      assert.ok(entry);
      await tx.put(audit, { ...entry, network: "198.51.100.0/24" });
    });
    assert.deepEqual(await check(), [false, 0, "aud_000000000001"]);
  });

  it("are found by the beginning of their action, their target, and their actor, and by all at once", async () => {
    const ann = { ...actor, name: "ann" };
    await log({ action: "user.suspend", target: "usr_a", actor: ann });
    await log({ action: "user.change", target: "usr_a" });
    await log({ action: "session.end", target: "usr_a", actor: ann });
    await log({ action: "user.change", target: "usr_b", actor: ann });
    const find = async (query: object): Promise<string[]> => {
      const { items } = await listAudit(store, { limit: 10, ...query });
      return items.map(({ id }) => id.slice(-1)).toSorted();
    };
    assert.deepEqual(await find({}), ["1", "2", "3", "4"]);
    assert.deepEqual(await find({ action: "user." }), ["1", "2", "4"]);
    assert.deepEqual(await find({ target: "usr_a" }), ["1", "2", "3"]);
    assert.deepEqual(await find({ actor: "ann" }), ["1", "3", "4"]);
    assert.deepEqual(await find({ action: "user.", target: "usr_a" }), ["1", "2"]);
    assert.deepEqual(await find({ action: "user.", target: "usr_a", actor: "ann" }), ["1"]);
    assert.deepEqual(await find({ action: "order." }), []);
  });
});

describe("the audit's chain", () => {
  it("is whole when empty, and after entries", async () => {
    assert.deepEqual(await check(), [true, 0]);
    await write(5);
    assert.deepEqual(await check(), [true, 5]);
  });

  it("tells its newest entry and that one's hash, which can be kept elsewhere", async () => {
    await write(2);
    const { head } = await verifyAudit(store);
    const { items } = await listAudit(store, { limit: 1 });
    assert.deepEqual(head, { id: items[0]?.id, hash: items[0]?.hash });
  });

  it("stays whole when many are written at once", async () => {
    await Promise.all(Array.from({ length: 20 }, () => write(1)));
    assert.deepEqual(await check(), [true, 20]);
  });

  it("lists entries of one millisecond as they were written, the newest first", async () => {
    await write(30);
    const { items } = await listAudit(store, { limit: 30 });
    const expected = Array.from({ length: 30 }, (_, index) => [`number: ${29 - index}`]);
    assert.deepEqual(
      items.map(({ changes }) => changes),
      expected,
    );
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
    ["hash", ""],
  ] as const) {
    it(`shows a changed ${field}${value === "" ? ", left out" : ""}`, async () => {
      await write(4);
      const id = await idAt(1);
      await store.transact(async (tx) => {
        const entry = await tx.get(audit, id);
        assert.ok(entry);
        await tx.put(audit, { ...entry, [field]: value });
      });
      assert.deepEqual(await check(), [false, 1, id]);
    });
  }

  it("shows an entry that was taken out: the first, one in between, and the last", async () => {
    for (const [index, brokenIndex] of [
      [0, 1],
      [1, 2],
    ] as const) {
      store = withTestKey(createMemoryStore({ collections: [audit, heads] }));
      await write(4);
      const [id, next] = [await idAt(index), await idAt(brokenIndex)];
      await store.transact((tx) => tx.remove(audit, id));
      assert.deepEqual(await check(), [false, index, next]);
    }
    store = withTestKey(createMemoryStore({ collections: [audit, heads] }));
    await write(4);
    const last = await idAt(3);
    await store.transact((tx) => tx.remove(audit, last));
    assert.deepEqual(await check(), [false, 3, "the end"]);
  });

  it("shows an end that was cut off with the head set to fit, and goes on showing it", async () => {
    await write(6);
    const { items } = await listAudit(store, { limit: 6 });
    const [cut, kept] = [items.slice(0, 3), items[3]];
    await store.transact(async (tx) => {
      for (const { id } of cut) await tx.remove(audit, id);
    });
    await changeHead({ count: 3, hash: kept?.hash });
    assert.deepEqual(await check(), [false, 3, "the head"]);
    await write(2);
    assert.deepEqual(await check(), [false, 5, "the head"]);
  });

  it("shows a beginning that was cut off with the head set to fit", async () => {
    await write(6);
    const first = await idAt(0);
    const { items } = await listAudit(store, { limit: 6 });
    await store.transact((tx) => tx.remove(audit, first));
    await changeHead({ dropped: 1, anchorHash: items[5]?.hash });
    assert.deepEqual(await check(), [false, 5, "the head"]);
  });

  it("shows entries whose head is gone", async () => {
    await write(2);
    await store.transact((tx) => tx.remove(heads, "head"));
    assert.deepEqual(await check(), [false, 0, "the head"]);
  });

  it("shows what was written with another key", async () => {
    await write(2);
    const other = withTestKey(store, "another secret, of which nobody knows");
    await write(1, other);
    assert.equal((await verifyAudit(store)).valid, false);
  });

  it("keeps no entry of work that failed", async () => {
    await assert.rejects(
      store.transact(async (tx) => {
        await writeAudit(tx, { actor, action: "user.change", target: "usr_x" }, clock);
        throw new Error("it failed");
      }),
      /it failed/u,
    );
    assert.deepEqual(await check(), [true, 0]);
  });

  it("is not written without a key", async () => {
    const plain = createMemoryStore({ collections: [audit, heads] });
    await assert.rejects(write(1, plain), TypeError);
  });
});
