/**
 * The promises of the store port (src/store/store.ts) as tests. Every adapter registers this suite with
 * its own factory; nothing in here knows an adapter.
 */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import type { Collection, Store } from "../../src/store/store.ts";
import { describeConcurrency } from "./store-concurrency.ts";
import { counters, items, rejectsWith } from "./store-fixtures.ts";
import { describeCutOff, describeRefusals } from "./store-refusals.ts";
import { describeLists } from "./store-lists.ts";

/** What the suite needs of an adapter: an empty store with the given collections. */
export interface StoreContractOptions {
  readonly name: string;
  readonly open: (collections: readonly Collection[]) => Promise<{
    store: Store;
    dispose: () => Promise<void>;
    /** Breaks whatever connections the store has at this moment; absent when it has none. */
    cutOff?: () => Promise<void>;
  }>;
}

/** Registers the suite. */
export function describeStoreContract(options: StoreContractOptions): void {
  describe(`store contract: ${options.name}`, () => {
    let store: Store;
    let dispose: () => Promise<void>;
    let cutOff: () => Promise<void>;
    beforeEach(async () => {
      const opened = await options.open([items, counters]);
      ({ store, dispose } = opened);
      cutOff = opened.cutOff ?? (() => Promise.resolve());
    });
    afterEach(() => dispose());
    const current = (): Store => store;
    describeRecords(current);
    describeIndexes(current);
    describeLists(current);
    describeTransactions(current);
    describeConcurrency(current);
    describeRefusals(current);
    describeCutOff(current, () => cutOff());
  });
}

function describeRecords(current: () => Store): void {
  describe("records", () => {
    it("come back as they were stored, with version 1, from inside and outside the transaction", async () => {
      const inside = await current().transact((tx) => tx.insert(items, { id: "a", rank: 1, owner: "ann" }));
      assert.deepEqual(inside, { id: "a", rank: 1, owner: "ann", version: 1 });
      assert.deepEqual(await current().read((tx) => tx.get(items, "a")), inside);
      assert.equal(await current().read((tx) => tx.get(items, "b")), undefined);
    });

    it("are deeply frozen", async () => {
      const record = await current().transact((tx) =>
        tx.insert(items, { id: "a", rank: 1, stock: { onHand: 2, reserved: 1 } }),
      );
      const stored = await current().read((tx) => tx.get(items, "a"));
      assert.ok(Object.isFrozen(record) && Object.isFrozen(record.stock));
      assert.ok(stored !== undefined && Object.isFrozen(stored.stock));
    });

    it("do not change with the object that was handed in", async () => {
      const note = { tags: ["one"] };
      await current().transact((tx) => tx.insert(items, { id: "a", rank: 1, note }));
      note.tags.push("two");
      const stored = await current().read((tx) => tx.get(items, "a"));
      assert.deepEqual(stored?.note, { tags: ["one"] });
    });

    it("grow in version with each put, and a stale version conflicts", async () => {
      const first = await current().transact((tx) => tx.insert(items, { id: "a", rank: 1 }));
      const second = await current().transact((tx) => tx.put(items, { ...first, rank: 2 }));
      assert.equal(second.version, 2);
      const error = await rejectsWith(
        current().transact((tx) => tx.put(items, { ...first, rank: 3 })),
        "conflict",
      );
      assert.deepEqual(error.details, { collection: "items", id: "a" });
      assert.equal((await current().read((tx) => tx.get(items, "a")))?.rank, 2);
    });

    it("cannot be put when they are gone", async () => {
      const record = await current().transact((tx) => tx.insert(items, { id: "a", rank: 1 }));
      assert.equal(await current().transact((tx) => tx.remove(items, "a")), true);
      assert.equal(await current().transact((tx) => tx.remove(items, "a")), false);
      await rejectsWith(
        current().transact((tx) => tx.put(items, record)),
        "not_found",
      );
      await rejectsWith(
        current().transact((tx) => tx.adjust(items, "a", { field: "rank", by: 1 })),
        "not_found",
      );
    });

    it("must be valid", async () => {
      const wrong = { id: "a", rank: "high" } as unknown as { id: string; rank: number };
      await rejectsWith(
        current().transact((tx) => tx.insert(items, wrong)),
        "invalid_record",
      );
      const record = await current().transact((tx) => tx.insert(items, { id: "a", rank: 1 }));
      await rejectsWith(
        current().transact((tx) => tx.put(items, { ...record, ...wrong })),
        "invalid_record",
      );
      assert.equal((await current().read((tx) => tx.get(items, "a")))?.rank, 1);
    });

    it("may have ids and contents that look like prototype members", async () => {
      const ids = ["__proto__", "constructor", "toString", "hasOwnProperty"];
      const note: unknown = JSON.parse('{"__proto__":{"admin":true},"constructor":1}');
      await current().transact(async (tx) => {
        for (const id of ids) await tx.insert(items, { id, rank: 1, email: id, note });
      });
      for (const id of ids) {
        const stored = await current().read((tx) => tx.get(items, id));
        assert.equal(stored?.id, id);
        assert.equal(JSON.stringify(stored.note), '{"__proto__":{"admin":true},"constructor":1}');
        assert.equal((await current().read((tx) => tx.by(items, "byEmail", [id])))?.id, id);
      }
      assert.equal(Reflect.get({}, "admin"), undefined);
      assert.equal(await current().read((tx) => tx.get(items, "valueOf")), undefined);
    });

    it("may have ids and contents that look like SQL", async () => {
      const ids = ["' OR '1'='1", "x'; DROP TABLE contract_items; --", '"', "\\", "$1", "%"];
      await current().transact(async (tx) => {
        for (const id of ids) await tx.insert(items, { id, rank: 1, email: id, note: id });
      });
      for (const id of ids) {
        assert.equal((await current().read((tx) => tx.get(items, id)))?.note, id);
        assert.equal((await current().read((tx) => tx.by(items, "byEmail", [id])))?.id, id);
      }
      assert.equal(await current().read((tx) => tx.get(items, "' OR '1'='2")), undefined);
    });
  });
}

