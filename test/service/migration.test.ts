import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, it } from "node:test";
import pg from "pg";
import { runProcess } from "../support/process.ts";
import { type Migrated, migrate } from "../../src/service/migration/migrate.ts";
import { findDifferences, summarizePages } from "../../src/service/migration/content.ts";
import { createDatabasePlace, hidePassword } from "../../src/service/migration/database-place.ts";
import { createFolderPlace, swapFiles } from "../../src/service/migration/folder-place.ts";
import type { Place } from "../../src/service/migration/place.ts";
import { openJournalStore } from "../../src/store/journal/journal-store.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import type { Store } from "../../src/store/store.ts";
import { counters, items } from "../contract/store-fixtures.ts";
import { toRunArguments } from "../support/own-runtime.ts";
import { type TestDatabase, createTestDatabase } from "../support/postgres.ts";

const NOW = Date.UTC(2026, 0, 2);
const store = { name: "shelf", collections: [items, counters] };

/** More than a page and a batch, with versions, and members in an order that a database changes. */
async function fill(target: Store): Promise<void> {
  for (let start = 0; start < 1_200; start += 400) {
    await target.transact(async (tx) => {
      for (let n = start; n < start + 400; n += 1) {
        await tx.insert(items, {
          id: `i${n}`,
          rank: n / 3,
          email: `${n}@x`,
          note: { zebra: [n, { b: 1, a: 2 }], ant: null },
        });
      }
    });
  }
  await target.transact((tx) => tx.insert(counters, { id: "n", value: 1 }));
  for (let n = 0; n < 5; n += 1)
    await target.transact((tx) => tx.adjust(counters, "n", { field: "value", by: 1 }));
}

describe("migrate", () => {
  let folder: string;
  let database: TestDatabase;
  let files: Place;
  let tables: Place;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "trivet-migrate-"));
    database = await createTestDatabase();
    files = createFolderPlace(join(folder, "data"), NOW);
    tables = createDatabasePlace(database.url);
  });
  afterEach(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const openFiles = (): ReturnType<typeof openJournalStore> =>
    openJournalStore({ folder: join(folder, "data/shelf"), ...store });
  const openTables = (): Promise<Store> => openPostgresStore({ url: database.url, ...store });
  async function fillFiles(): Promise<void> {
    const source = await openFiles();
    await fill(source);
    await source.close();
  }
  const move = (from: Place, to: Place, replace = false): Promise<Migrated[]> =>
    migrate({ from, to, replace, services: [store] });

  it("moves records there and back with their versions, and says the same when it is run again", async () => {
    await fillFiles();
    const [there] = await move(files, tables);
    assert.equal(there?.state, "moved");
    assert.deepEqual(
      [...(there?.summary ?? [])].map(([name, { records, versions }]) => [name, records, versions]),
      [
        ["items", 1_200, 1_200],
        ["counters", 1, 6],
      ],
    );
    assert.equal((await move(files, tables))[0]?.state, "already the same");
    const back = createFolderPlace(join(folder, "back"), NOW);
    assert.equal((await move(tables, back))[0]?.state, "moved");
    assert.equal((await move(files, back))[0]?.state, "already the same");
    assert.equal((await stat(join(folder, "back/shelf"))).mode & 0o777, 0o700);
    const used = await openTables();
    assert.equal((await used.read((tx) => tx.by(items, "byEmail", ["7@x"])))?.id, "i7");
    assert.equal(
      (await used.transact((tx) => tx.adjust(counters, "n", { field: "value", by: 1 }))).version,
      7,
    );
    await used.close();
  });

  it("refuses a target with other records, and replaces them when told, keeping the files that were there", async () => {
    await fillFiles();
    const other = await openTables();
    await other.transact((tx) => tx.insert(counters, { id: "other", value: 1 }));
    await other.close();
    await assert.rejects(
      move(files, tables),
      /already contains 1 other records of the shelf \(the source has 1201\)\. Nothing was changed.*--replace/u,
    );
    await assert.rejects(move(tables, files), /already contains 1201 other records/u);
    const [result] = await move(tables, files, true);
    assert.equal(result?.state, "moved");
    assert.ok((await readdir(result?.keptIn ?? "")).length > 0);
    const replaced = await openFiles();
    assert.deepEqual(
      await replaced.read(async (tx) => [await tx.count(items), await tx.count(counters)]),
      [0, 1],
    );
    await replaced.close();
  });

  it("refuses a store that a service uses, on either side", async () => {
    const used = await openFiles();
    await fill(used);
    await assert.rejects(move(files, tables), { code: "store_unavailable" });
    await used.close();
    const running = await openTables();
    await running.check();
    await assert.rejects(move(files, tables), /is running on this database\. Stop all its processes/u);
    await assert.rejects(move(tables, files), /is running on this database/u);
    await running.close();
    assert.equal((await move(files, tables))[0]?.state, "moved");
  });

  it("refuses a source that holds nothing, and makes nothing of it", async () => {
    await assert.rejects(move(files, tables), /the folder ".*" does not contain records of Trivet/u);
    await assert.rejects(move(tables, files), /the database postgres:.* does not contain records of Trivet/u);
    assert.deepEqual(await readdir(folder), []);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const made = await client.query("select 1 from pg_tables where schemaname = current_schema()");
    await client.end();
    assert.equal(made.rowCount, 0);
  });

  it("leaves a folder as it was when the new files cannot be put there", async () => {
    await fillFiles();
    const target = join(folder, "data/shelf");
    const former = (await readdir(target)).sort();
    const kept = join(target, ".before-migrate-now");
    const swap = { folder: target, staged: join(target, ".migrating-now"), kept, former };
    await assert.rejects(swapFiles({ ...swap, made: ["shelf.json"] }), { code: "ENOENT" });
    assert.deepEqual((await readdir(target)).sort(), former);
    const used = await openFiles();
    assert.equal(await used.read((tx) => tx.count(items)), 1_200);
    await used.close();
  });

  it("leaves a database as it was when the writing stops halfway", async () => {
    await fillFiles();
    const prepared = await openTables();
    await prepared.close();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query("alter table shelf_counters add constraint late check (id <> 'n')");
    await assert.rejects(move(files, tables), /late/u);
    assert.equal((await client.query("select 1 from shelf_items")).rowCount, 0);
    await client.query("alter table shelf_counters drop constraint late");
    await client.end();
    assert.equal((await move(files, tables))[0]?.state, "moved");
  });

  it("notices when what was written is not what is read back", async () => {
    await fillFiles();
    const forgetful: Place = {
      ...tables,
      write: async (name, content) => {
        await tables.write(name, content);
        const client = new pg.Client({ connectionString: database.url });
        await client.connect();
        await client.query(`update shelf_items set doc = jsonb_set(doc, '{rank}', '7') where id = 'i3'`);
        await client.end();
        return undefined;
      },
    };
    await assert.rejects(
      move(files, forgetful),
      /The copy in the database .* differs in "items" \(1200 records, versions 1200, content [0-9a-f]{12}; there 1200 records, versions 1200, content [0-9a-f]{12}\)\. Do not use it/u,
    );
  });
});

