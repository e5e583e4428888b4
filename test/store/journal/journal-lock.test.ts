/** One process a data folder: the JSON store's lock. */
import assert from "node:assert/strict";
import { appendFile, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, it } from "node:test";
import {
  type JournalStore,
  type JournalStoreOptions,
  openJournalStore,
} from "../../../src/store/journal/journal-store.ts";
import { type ProcessIdentity, readOwnIdentity } from "../../../src/store/journal/process-identity.ts";
import { items, rejectsWith } from "../../contract/store-fixtures.ts";
import { FaultyFiles } from "../faulty-files.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-store-"));
});
afterEach(() => rm(folder, { recursive: true }));

const path = (name: string): string => join(folder, name);

function open(options: Partial<JournalStoreOptions> = {}): Promise<JournalStore> {
  return openJournalStore({ folder, name: "shop", collections: [items], ...options });
}

async function refusal(options: Partial<JournalStoreOptions> = {}): Promise<string> {
  const { message } = await rejectsWith(open(options), "store_unavailable");
  return message;
}

describe("JSON store, lock", () => {
  it("keeps a second store out of the folder, with a clear text, until the first has closed", async () => {
    const store = await open();
    assert.match(
      await refusal(),
      new RegExp(`The data folder "${folder}" is in use by process ${process.pid}`, "u"),
    );
    await store.close();
    await (await open()).close();
  });

  it("is taken over from a dead process, whichever process has its pid now", async () => {
    const own = await readOwnIdentity();
    const dead: ProcessIdentity[] = [
      { ...own, startTicks: "1" },
      { ...own, bootId: "the boot before" },
      { ...own, pid: 4_194_304 },
    ];
    for (const identity of dead) {
      // A power cut may leave zeros where heartbeats were. It is not watched: that would take ten minutes here.
      for (const beats of ["", "\n\n", "\0\0\0"]) {
        await writeFile(path("shop.lock"), `${JSON.stringify(identity)}\n${beats}`);
        await (await open({ lock: { watchMs: 600_000 } })).close();
      }
    }
    assert.ok(!(await readdir(folder)).some((name) => name.includes("lock")));
  });

  it("names its owner also after a power cut, so that the next start need not watch it", async () => {
    const files = new FaultyFiles();
    const store = await open({ files });
    // All names survive, of the bytes only what was synced.
    const first = [0.999];
    const disk = files.afterPowerCut(() => first.shift() ?? 0);
    assert.match(disk.content(path("shop.lock"))?.toString() ?? "", new RegExp(`"pid":${process.pid},`, "u"));
    await store.close();
  });

  it("is judged by its heartbeat when identities do not tell", async () => {
    const file = path("shop.lock");
    await writeFile(file, '{"pid":7}\n');
    await (await open({ lock: { watchMs: 500 } })).close();
    await writeFile(file, '{"pid":7}\n');
    const beat = setInterval(() => void appendFile(file, "\n"), 100);
    assert.match(await refusal({ lock: { watchMs: 2500 } }), /in use by process 7/u);
    clearInterval(beat);
  });
});