function describeIndexes(current: () => Store): void {
  describe("unique indexes and rules", () => {
    it("refuse a second record with the same id or key, naming the constraint", async () => {
      await current().transact((tx) => tx.insert(items, { id: "a", rank: 1, email: "x@y" }));
      const sameId = await rejectsWith(
        current().transact((tx) => tx.insert(items, { id: "a", rank: 2 })),
        "unique_violation",
      );
      assert.equal(sameId.details.constraint, "id");
      const sameKey = await rejectsWith(
        current().transact((tx) => tx.insert(items, { id: "b", rank: 2, email: "x@y" })),
        "unique_violation",
      );
      assert.equal(sameKey.details.constraint, "byEmail");
      assert.equal(await current().read((tx) => tx.count(items)), 1);
    });

    it("free a key when its record changes or goes", async () => {
      const a = await current().transact((tx) => tx.insert(items, { id: "a", rank: 1, email: "x@y" }));
      await current().transact((tx) => tx.put(items, { ...a, email: "z@y" }));
      await current().transact((tx) => tx.insert(items, { id: "b", rank: 1, email: "x@y" }));
      await current().transact((tx) => tx.remove(items, "b"));
      const c = await current().transact((tx) => tx.insert(items, { id: "c", rank: 1, email: "x@y" }));
      assert.deepEqual(await current().read((tx) => tx.by(items, "byEmail", ["x@y"])), c);
      await rejectsWith(
        current().transact((tx) => tx.put(items, { ...c, email: "z@y" })),
        "unique_violation",
      );
    });

    it("leave out records in which a field is absent or null", async () => {
      await current().transact(async (tx) => {
        await tx.insert(items, { id: "a", rank: 1 });
        await tx.insert(items, { id: "b", rank: 1, email: null, owner: null });
        await tx.insert(items, { id: "c", rank: 1, owner: "ann" });
      });
      const page = await current().read((tx) => tx.list(items, "byOwner", { limit: 10 }));
      assert.deepEqual(
        page.items.map(({ id }) => id),
        ["c"],
      );
      assert.equal(await current().read((tx) => tx.count(items, "byOwner")), 1);
      assert.equal(await current().read((tx) => tx.count(items)), 3);
    });

    it("hold rules after insert, put and adjust", async () => {
      const bad = { onHand: 1, reserved: 2 };
      const refused = await rejectsWith(
        current().transact((tx) => tx.insert(items, { id: "a", rank: 1, stock: bad })),
        "check_violation",
      );
      assert.equal(refused.details.constraint, "reservedWithinStock");
      const record = await current().transact((tx) =>
        tx.insert(items, { id: "a", rank: 1, stock: { onHand: 2, reserved: 1 } }),
      );
      await rejectsWith(
        current().transact((tx) => tx.put(items, { ...record, stock: bad })),
        "check_violation",
      );
      const adjusted = await current().transact((tx) =>
        tx.adjust(items, "a", { field: "stock.reserved", by: 1 }),
      );
      assert.deepEqual(adjusted.stock, { onHand: 2, reserved: 2 });
      assert.equal(adjusted.version, 2);
      const more = { field: "stock.reserved", by: 1 };
      await rejectsWith(
        current().transact((tx) => tx.adjust(items, "a", more)),
        "check_violation",
      );
      await rejectsWith(
        current().transact((tx) => tx.adjust(items, "a", { field: "stock.reserved", by: -3 })),
        "check_violation",
      );
      assert.deepEqual(await current().read((tx) => tx.get(items, "a")), adjusted);
    });
  });
}