describe("the comparison of two stores", () => {
  const doc = { id: "a", version: 1, deep: { x: 1, y: [1, 2] } };
  const of = async (...docs: readonly { id: string; version: number; deep?: unknown }[]) => {
    async function* pages() {
      for (const one of docs) yield [one];
    }
    return new Map([["c", await summarizePages(pages())]]);
  };

  it("minds no order of records and members", async () => {
    const turned = { deep: { y: [1, 2], x: 1 }, version: 1, id: "a" };
    const other = { id: "b", version: 2 };
    assert.deepEqual(findDifferences(await of(doc, other), await of(other, turned)), []);
    assert.deepEqual(findDifferences(new Map(), await of()), []);
  });

  it("sees a changed value, another order in a list, another version, a record more or twice", async () => {
    const changed = [
      of({ ...doc, deep: { x: 2, y: [1, 2] } }),
      of({ ...doc, deep: { x: 1, y: [2, 1] } }),
      of({ ...doc, version: 2 }),
      of(doc, { id: "b", version: 0 }),
      of(doc, doc),
      of(),
    ];
    for (const summary of changed) assert.deepEqual(findDifferences(await of(doc), await summary), ["c"]);
  });
});

describe("trivet migrate", () => {
  const run = (...args: string[]): ReturnType<typeof runProcess> =>
    runProcess({
      command: process.execPath,
      args: [...toRunArguments("src/main.ts"), "migrate", ...args],
    });

  it("says how it is called, and shows no password", async () => {
    const wrong = await run("--from", "data");
    assert.equal(wrong.code, 2);
    assert.match(wrong.output, /Specify two different places with --from and --to\nUsage: trivet migrate/u);
    const twice = await run("--from", "data", "--to", "./data");
    assert.equal(twice.code, 2);
    const garbled = await run("--from", "postgres://u:secret@[x", "--to", join(tmpdir(), "never"));
    assert.equal(garbled.code, 1);
    assert.match(garbled.output, /The URL of the database is invalid/u);
    assert.doesNotMatch(garbled.output, /secret/u);
    const away = await run("--from", "postgres://u:secret@127.0.0.1:1/x", "--to", join(tmpdir(), "never"));
    assert.equal(away.code, 1);
    assert.match(away.output, /PostgreSQL cannot be reached/u);
    assert.doesNotMatch(away.output, /secret/u);
    assert.equal(hidePassword("postgres://u:secret@h:1/x?password=secret"), "postgres://u@h:1/x");
  });
});
