/**
 * The promises of the store port (src/store/store.ts) as tests. Every adapter registers this suite with
 * its own factory; nothing in here knows an adapter.
 */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { z } from "zod";
import type { Collection, Store, StoreErrorCode } from "../../src/store/store.ts";
import { defineCollection, StoreError } from "../../src/store/store.ts";

const item = z.object({
  id: z.string(),
  version: z.number().int(),
  owner: z.string().nullable().optional(),
  rank: z.number(),
  email: z.string().nullable().optional(),
  stock: z.object({ onHand: z.number().int(), reserved: z.number().int() }).optional(),
  note: z.unknown().optional(),
});

/** A collection with an index of every kind and a rule. */
export const items = defineCollection({
  name: "items",
  revision: 1,
  schema: item,
  unique: { byEmail: ["email"] },
  ordered: { byOwner: ["owner", "rank"], byRank: ["rank"] },
  checks: {
    reservedWithinStock: { field: "stock.reserved", atLeast: 0, atMost: { field: "stock.onHand" } },
  },
});

/** A second collection, for what spans two. */
export const counters = defineCollection({
  name: "counters",
  revision: 1,
  schema: z.object({ id: z.string(), version: z.number().int(), value: z.number() }),
});

/** What the suite needs of an adapter: an empty store with the given collections. */
export interface StoreContractOptions {
  readonly name: string;
  readonly open: (collections: readonly Collection[]) => Promise<{ store: Store; dispose: () => Promise<void> }>;
}

/** Asserts that a promise fails with a StoreError of this code, and gives the error. */
export async function rejectsWith(promise: Promise<unknown>, code: StoreErrorCode): Promise<StoreError> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof StoreError, `expected a StoreError, got ${String(error)}`);
    assert.equal(error.code, code, error.message);
    return error;
  }
  assert.fail(`expected ${code}`);
}

/** Registers the suite. */
export function describeStoreContract(options: StoreContractOptions): void {
  describe(`store contract: ${options.name}`, () => {
    let store: Store;
    let dispose: () => Promise<void>;
    beforeEach(async () => {
      ({ store, dispose } = await options.open([items, counters]));
    });
    afterEach(() => dispose());
    const current = (): Store => store;
    describeRecords(current);
    describeIndexes(current);
    describeLists(current);
    describeTransactions(current);
    describeConcurrency(current);
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
      const error = await rejectsWith(current().transact((tx) => tx.put(items, { ...first, rank: 3 })), "conflict");
      assert.deepEqual(error.details, { collection: "items", id: "a" });
      assert.equal((await current().read((tx) => tx.get(items, "a")))?.rank, 2);
    });

    it("cannot be put when they are gone", async () => {
      const record = await current().transact((tx) => tx.insert(items, { id: "a", rank: 1 }));
      assert.equal(await current().transact((tx) => tx.remove(items, "a")), true);
      assert.equal(await current().transact((tx) => tx.remove(items, "a")), false);
      await rejectsWith(current().transact((tx) => tx.put(items, record)), "not_found");
      await rejectsWith(current().transact((tx) => tx.adjust(items, "a", { field: "rank", by: 1 })), "not_found");
    });

    it("must be valid", async () => {
      const wrong = { id: "a", rank: "high" } as unknown as { id: string; rank: number };
      await rejectsWith(current().transact((tx) => tx.insert(items, wrong)), "invalid_record");
      const record = await current().transact((tx) => tx.insert(items, { id: "a", rank: 1 }));
      await rejectsWith(current().transact((tx) => tx.put(items, { ...record, ...wrong })), "invalid_record");
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
      await rejectsWith(current().transact((tx) => tx.put(items, { ...c, email: "z@y" })), "unique_violation");
    });

    it("leave out records in which a field is absent or null", async () => {
      await current().transact(async (tx) => {
        await tx.insert(items, { id: "a", rank: 1 });
        await tx.insert(items, { id: "b", rank: 1, email: null, owner: null });
        await tx.insert(items, { id: "c", rank: 1, owner: "ann" });
      });
      const page = await current().read((tx) => tx.list(items, "byOwner", { limit: 10 }));
      assert.deepEqual(page.items.map(({ id }) => id), ["c"]);
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
      await rejectsWith(current().transact((tx) => tx.put(items, { ...record, stock: bad })), "check_violation");
      const adjusted = await current().transact((tx) => tx.adjust(items, "a", { field: "stock.reserved", by: 1 }));
      assert.deepEqual(adjusted.stock, { onHand: 2, reserved: 2 });
      assert.equal(adjusted.version, 2);
      const more = { field: "stock.reserved", by: 1 };
      await rejectsWith(current().transact((tx) => tx.adjust(items, "a", more)), "check_violation");
      await rejectsWith(
        current().transact((tx) => tx.adjust(items, "a", { field: "stock.reserved", by: -3 })),
        "check_violation",
      );
      assert.deepEqual(await current().read((tx) => tx.get(items, "a")), adjusted);
    });
  });
}