function describeTransactions(current: () => Store): void {
  describe("transactions", () => {
    it("change two collections together", async () => {
      await current().transact(async (tx) => {
        await tx.insert(items, { id: "a", rank: 1 });
        await tx.insert(counters, { id: "n", value: 1 });
      });
      assert.equal(await current().read((tx) => tx.count(items)), 1);
      assert.equal(await current().read((tx) => tx.count(counters)), 1);
    });

    it("leave nothing behind when their work throws, and rethrow its error", async () => {
      const kept = await current().transact((tx) => tx.insert(items, { id: "kept", rank: 1, email: "k@x" }));
      const boom = new Error("boom");
      const failing = current().transact(async (tx) => {
        await tx.insert(items, { id: "a", rank: 1, email: "a@x" });
        await tx.put(items, { ...kept, rank: 5, email: "other@x" });
        await tx.adjust(items, "kept", { field: "rank", by: 2 });
        await tx.insert(counters, { id: "n", value: 1 });
        await tx.remove(items, "kept");
        throw boom;
      });
      await assert.rejects(failing, boom);
      assert.deepEqual(await current().read((tx) => tx.get(items, "kept")), kept);
      assert.deepEqual(await current().read((tx) => tx.by(items, "byEmail", ["k@x"])), kept);
      assert.equal(await current().read((tx) => tx.by(items, "byEmail", ["other@x"])), undefined);
      assert.equal(await current().read((tx) => tx.count(items)), 1);
      assert.equal(await current().read((tx) => tx.count(items, "byRank")), 1);
      assert.equal(await current().read((tx) => tx.count(counters)), 0);
    });

    it("give back what their work returns", async () => {
      assert.equal(await current().transact(async () => 42), 42);
      assert.equal(await current().read(async () => "view"), "view");
    });

    it("are over when their work has ended", async () => {
      let kept: { get: (collection: typeof items, id: string) => Promise<unknown> } | undefined;
      await current().transact(async (tx) => {
        kept = tx;
      });
      await assert.rejects(async () => kept?.get(items, "a"));
    });
  });
}
