/** What the JSON store makes of the files it finds: torn, damaged, edited, older, unknown, locked. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { mkdtemp, readdir, readFile, rm, stat, truncate, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import {
  type JournalStore,
  type JournalStoreEvent,
  type JournalStoreOptions,
  openJournalStore,
} from "../../../src/store/journal/journal-store.ts";
import { defineCollection, StoreError } from "../../../src/store/store.ts";

const shape = { id: z.string(), version: z.number(), name: z.string() };
const things = defineCollection({
  name: "things",
  revision: 1,
  schema: z.object(shape),
  unique: { byName: ["name"] },
});
const others = defineCollection({ name: "others", revision: 1, schema: z.object(shape) });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-store-"));
});
afterEach(() => rm(folder, { recursive: true }));

function open(options: Partial<JournalStoreOptions> = {}): Promise<JournalStore> {
  return openJournalStore({
    folder,
    name: "shop",
    collections: [things, others],
    compactOnClose: false,
    ...options,
  });
}

const path = (name: string): string => join(folder, name);
const snapshot = (): string => path("shop.json");

async function journal(): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".journal"));
  assert.equal(names.length, 1);
  return path(names[0] ?? "");
}

/** Stores things t1 … tn, one batch each, and closes. */
async function fill(n: number, options: Partial<JournalStoreOptions> = {}): Promise<void> {
  const store = await open(options);
  for (let i = 1; i <= n; i += 1)
    await store.transact((tx) => tx.insert(things, { id: `t${i}`, name: `n${i}` }));
  await store.close();
}

async function idsOf(store: JournalStore): Promise<string[]> {
  const page = await store.read((tx) => tx.list(things, "id", { limit: 1000 }));
  return page.items.map(({ id }) => id);
}

async function refusal(options: Partial<JournalStoreOptions> = {}): Promise<string> {
  try {
    const store = await open(options);
    await store.close();
  } catch (error) {
    assert.ok(error instanceof StoreError);
    assert.equal(error.code, "store_unavailable");
    return error.message;
  }
  assert.fail("the store opened");
}

async function editLines(file: string, edit: (lines: string[]) => string[]): Promise<void> {
  const lines = (await readFile(file, "utf8")).split("\n");
  await writeFile(file, edit(lines).join("\n"));
}