function describeLists(current: () => Store): void {
  describe("lists", () => {
    const ids = async (
      index: "byOwner" | "byRank" | "id",
      options: Omit<Parameters<Parameters<Parameters<Store["read"]>[0]>[0]["list"]>[2], "limit">,
    ): Promise<string[]> => {
      const page = await current().read((tx) => tx.list(items, index, { limit: 100, ...options }));
      return page.items.map(({ id }) => id);
    };

    beforeEach(() =>
      current().transact(async (tx) => {
        for (const [id, owner, rank] of [
          ["c", "ann", 10],
          ["a", "ann", 9],
          ["b", "ann", 10],
          ["e", "bob", -1],
          ["d", "bobby", 2.5],
        ] as const) {
          await tx.insert(items, { id, owner, rank });
        }
      }),
    );

    it("follow the index, then the id; numbers by value", async () => {
      assert.deepEqual(await ids("byRank", {}), ["e", "d", "a", "b", "c"]);
      assert.deepEqual(await ids("byOwner", {}), ["a", "b", "c", "e", "d"]);
      assert.deepEqual(await ids("id", {}), ["a", "b", "c", "d", "e"]);
      assert.deepEqual(await ids("byOwner", { reverse: true }), ["d", "e", "c", "b", "a"]);
      assert.deepEqual(await ids("id", { reverse: true }), ["e", "d", "c", "b", "a"]);
    });

    it("take a prefix by equal values, from inclusive, to exclusive, in both directions", async () => {
      assert.deepEqual(await ids("byOwner", { prefix: ["bob"] }), ["e"]);
      assert.deepEqual(await ids("byOwner", { prefix: ["ann"], from: [10] }), ["b", "c"]);
      assert.deepEqual(await ids("byOwner", { prefix: ["ann"], to: [10] }), ["a"]);
      assert.deepEqual(await ids("byOwner", { from: ["ann", 10], to: ["bobby"] }), ["b", "c", "e"]);
      assert.deepEqual(await ids("byOwner", { from: ["ann", 10], to: ["bobby"], reverse: true }), ["e", "c", "b"]);
      assert.deepEqual(await ids("byOwner", { prefix: ["ann"], reverse: true }), ["c", "b", "a"]);
      assert.deepEqual(await ids("id", { from: ["b"], to: ["d"] }), ["b", "c"]);
      assert.deepEqual(await ids("id", { from: ["b"], to: ["d"], reverse: true }), ["c", "b"]);
      assert.deepEqual(await ids("id", { prefix: ["b"] }), ["b"]);
      assert.deepEqual(await ids("byRank", { from: [10], to: [9] }), []);
    });

    it("count what they would list", async () => {
      const count = (range: object): Promise<number> => current().read((tx) => tx.count(items, "byOwner", range));
      assert.equal(await count({ prefix: ["ann"] }), 3);
      assert.equal(await count({ prefix: ["ann"], from: [10] }), 2);
      assert.equal(await count({ from: ["bob"] }), 2);
      assert.equal(await count({ from: ["z"] }), 0);
      assert.equal(await current().read((tx) => tx.count(items, "id", { from: ["b"], to: ["e"] })), 3);
    });

    for (const reverse of [false, true]) {
      it(`go on after a cursor while records come and go${reverse ? ", in reverse" : ""}`, async () => {
        const list = (cursor?: string): Promise<{ items: readonly { id: string }[]; nextCursor?: string }> =>
          current().read((tx) =>
            tx.list(items, "byRank", { limit: 2, reverse, ...(cursor === undefined ? {} : { cursor }) }),
          );
        const order = reverse ? ["c", "b", "a", "d", "e"] : ["e", "d", "a", "b", "c"];
        const first = await list();
        assert.deepEqual(first.items.map(({ id }) => id), order.slice(0, 2));
        await current().transact(async (tx) => {
          await tx.remove(items, order[1] ?? "");
          await tx.insert(items, { id: "behind", rank: reverse ? 99 : -99 });
          await tx.insert(items, { id: "ahead", rank: reverse ? -99 : 99 });
        });
        const second = await list(first.nextCursor);
        assert.deepEqual(second.items.map(({ id }) => id), order.slice(2, 4));
        const third = await list(second.nextCursor);
        assert.deepEqual(third.items.map(({ id }) => id), [order[4], "ahead"]);
        assert.equal(third.nextCursor, undefined);
      });
    }

    it("keep a cursor within its range", async () => {
      const range = { prefix: ["ann"], limit: 1 };
      const first = await current().read((tx) => tx.list(items, "byOwner", range));
      assert.ok(first.nextCursor !== undefined);
      const cursor = first.nextCursor;
      const other = await current().read((tx) => tx.list(items, "byOwner", { prefix: ["bob"], limit: 5, cursor }));
      assert.deepEqual(other.items.map(({ id }) => id), ["e"]);
    });

    it("refuse a malformed cursor", async () => {
      const good = (await current().read((tx) => tx.list(items, "byRank", { limit: 1 }))).nextCursor ?? "";
      for (const cursor of ["", "x", "%%%", "e30", `${good}A`, Buffer.from('["byRank",{}]').toString("base64url")]) {
        await rejectsWith(
          current().read((tx) => tx.list(items, "byRank", { limit: 1, cursor })),
          "bad_cursor",
        );
      }
      await rejectsWith(
        current().read((tx) => tx.list(items, "byOwner", { limit: 1, cursor: good })),
        "bad_cursor",
      );
    });

    it("show a transaction its own changes", async () => {
      await current().transact(async (tx) => {
        await tx.remove(items, "b");
        await tx.insert(items, { id: "f", owner: "ann", rank: 9.5, email: "f@x" });
        const page = await tx.list(items, "byOwner", { prefix: ["ann"], limit: 10 });
        assert.deepEqual(page.items.map(({ id }) => id), ["a", "f", "c"]);
        assert.equal(await tx.count(items, "byOwner", { prefix: ["ann"] }), 3);
        assert.equal((await tx.by(items, "byEmail", ["f@x"]))?.id, "f");
        assert.equal(await tx.get(items, "b"), undefined);
      });
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

function describeConcurrency(current: () => Store): void {
  describe("concurrency", () => {
    it("lets 64 writers count without losing one", async () => {
      await current().transact((tx) => tx.insert(counters, { id: "n", value: 0 }));
      const increment = (): Promise<unknown> =>
        current().transact(async (tx) => {
          const counter = await tx.get(counters, "n");
          assert.ok(counter !== undefined);
          await tx.put(counters, { ...counter, value: counter.value + 1 });
        });
      await Promise.all(Array.from({ length: 64 }, increment));
      const counter = await current().read((tx) => tx.get(counters, "n"));
      assert.deepEqual(counter, { id: "n", version: 65, value: 64 });
    });

    it("lets 64 writers adjust without losing one", async () => {
      await current().transact((tx) => tx.insert(counters, { id: "n", value: 0 }));
      const add = { field: "value", by: 2 };
      await Promise.all(
        Array.from({ length: 64 }, () => current().transact((tx) => tx.adjust(counters, "n", add))),
      );
      assert.equal((await current().read((tx) => tx.get(counters, "n")))?.value, 128);
    });

    it("prevents write skew", async () => {
      await current().transact(async (tx) => {
        await tx.insert(counters, { id: "ann", value: 1 });
        await tx.insert(counters, { id: "bob", value: 1 });
      });
      // Each may leave only while the other stays.
      const leave = (id: string): Promise<boolean> =>
        current().transact(async (tx) => {
          const page = await tx.list(counters, "id", { limit: 10 });
          const onDuty = page.items.filter(({ value }) => value === 1);
          const own = onDuty.find((counter) => counter.id === id);
          if (onDuty.length < 2 || own === undefined) return false;
          await tx.put(counters, { ...own, value: 0 });
          return true;
        });
      const left = await Promise.all([leave("ann"), leave("bob")]);
      assert.equal(left.filter(Boolean).length, 1);
    });

    it("lets exactly one of many writers take a unique key", async () => {
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, (_, i) =>
          current().transact((tx) => tx.insert(items, { id: `i${i}`, rank: i, email: "only@x" })),
        ),
      );
      assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
      assert.equal(await current().read((tx) => tx.count(items)), 1);
    });

    it("never shows a reader half a transaction", async () => {
      await current().transact(async (tx) => {
        await tx.insert(counters, { id: "from", value: 1000 });
        await tx.insert(counters, { id: "to", value: 0 });
      });
      const move = (): Promise<unknown> =>
        current().transact(async (tx) => {
          await tx.adjust(counters, "from", { field: "value", by: -1 });
          await tx.adjust(counters, "to", { field: "value", by: 1 });
        });
      const sum = (): Promise<number> =>
        current().read(async (tx) => {
          const from = await tx.get(counters, "from");
          await Promise.resolve();
          const page = await tx.list(counters, "id", { prefix: ["to"], limit: 1 });
          return (from?.value ?? 0) + (page.items[0]?.value ?? 0);
        });
      const sums: Promise<number>[] = [];
      const moves: Promise<unknown>[] = [];
      for (let i = 0; i < 50; i += 1) {
        moves.push(move());
        sums.push(sum());
        if (i % 10 === 0) await Promise.all(moves);
      }
      await Promise.all(moves);
      assert.deepEqual(new Set(await Promise.all(sums)), new Set([1000]));
    });
  });
}
