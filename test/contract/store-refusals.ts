/** Part of the store contract: what is refused, what goes on after a refusal, and a connection that dies. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Store, StoreError } from "../../src/store/store.ts";
import { counters, items, rejectsWith } from "./store-fixtures.ts";

/** Registers the tests of refusals inside a transaction. */
export function describeRefusals(current: () => Store): void {
  describe("refusals", () => {
    it("leave the transaction usable for work that catches them", async () => {
      const held = await current().transact(async (tx) => {
        await tx.insert(items, { id: "other", rank: 1, email: "o@x" });
        return tx.insert(items, { id: "held", rank: 1, email: "h@x", stock: { onHand: 1, reserved: 0 } });
      });
      await current().transact(async (tx) => {
        await tx.insert(counters, { id: "before", value: 1 });
        await rejectsWith(tx.insert(items, { id: "held", rank: 1 }), "unique_violation");
        await rejectsWith(tx.insert(items, { id: "new", rank: 1, email: "h@x" }), "unique_violation");
        await rejectsWith(tx.put(items, { ...held, email: "o@x" }), "unique_violation");
        await rejectsWith(tx.put(items, { ...held, version: 7 }), "conflict");
        await rejectsWith(tx.put(items, { ...held, id: "none" }), "not_found");
        await rejectsWith(tx.adjust(items, "held", { field: "stock.reserved", by: 2 }), "check_violation");
        await rejectsWith(tx.adjust(items, "held", { field: "owner", by: 1 }), "invalid_record");
        await tx.insert(counters, { id: "after", value: 1 });
      });
      assert.equal(await current().read((tx) => tx.count(counters)), 2);
      assert.equal(await current().read((tx) => tx.count(items)), 2);
      assert.deepEqual(await current().read((tx) => tx.get(items, "held")), held);
    });

    it("meet what no adapter can keep: U+0000, half a surrogate pair, an id or a key that is too long", async () => {
      const records = [
        { id: "a", rank: 1, owner: "nul\u0000" },
        { id: "a", rank: 1, note: { deep: ["half \ud83d"] } },
        { id: "a", rank: 1, note: { "\udc00": 1 } },
        { id: "x".repeat(601), rank: 1 },
        { id: "a", rank: 1, owner: "é".repeat(1_001) },
        { id: "a", rank: 1, email: "e".repeat(2_001) },
      ];
      for (const record of records) {
        await rejectsWith(
          current().transact((tx) => tx.insert(items, record)),
          "invalid_record",
        );
      }
      const kept = {
        id: "x".repeat(600),
        rank: 1,
        owner: "é".repeat(1_000),
        note: ["\\u0000", "\\\\ud83d", "😀", "\u0001", "\ufffd"],
      };
      const stored = await current().transact((tx) => tx.insert(items, kept));
      assert.deepEqual(stored, { ...kept, version: 1 });
      assert.deepEqual(await current().read((tx) => tx.get(items, kept.id)), stored);
    });

    it("keep numbers and texts exactly", async () => {
      const note = [
        0.1,
        1e21,
        5e-324,
        Number.MAX_SAFE_INTEGER,
        -1.5,
        "2026-01-01",
        "",
        " ",
        "\r\n\t\u2028",
        true,
        null,
      ];
      await current().transact((tx) => tx.insert(items, { id: "n", rank: 0.1 + 0.2, note }));
      const stored = await current().read((tx) => tx.get(items, "n"));
      assert.deepEqual(stored, { id: "n", version: 1, rank: 0.1 + 0.2, note });
    });
  });
}

/** Registers the tests of connections that break. */
export function describeCutOff(current: () => Store, cutOff: () => Promise<void>): void {
  describe("a connection that dies in the middle", () => {
    it("leaves all of a transaction or nothing, and the store goes on", async () => {
      let isCut = false;
      const outcome = await current()
        .transact(async (tx) => {
          await tx.insert(items, { id: "a", rank: 1 });
          if (!isCut) {
            isCut = true;
            await cutOff();
          }
          await tx.insert(counters, { id: "n", value: 1 });
          return "kept";
        })
        .catch((error: unknown) => error);
      const counts = await current().read(async (tx) => [await tx.count(items), await tx.count(counters)]);
      if (outcome === "kept") assert.deepEqual(counts, [1, 1]);
      else {
        assert.ok(outcome instanceof StoreError && outcome.code === "store_unavailable", String(outcome));
        assert.deepEqual(counts, [0, 0]);
      }
      await current().transact((tx) => tx.insert(counters, { id: "later", value: 1 }));
    });

    it("does not fail what comes after it", async () => {
      await current().transact((tx) => tx.insert(counters, { id: "n", value: 0 }));
      for (let round = 1; round <= 3; round += 1) {
        await Promise.all(Array.from({ length: 12 }, () => current().read((tx) => tx.get(counters, "n"))));
        await cutOff();
        const { value } = await current().transact((tx) =>
          tx.adjust(counters, "n", { field: "value", by: 1 }),
        );
        assert.equal(value, round);
      }
    });
  });
}
