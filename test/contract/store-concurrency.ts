/** Part of the store contract: what many callers at once may rely on. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Store } from "../../src/store/store.ts";
import { counters, items } from "./store-fixtures.ts";

/** Registers the tests of concurrency. */
export function describeConcurrency(current: () => Store): void {
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
      const readers = new Set<string>();
      // Both have read before either writes, in a store that lets them: one that runs them in turn goes on
      // after the time.
      const meet = async (id: string): Promise<void> => {
        readers.add(id);
        for (let turn = 0; turn < 50 && readers.size < 2; turn += 1)
          await new Promise((resolve) => setTimeout(resolve, 2));
      };
      // Each may leave only while the other stays.
      const leave = (id: string): Promise<boolean> =>
        current().transact(async (tx) => {
          const page = await tx.list(counters, "id", { limit: 10 });
          await meet(id);
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
