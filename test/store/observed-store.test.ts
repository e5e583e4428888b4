import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { createMemoryStore } from "../../src/store/journal/memory-store.ts";
import { type RecordChange, observeStore } from "../../src/store/observed-store.ts";
import { type Store, defineCollection, StoreError } from "../../src/store/store.ts";

const schema = z.object({ id: z.string(), version: z.number().int(), count: z.number().int() });
const pots = defineCollection({
  name: "pots",
  revision: 1,
  schema,
  checks: { notNegative: { field: "count", atLeast: 0 } },
});
const notesOfPots = defineCollection({ name: "notesOfPots", revision: 1, schema });

interface Observed {
  readonly store: Store;
  readonly inner: Store;
  readonly told: RecordChange[][];
  readonly errors: unknown[];
}

function observe(
  options: { forceReruns?: boolean; onCommit?: () => Promise<void>; withNote?: boolean } = {},
): Observed {
  const inner = createMemoryStore({
    collections: [pots, notesOfPots],
    forceReruns: options.forceReruns === true,
  });
  const told: RecordChange[][] = [];
  const errors: unknown[] = [];
  const store = observeStore(inner, {
    collections: [pots],
    onCommit: (changes) => {
      told.push([...changes]);
      return options.onCommit?.();
    },
    onError: (error) => errors.push(error),
    ...(options.withNote === true
      ? {
          beforeCommit: async (tx, changes) => {
            for (const { id } of changes) await tx.insert(notesOfPots, { id: `note:${id}`, count: 0 });
          },
        }
      : {}),
  });
  return { store, inner, told, errors };
}

const brief = (changes: readonly RecordChange[] | undefined): unknown[] =>
  (changes ?? []).map(({ collection, id, record, isNew }) => [collection, id, record?.version, isNew]);

describe("observeStore", () => {
  it("tells what a commit inserted, put, adjusted and removed, the last state of each record", async () => {
    const { store, told } = observe();
    await store.transact(async (tx) => {
      const a = await tx.insert(pots, { id: "a", count: 1 });
      await tx.put(pots, { ...a, count: 2 });
      await tx.insert(pots, { id: "b", count: 5 });
    });
    await store.transact(async (tx) => {
      await tx.adjust(pots, "a", { field: "count", by: 3 });
      await tx.remove(pots, "b");
      await tx.remove(pots, "nothing");
    });
    assert.deepEqual(brief(told[0]), [
      ["pots", "a", 2, true],
      ["pots", "b", 1, true],
    ]);
    assert.deepEqual(brief(told[1]), [
      ["pots", "a", 3, false],
      ["pots", "b", undefined, false],
    ]);
    assert.deepEqual(told[1]?.[0]?.record, { id: "a", version: 3, count: 5 });
  });

  it("calls a record new that was removed and inserted again, and gone what was inserted and removed", async () => {
    const { store, told } = observe();
    await store.transact(async (tx) => {
      await tx.insert(pots, { id: "a", count: 1 });
      await tx.adjust(pots, "a", { field: "count", by: 1 });
    });
    await store.transact(async (tx) => {
      await tx.remove(pots, "a");
      await tx.insert(pots, { id: "a", count: 9 });
      await tx.insert(pots, { id: "b", count: 9 });
      await tx.remove(pots, "b");
    });
    assert.deepEqual(brief(told[1]), [
      ["pots", "a", 1, true],
      ["pots", "b", undefined, false],
    ]);
  });

  it("says nothing of reads, of other collections, and of work that throws", async () => {
    const { store, told } = observe();
    await store.transact(async (tx) => tx.insert(notesOfPots, { id: "n", count: 0 }));
    await store.transact(async (tx) => tx.get(pots, "a"));
    await store.read(async (tx) => tx.count(pots));
    const failing = store.transact(async (tx) => {
      await tx.insert(pots, { id: "a", count: 1 });
      throw new Error("no");
    });
    await assert.rejects(failing, /no/u);
    assert.deepEqual(told, []);
  });

  it("does not tell of a change that was refused and caught", async () => {
    const { store, told } = observe();
    await store.transact(async (tx) => {
      await tx.insert(pots, { id: "a", count: 1 });
      const refused = tx.adjust(pots, "a", { field: "count", by: -5 });
      await assert.rejects(refused, StoreError);
    });
    assert.deepEqual(brief(told[0]), [["pots", "a", 1, true]]);
  });

  it("counts only the last run of work that runs again", async () => {
    const { store, told } = observe({ forceReruns: true });
    let runs = 0;
    await store.transact(async (tx) => {
      runs += 1;
      await tx.insert(pots, { id: `run-${runs}`, count: 1 });
    });
    assert.equal(runs, 2);
    assert.deepEqual(
      told.map((changes) => brief(changes)),
      [[["pots", "run-2", 1, true]]],
    );
  });

  it("keeps a commit when the listener fails, and reports the error", async () => {
    const { store, errors } = observe({ onCommit: () => Promise.reject(new Error("listener")) });
    await store.transact(async (tx) => tx.insert(pots, { id: "a", count: 1 }));
    assert.equal(await store.read(async (tx) => tx.count(pots)), 1);
    assert.match(String(errors[0]), /listener/u);
  });

  it("commits what beforeCommit writes together with the rest, and does not tell of it", async () => {
    const { store, told } = observe({ withNote: true });
    await store.transact(async (tx) => tx.insert(pots, { id: "a", count: 1 }));
    assert.ok(await store.read(async (tx) => tx.get(notesOfPots, "note:a")));
    assert.deepEqual(brief(told[0]), [["pots", "a", 1, true]]);
    // The second note of "a" is refused, and the change with it.
    await assert.rejects(
      store.transact(async (tx) => tx.adjust(pots, "a", { field: "count", by: 1 })),
      (error: unknown) => error instanceof StoreError && error.code === "unique_violation",
    );
    assert.equal((await store.read(async (tx) => tx.get(pots, "a")))?.count, 1);
    assert.equal(told.length, 1);
  });
});
