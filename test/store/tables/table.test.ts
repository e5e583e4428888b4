/** Tables against a plain model: indexes, order and ranges under random changes, and versions that never change. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Doc, compareKeys } from "../../../src/store/keys.ts";
import { Table } from "../../../src/store/tables/table.ts";
import { items } from "../../contract/store-fixtures.ts";
import { createRandom } from "../faulty-files.ts";

function everything(table: Table): unknown {
  const order = (index: string): string[] => {
    const ids: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = table.list(index, { limit: 100, ...(cursor === undefined ? {} : { cursor }) });
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
      if (cursor === undefined) return ids;
    }
  };
  return {
    documents: order("id").map((id) => table.get(id)),
    byRank: order("byRank"),
    byOwner: order("byOwner"),
    size: table.size,
  };
}

function fromModel(model: ReadonlyMap<string, Doc>): unknown {
  const documents = [...model.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const by = (...fields: string[]): string[] =>
    documents
      .filter((doc) => fields.every((field) => doc[field] !== undefined))
      .map((doc) => [...fields.map((field) => doc[field] as string | number), doc.id])
      .sort(compareKeys)
      .map((key) => String(key.at(-1)));
  return { documents, byRank: by("rank"), byOwner: by("owner", "rank"), size: documents.length };
}

describe("Table", () => {
  it("agrees with a plain map after random changes, and its clones stay as they were", () => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const random = createRandom(seed);
      const pick = (n: number): number => Math.floor(random() * n);
      const table = new Table(items);
      const model = new Map<string, Doc>();
      const versions: { table: Table; expected: unknown }[] = [];
      for (let step = 0; step < 4000; step += 1) {
        // Growth first, then mostly removal, so that nodes split and merge while versions share them.
        const id = `i${pick(1200)}`;
        const before = model.get(id);
        const remove = random() < (step < 2000 ? 0.2 : 0.7);
        const owner = random() < 0.2 ? {} : { owner: `o${pick(9)}` };
        const after: Doc | undefined = remove
          ? undefined
          : { id, version: step + 1, rank: pick(50), ...owner };
        if (before !== undefined || after !== undefined) table.replace(before, after);
        if (after === undefined) model.delete(id);
        else model.set(id, after);
        if (step % 97 === 0) versions.push({ table: table.clone(), expected: fromModel(model) });
      }
      assert.deepEqual(everything(table), fromModel(model));
      for (const version of versions) assert.deepEqual(everything(version.table), version.expected);
    }
  });
});
