/** Part of the store contract: lists, ranges and cursors. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { Store } from "../../src/store/store.ts";
import { items, rejectsWith } from "./store-fixtures.ts";

/** Registers the tests of lists. */
export function describeLists(current: () => Store): void {
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

    it("order texts by their characters' codes, whatever the language", async () => {
      const owners = ["Z", "a", "é", "ß", "中", "_", "~", "B", "a b", "ab"];
      await current().transact(async (tx) => {
        for (const owner of owners) await tx.insert(items, { id: `by ${owner}`, owner, rank: 0 });
      });
      const page = await current().read((tx) => tx.list(items, "byOwner", { limit: 100 }));
      const listed = page.items.map(({ owner }) => owner).filter((owner) => owners.includes(owner ?? ""));
      assert.deepEqual(listed, owners.toSorted());
    });

    it("take a prefix by equal values, from inclusive, to exclusive, in both directions", async () => {
      assert.deepEqual(await ids("byOwner", { prefix: ["bob"] }), ["e"]);
      assert.deepEqual(await ids("byOwner", { prefix: ["ann"], from: [10] }), ["b", "c"]);
      assert.deepEqual(await ids("byOwner", { prefix: ["ann"], to: [10] }), ["a"]);
      assert.deepEqual(await ids("byOwner", { from: ["ann", 10], to: ["bobby"] }), ["b", "c", "e"]);
      assert.deepEqual(await ids("byOwner", { from: ["ann", 10], to: ["bobby"], reverse: true }), [
        "e",
        "c",
        "b",
      ]);
      assert.deepEqual(await ids("byOwner", { prefix: ["ann"], reverse: true }), ["c", "b", "a"]);
      assert.deepEqual(await ids("id", { from: ["b"], to: ["d"] }), ["b", "c"]);
      assert.deepEqual(await ids("id", { from: ["b"], to: ["d"], reverse: true }), ["c", "b"]);
      assert.deepEqual(await ids("id", { prefix: ["b"] }), ["b"]);
      assert.deepEqual(await ids("byRank", { from: [10], to: [9] }), []);
    });

    it("count what they would list", async () => {
      const count = (range: object): Promise<number> =>
        current().read((tx) => tx.count(items, "byOwner", range));
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
        assert.deepEqual(
          first.items.map(({ id }) => id),
          order.slice(0, 2),
        );
        await current().transact(async (tx) => {
          await tx.remove(items, order[1] ?? "");
          await tx.insert(items, { id: "behind", rank: reverse ? 99 : -99 });
          await tx.insert(items, { id: "ahead", rank: reverse ? -99 : 99 });
        });
        const second = await list(first.nextCursor);
        assert.deepEqual(
          second.items.map(({ id }) => id),
          order.slice(2, 4),
        );
        const third = await list(second.nextCursor);
        assert.deepEqual(
          third.items.map(({ id }) => id),
          [order[4], "ahead"],
        );
        assert.equal(third.nextCursor, undefined);
      });
    }

    it("keep a cursor within its range", async () => {
      const range = { prefix: ["ann"], limit: 1 };
      const first = await current().read((tx) => tx.list(items, "byOwner", range));
      assert.ok(first.nextCursor !== undefined);
      const cursor = first.nextCursor;
      const other = await current().read((tx) =>
        tx.list(items, "byOwner", { prefix: ["bob"], limit: 5, cursor }),
      );
      assert.deepEqual(
        other.items.map(({ id }) => id),
        ["e"],
      );
    });

    it("refuse a malformed cursor", async () => {
      const good = (await current().read((tx) => tx.list(items, "byRank", { limit: 1 }))).nextCursor ?? "";
      for (const cursor of [
        "",
        "x",
        "%%%",
        "e30",
        `${good}A`,
        Buffer.from('["byRank",{}]').toString("base64url"),
      ]) {
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

    it("find nothing under a text with U+0000, and order it as they order texts", async () => {
      const store = current();
      for (const id of ["\0", "a\0", "a\0b"]) {
        await store.read(async (tx) => {
          assert.equal(await tx.get(items, id), undefined);
          assert.equal(await tx.by(items, "byEmail", [id]), undefined);
          assert.equal(await tx.count(items, "byOwner", { prefix: [id] }), 0);
        });
        await store.transact(async (tx) => {
          assert.equal(await tx.remove(items, id), false);
          await rejectsWith(tx.adjust(items, id, { field: "rank", by: 1 }), "not_found");
          await rejectsWith(tx.put(items, { id, version: 1, rank: 1 }), "not_found");
        });
      }
      assert.deepEqual(await ids("id", { from: ["b\0"], to: ["d\0x"] }), ["c", "d"]);
      assert.deepEqual(await ids("byOwner", { from: ["ann\0", 0] }), ["e", "d"]);
      assert.deepEqual(await ids("byOwner", { prefix: ["ann"], to: [10] }), ["a"]);
      assert.deepEqual(await ids("byOwner", { to: ["ann\0"] }), ["a", "b", "c"]);
      const cursor = Buffer.from('["id","a\\u0000"]').toString("base64url");
      await rejectsWith(
        store.read((tx) => tx.list(items, "id", { limit: 1, cursor })),
        "bad_cursor",
      );
    });

    it("show a transaction its own changes", async () => {
      await current().transact(async (tx) => {
        await tx.remove(items, "b");
        await tx.insert(items, { id: "f", owner: "ann", rank: 9.5, email: "f@x" });
        const page = await tx.list(items, "byOwner", { prefix: ["ann"], limit: 10 });
        assert.deepEqual(
          page.items.map(({ id }) => id),
          ["a", "f", "c"],
        );
        assert.equal(await tx.count(items, "byOwner", { prefix: ["ann"] }), 3);
        assert.equal((await tx.by(items, "byEmail", ["f@x"]))?.id, "f");
        assert.equal(await tx.get(items, "b"), undefined);
      });
    });
  });
}
