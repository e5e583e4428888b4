/** What a tool reads from the files is what the store holds: the snapshot with what the journal says since. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { z } from "zod";
import { Content, sumUp, toBytes } from "../../../src/store/journal/content.ts";
import type { JournalStore } from "../../../src/store/journal/journal-store.ts";
import { recover } from "../../../src/store/journal/recovery.ts";
import { items } from "../../contract/store-fixtures.ts";
import { FaultyFiles } from "../faulty-files.ts";
import { open } from "./journal-harness.ts";

const PLACE = { folder: "/data/test", name: "test" };
const snapshotSchema = z.looseObject({
  checksum: z.unknown(),
  journal: z.unknown(),
  collections: z.looseObject({ items: z.array(z.unknown()) }),
});
const PATH = "/data/test/test.json";

async function openContent(files: FaultyFiles): Promise<Content> {
  const recovered = await recover({ files, ...PLACE });
  return Content.open(files, recovered ?? assert.fail("no snapshot"));
}

async function read(files: FaultyFiles, name = "items"): Promise<unknown[]> {
  const content = await openContent(files);
  try {
    const found: Buffer[] = [];
    // All of them are kept before the first is looked at: none may change while the next is read.
    for (const stored of await content.documents(name)) found.push(toBytes(stored));
    return found.map((bytes): unknown => JSON.parse(bytes.toString()));
  } finally {
    content.close();
  }
}

async function list(store: JournalStore): Promise<unknown[]> {
  return [...(await store.read((tx) => tx.list(items, "id", { limit: 1_000 }))).items];
}

/** The files with a snapshot as someone has edited it by hand, without its journal. */
function edit(files: FaultyFiles, change: (all: unknown[]) => unknown[]): FaultyFiles {
  const text = files.content(PATH)?.toString() ?? assert.fail();
  const { checksum: _sum, journal: _journal, ...rest } = snapshotSchema.parse(JSON.parse(text));
  const collections = { ...rest.collections, items: change(rest.collections.items) };
  const edited = new FaultyFiles();
  edited.place(PATH, Buffer.from(JSON.stringify({ ...rest, collections }, null, 2)));
  return edited;
}

type Step = readonly ["put" | "remove", id: string];
const steps = fc.array(
  fc.tuple(
    fc.constantFrom("put" as const, "remove" as const),
    fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"),
  ),
  {
    maxLength: 12,
  },
);

async function apply(store: JournalStore, all: readonly Step[], note: string): Promise<void> {
  for (const [kind, id] of all)
    await store.transact(async (tx) => {
      const known = await tx.get(items, id);
      if (kind === "remove") await tx.remove(items, id);
      else if (known === undefined) await tx.insert(items, { id, rank: 1, note });
      else await tx.put(items, { ...known, note });
    });
}

describe("Content", () => {
  it("merges the snapshot with the journal in the order of ids", async () => {
    await fc.assert(
      fc.asyncProperty(steps, steps, async (before, since) => {
        const files = new FaultyFiles();
        const first = await open(files, { compactOnClose: true });
        await apply(first, before, "before");
        await first.close();
        const store = await open(files, { compactOnClose: false });
        await apply(store, since, "since");
        assert.deepEqual(await read(files.afterKill()), await list(store));
        await store.close();
      }),
      { numRuns: 60 },
    );
  });

  it("reads texts that are larger than a window, and out of order", async () => {
    const files = new FaultyFiles();
    const store = await open(files, { compactOnClose: true });
    const sizes = [1, 300_000, 5, 200_000, 100_000, 1, 260_000, 40];
    for (const [at, size] of sizes.entries())
      await store.transact((tx) =>
        tx.insert(items, { id: `i${at}`, rank: 1, note: String(at).repeat(size) }),
      );
    const all = await list(store);
    await store.close();
    assert.deepEqual(await read(files), all);
    // An edited file has its records in any order, and is read as it is.
    const edited = edit(files, (stored) => stored.toReversed());
    assert.deepEqual(await read(edited), all);
    assert.deepEqual(await read(edited, "counters"), []);
  });

  it("notices a bit that flips in a text after the files were recovered", async () => {
    const files = new FaultyFiles();
    const store = await open(files, { compactOnClose: true });
    for (let at = 0; at < 4; at += 1)
      await store.transact((tx) => tx.insert(items, { id: `i${at}`, rank: 1, note: "n".repeat(100_000) }));
    await store.close();
    const recovered = (await recover({ files, ...PLACE })) ?? assert.fail();
    const bytes = Buffer.from(files.content(PATH) ?? assert.fail());
    bytes[150_000] = (bytes[150_000] ?? 0) ^ 1;
    files.place(PATH, bytes);
    const content = await Content.open(files, recovered);
    const all = await content.documents("items");
    assert.throws(() => [...all], /is damaged between byte 147456 and 151552/u);
    content.close();
  });

  it("rejects a record that is there twice, and a file that is gone or has changed", async () => {
    const files = new FaultyFiles();
    const store = await open(files, { compactOnClose: true });
    await store.transact((tx) => tx.insert(items, { id: "a", rank: 1 }));
    await store.close();
    const recovered = (await recover({ files, ...PLACE })) ?? assert.fail();
    const twice = edit(files, (stored) => [...stored, ...stored]);
    await assert.rejects(read(twice), /holds two records "a" in "items"; remove one of them/u);
    const text = files.content(PATH)?.toString() ?? assert.fail();
    files.place(PATH, Buffer.from(text.replace(/.{3}$/su, "   ")));
    let closed = 0;
    const openRead = files.openRead.bind(files);
    files.openRead = async (path) => {
      const file = (await openRead(path)) ?? assert.fail();
      return { ...file, read: file.read.bind(file), close: () => void (closed += 1) };
    };
    await assert.rejects(Content.open(files, recovered), /has changed while it was read/u);
    assert.equal(closed, 1);
    files.openRead = openRead;
    await files.remove(PATH);
    await assert.rejects(Content.open(files, recovered), /is gone/u);
  });
});

describe("sumUp", () => {
  it("counts documents, and tells their order and where each ends", () => {
    const of = (...texts: string[]) => sumUp(texts.map((text) => ({ bytes: Buffer.from(text) })));
    assert.deepEqual(of(), { count: 0, hash: "00000000" });
    assert.deepEqual(of("{}"), sumUp([{ doc: {} as never }]));
    const sums = [of("ab"), of("a", "b"), of("b", "a"), of("", "ab"), of("a", "b", "")];
    assert.equal(new Set(sums.map(({ hash }) => hash)).size, sums.length);
    assert.deepEqual(
      sums.map(({ count }) => count),
      [1, 2, 2, 2, 3],
    );
    // CRC-32 of "a\nb" by another program: python3 -c 'import zlib; print(hex(zlib.crc32(b"a\nb")))'.
    assert.equal(of("a", "b").hash, "ef0790fb");
  });
});