describe("JSON store, journal found at start", () => {
  it("drops a torn last line at every length, says so, and goes on writing after it", async () => {
    await fill(2);
    const file = await journal();
    const whole = await readFile(file);
    const lastStart = whole.lastIndexOf("\n", whole.byteLength - 2) + 1;
    for (let size = lastStart + 1; size < whole.byteLength; size += 7) {
      await writeFile(file, whole);
      await truncate(file, size);
      const events: JournalStoreEvent[] = [];
      const store = await open({ onEvent: (event) => events.push(event) });
      assert.deepEqual(await idsOf(store), ["t1"]);
      assert.equal(events[0]?.type === "opened" && events[0].tornBytes, size - lastStart);
      await store.transact((tx) => tx.insert(things, { id: "new", name: "new" }));
      await store.close();
      const again = await open();
      assert.deepEqual(await idsOf(again), ["new", "t1"]);
      await again.close();
    }
  });

  it("drops a batch with a page of zeros in it, which a power cut leaves", async () => {
    const store = await open();
    await store.transact((tx) => tx.insert(things, { id: "t0", name: "n0" }));
    await Promise.all(
      ["a", "b", "c"].map((id) => store.transact((tx) => tx.insert(things, { id, name: id }))),
    );
    await store.close();
    const file = await journal();
    const bytes = await readFile(file);
    const third = bytes.indexOf('"b"');
    bytes.fill(0, third - 20, third + 20);
    await writeFile(file, bytes);
    const again = await open();
    assert.deepEqual(await idsOf(again), ["a", "t0"]);
    await again.close();
  });

  it("refuses zeros in a batch that was acknowledged", async () => {
    await fill(3);
    const file = await journal();
    const bytes = await readFile(file);
    const second = bytes.indexOf('"t2"');
    bytes.fill(0, second - 5, second + 5);
    await writeFile(file, bytes);
    assert.match(await refusal(), /000001\.journal" is damaged at line 3/u);
  });

  it("refuses a bad line with good ones after it, naming file, line and remedy", async () => {
    await fill(3);
    const file = await journal();
    const before = await readFile(file);
    await editLines(file, (lines) => lines.map((line) => line.replace('"n2"', '"n9"')));
    assert.match(
      await refusal(),
      /000001\.journal" is damaged at line 3 .*; restore the folder from a backup/u,
    );
    await writeFile(file, before);
    await editLines(file, (lines) => lines.map((line, i) => (i === 0 ? `${line.slice(0, 30)}` : line)));
    assert.match(await refusal(), /is damaged at line 1/u);
    // Refusing changes nothing: with the good file back, everything is there.
    await writeFile(file, before);
    const store = await open();
    assert.deepEqual(await idsOf(store), ["t1", "t2", "t3"]);
    await store.close();
  });

  it("refuses a gap", async () => {
    await fill(4);
    const file = await journal();
    await editLines(file, (lines) => lines.toSpliced(2, 1));
    assert.match(await refusal(), /lacks transactions 2 to 2 at line 3/u);
    await editLines(file, (lines) => lines.toSpliced(0, 2));
    assert.match(await refusal(), /lacks transactions 1 to 2 before line 1/u);
  });

  it("refuses a journal without its snapshot, and a snapshot of another service", async () => {
    await fill(2);
    const saved = await readFile(snapshot());
    await unlink(snapshot());
    assert.match(await refusal(), /shop\.json" is missing, but there is a journal/u);
    await writeFile(snapshot(), saved);
    await editLines(snapshot(), (lines) =>
      lines.filter((line) => !line.includes("checksum")).map((line) => line.replace('"shop"', '"auth"')),
    );
    assert.match(await refusal(), /belongs to the service "auth"/u);
  });

  it("keeps files to their owner", async () => {
    const store = await open();
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    for (const name of await readdir(folder))
      assert.equal((await stat(path(name))).mode & 0o777, 0o600, name);
    await store.close();
  });
});

describe("JSON store, snapshot found at start", () => {
  it("is plain JSON with one record a line, and holds everything after a close", async () => {
    await fill(2, { compactOnClose: true });
    const text = await readFile(snapshot(), "utf8");
    const value: unknown = JSON.parse(text);
    assert.deepEqual(Reflect.get(Object(value), "collections"), {
      things: [
        { id: "t1", name: "n1", version: 1 },
        { id: "t2", name: "n2", version: 1 },
      ],
      others: [],
    });
    assert.ok(text.split("\n").includes('{"id":"t1","version":1,"name":"n1"},'), text);
    assert.deepEqual(await readdir(folder), ["shop.000002.index", "shop.000002.journal", "shop.json"]);
    assert.match(await readFile(await journal(), "utf8"), /^[0-9a-f]{8} \{"lsn":2,.*"ops":\[\]\}\n$/u);
  });

  it("is refused when it was changed, with what to do", async () => {
    await fill(2, { compactOnClose: true });
    await editLines(snapshot(), (lines) => lines.map((line) => line.replace('"n1"', '"changed"')));
    assert.match(
      await refusal(),
      /shop\.json" does not match its checksum; if you edited it on purpose, remove the line/u,
    );
    // Doing what the text says works.
    await editLines(snapshot(), (lines) => lines.filter((line) => !line.includes('"checksum"')));
    const store = await open();
    assert.equal((await store.read((tx) => tx.by(things, "byName", ["changed"])))?.id, "t1");
    await store.close();
    assert.match(await readFile(snapshot(), "utf8"), /"checksum"/u);
  });

  it("is validated record by record when edited by hand", async () => {
    await fill(2, { compactOnClose: true });
    const text = (await readFile(snapshot(), "utf8")).replace(/,"checksum.*\n/u, "");
    const cases: [string, string, RegExp][] = [
      ['"name":"n1"', '"name":7', /record "t1" of "things" that cannot be taken: .*"name"/u],
      ['"name":"n1"', '"name":"n2"', /another record has this value of "byName"/u],
      ['"id":"t2"', '"id":"t1"', /two records "t1"/u],
      ['"version":1', '"version":0', /without a valid id and version at record 1/u],
      ['"name":"n1"', '"name":n1', /is not valid JSON at line 10/u],
    ];
    for (const [from, to, expected] of cases) {
      await writeFile(snapshot(), text.replace(from, to));
      assert.match(await refusal(), expected);
    }
    await writeFile(snapshot(), JSON.stringify(JSON.parse(text), null, 2));
    const store = await open();
    assert.deepEqual(await idsOf(store), ["t1", "t2"]);
    await store.close();
  });

  it("is refused when truncated, at any length", async () => {
    await fill(2, { compactOnClose: true });
    const whole = await readFile(snapshot());
    for (let size = 0; size < whole.byteLength - 2; size += 13) {
      await writeFile(snapshot(), whole.subarray(0, size));
      assert.match(await refusal(), /shop\.json" .*; /u);
    }
  });

  it("passes records of an older revision through the schema, also those in the journal, once", async () => {
    await fill(2, { compactOnClose: true });
    await fill(0);
    const first = await open();
    await first.transact((tx) => tx.insert(things, { id: "t3", name: "n3" }));
    await first.close();
    let passed = 0;
    const newer = defineCollection({
      name: "things",
      revision: 2,
      schema: z.object({ ...shape, color: z.string().default("blue") }).transform((thing) => {
        passed += 1;
        return thing;
      }),
    });
    for (const expected of [3, 3]) {
      const store = await open({ collections: [newer, others] });
      const page = await store.read((tx) => tx.list(newer, "id", { limit: 10 }));
      assert.deepEqual(
        page.items.map(({ color }) => color),
        ["blue", "blue", "blue"],
      );
      assert.equal(passed, expected);
      await store.close();
    }
    assert.match(await refusal(), /"things" in revision 2, newer than 1; start the newer version/u);
  });

  it("keeps undeclared collections", async () => {
    const store = await open();
    await store.transact((tx) => tx.insert(others, { id: "o1", name: "kept" }));
    await store.close();
    for (let i = 0; i < 2; i += 1) {
      const without = await open({ collections: [things], compactOnClose: true });
      await without.transact((tx) => tx.insert(things, { id: `x${i}`, name: `x${i}` }));
      await without.close();
    }
    const again = await open();
    assert.equal((await again.read((tx) => tx.get(others, "o1")))?.name, "kept");
    await again.close();
  });
});

describe("JSON store, compaction", () => {
  it("bounds the journal while writers go on, and loses nothing", async () => {
    const ONE_LINE_BYTES = 200;
    let compactions = 0;
    const store = await open({
      compactAtBytes: 20_000,
      onEvent: ({ type }) => (compactions += Number(type === "compacted")),
    });
    let next = 0;
    const writeUpTo = async (last: number): Promise<void> => {
      while (next < last) {
        next += 1;
        const id = `t${next}`;
        await store.transact((tx) => tx.insert(things, { id, name: id }));
      }
    };
    // What comes while a compaction is under way stays in the journal until the next write finds it too long.
    for (let last = 300; last <= 3000; last += 300) {
      await Promise.all(Array.from({ length: 16 }, () => writeUpTo(last - 1)));
      await store.idle();
      await writeUpTo(last);
      await store.idle();
      const { journalBytes, snapshotBytes } = store.stats;
      assert.ok(
        journalBytes <= Math.max(20_000, snapshotBytes) + ONE_LINE_BYTES,
        `${journalBytes} bytes after ${snapshotBytes}`,
      );
    }
    assert.ok(compactions >= 3, `${compactions} compactions`);
    await store.close();
    const again = await open();
    assert.equal(again.stats.records, 3000);
    assert.equal(again.stats.lsn, 3000);
    await again.close();
  });
});
