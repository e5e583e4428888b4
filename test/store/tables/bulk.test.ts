/** Tables built at once are the tables that grow entry by entry. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { z } from "zod";
import { DuplicateKey } from "../../../src/store/tables/bulk.ts";
import { Table } from "../../../src/store/tables/table.ts";
import type { Doc } from "../../../src/store/keys.ts";
import { defineCollection } from "../../../src/store/store.ts";

const things = defineCollection({
  name: "things",
  revision: 1,
  schema: z.object({
    id: z.string(),
    version: z.number(),
    name: z.string().optional(),
    size: z.number(),
    flag: z.boolean(),
  }),
  unique: { byName: ["name"] },
  ordered: { bySize: ["size"], byFlagSize: ["flag", "size"], byName: ["name"] },
});

const doc = fc.record(
  {
    id: fc.string({ minLength: 1, maxLength: 3 }),
    version: fc.constant(1),
    name: fc.string({ maxLength: 2 }),
    size: fc.integer({ min: -3, max: 3 }),
    flag: fc.boolean(),
  },
  { requiredKeys: ["id", "version", "size", "flag"] },
);

function grow(docs: readonly Doc[]): Table {
  const table = new Table(things);
  for (const one of docs) {
    assert.equal(table.violated(one), undefined);
    table.replace(undefined, one);
  }
  return table;
}

function dump(table: Table): unknown {
  const lists = ["id", "bySize", "byFlagSize", "byName"].map((index) =>
    table.list(index, { limit: 1_000 }).items.map(({ id }) => id),
  );
  const names = table
    .list("id", { limit: 1_000 })
    .items.map((one) =>
      typeof one["name"] === "string" ? table.by("byName", [one["name"]])?.id : undefined,
    );
  return { lists, names, size: table.size };
}

describe("Table.of", () => {
  it("holds the same as a table that took the documents one by one, and changes like it", () => {
    const distinct = fc
      .uniqueArray(doc, { selector: ({ id }) => id, maxLength: 200 })
      .map((docs) => [...new Map(docs.map((one) => [one.name ?? `none ${one.id}`, one])).values()]);
    fc.assert(
      fc.property(distinct, fc.nat(), (docs, pick) => {
        const [bulk, grown] = [Table.of(things, docs), grow(docs)];
        assert.deepEqual(dump(bulk), dump(grown));
        const gone = docs[pick % Math.max(1, docs.length)];
        for (const table of [bulk, grown]) {
          if (gone !== undefined) table.replace(gone, undefined);
          table.replace(undefined, { id: "new!", version: 1, size: 0, flag: true });
        }
        assert.deepEqual(dump(bulk), dump(grown));
      }),
    );
  });

  it("tells which document has a key that another one has", () => {
    const docs = ["a", "b", "c"].map((id) => ({
      id,
      version: 1,
      size: 0,
      flag: true,
      name: id === "a" ? "x" : "y",
    }));
    assert.throws(
      () => Table.of(things, docs),
      (error) => error instanceof DuplicateKey && error.index === "byName" && error.docId === "c",
    );
  });
});
