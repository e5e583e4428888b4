/** What a folder of the JSON store must hold: each file that is gone is missed, and the refusal tells the way on. */
import assert from "node:assert/strict";
import { copyFile, mkdtemp, readdir, readFile, rm, truncate, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import {
  type JournalStore,
  type JournalStoreOptions,
  openJournalStore,
} from "../../../src/store/journal/journal-store.ts";
import { items, rejectsWith } from "../../contract/store-fixtures.ts";

describe("JSON store, files that are gone", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "trivet-missing-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const path = (name: string): string => join(folder, name);
  const open = (options: Partial<JournalStoreOptions> = {}): Promise<JournalStore> =>
    openJournalStore({ folder, name: "shop", collections: [items], ...options });

  /** Stores more items and closes; without compaction the files are those of a killed process. */
  async function fill(ids: readonly string[], options: Partial<JournalStoreOptions>): Promise<void> {
    const store = await open(options);
    for (const id of ids) await store.transact((tx) => tx.insert(items, { id, rank: 1 }));
    await store.idle();
    await store.close();
  }

  async function refusal(): Promise<string> {
    return (await rejectsWith(open(), "store_unavailable")).message;
  }

  async function idsNow(): Promise<string[]> {
    const store = await open({ compactOnClose: false });
    const page = await store.read((tx) => tx.list(items, "id", { limit: 100 }));
    await store.close();
    return page.items.map(({ id }) => id);
  }

  /** Does what a refusal tells for going on without the changes of a journal. */
  async function forgetJournal(): Promise<void> {
    const lines = (await readFile(path("shop.json"), "utf8")).split("\n");
    const kept = lines.filter((line) => !line.includes('"journal": ') && !line.includes('"checksum": '));
    await writeFile(path("shop.json"), kept.join("\n"));
  }

  const killed = { compactOnClose: false };

  for (const [what, spoil, expected] of [
    ["is gone", unlink, /shop\.000002\.journal" is missing, and ".*shop\.json" goes on in it; restore/u],
    ["is empty", truncate, /shop\.000002\.journal" has lost its first line; restore/u],
  ] as const) {
    it(`prevent a start when the journal ${what}, and go on without it on request`, async () => {
      await fill(["a"], {});
      await fill(["b", "c"], killed);
      await spoil(path("shop.000002.journal"));
      const message = await refusal();
      assert.match(message, expected);
      assert.match(message, /remove the lines "journal" and "checksum" from ".*shop\.json"$/u);
      assert.equal(await refusal(), message);
      await forgetJournal();
      assert.deepEqual(await idsNow(), ["a"]);
      assert.deepEqual(await idsNow(), ["a"]);
    });
  }

  it("refuse a start when the journal of the very first start is gone", async () => {
    await fill(["a"], killed);
    await unlink(path("shop.000001.journal"));
    assert.match(await refusal(), /shop\.000001\.journal" is missing/u);
  });

  it("refuse a journal of an older generation beside a newer snapshot", async () => {
    await fill(["a"], killed);
    await copyFile(path("shop.000001.journal"), path("old"));
    await fill(["b"], {});
    await fill(["c"], killed);
    await unlink(path("shop.000002.journal"));
    await copyFile(path("old"), path("shop.000001.journal"));
    assert.match(await refusal(), /shop\.000002\.journal" is missing/u);
  });

  it("refuse a start when the journal is gone that a compaction was to replace", async () => {
    await fill(["a", "b", "c", "d"], { ...killed, compactAtBytes: 100 });
    const store = await open(killed);
    await store.close();
    const [journal, ...more] = (await readdir(folder)).filter((name) => name.endsWith(".journal"));
    assert.deepEqual(more, []);
    await unlink(path(journal ?? ""));
    assert.match(await refusal(), /journal" is missing/u);
  });

  it("prevent a start when the snapshot of a stopped store is missing, and start over without its journal", async () => {
    await fill(["a"], {});
    await unlink(path("shop.json"));
    assert.match(
      await refusal(),
      /shop\.json" is missing.*to begin with nothing, remove "shop\.\*\.journal"/u,
    );
    await unlink(path("shop.000002.journal"));
    assert.deepEqual(await idsNow(), []);
  });

  it("take a folder of a program that named no journal, stopped or killed, and name it from then on", async () => {
    for (const [before, expected] of [
      [{}, ["a"]],
      [killed, ["a", "b"]],
    ] as const) {
      await rm(folder, { recursive: true });
      await fill(["a"], {});
      if (before === killed) await fill(["b"], killed);
      await forgetJournal();
      const journal = await readFile(path("shop.000002.journal"), "utf8");
      // As it was: no first line, and after a stop no journal.
      if (before === killed)
        await writeFile(path("shop.000002.journal"), journal.slice(journal.indexOf("\n") + 1));
      else await unlink(path("shop.000002.journal"));
      assert.deepEqual(await idsNow(), expected);
      const now = (await readdir(folder)).filter((name) => name.endsWith(".journal"));
      assert.equal(now.length, 1);
      await unlink(path(now[0] ?? ""));
      assert.match(await refusal(), /journal" is missing/u);
    }
  });
});
