/** scripts/read-data.py, which knows the documents about the files and none of this code, reads what the store reads. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, beforeEach, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { pagesOf } from "../../../src/store/every-page.ts";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";
import { counters, items } from "../../contract/store-fixtures.ts";
import { findProgram, tellSkipped } from "../../support/missing.ts";
import { toRunArguments } from "../../support/own-runtime.ts";
import { projectFolder, runProcess } from "../../support/process.ts";

const program = fileURLToPath(new URL("kill-writer.ts", import.meta.url));
/** More of them by hand: TRIVET_KILLS=50. */
const KILLS = Number(process.env["TRIVET_KILLS"] ?? "8");
const skip =
  findProgram("python3") === undefined &&
  tellSkipped("python3 is not installed (Debian: apt install python3)");

let root = "";
before(async () => {
  root = await mkdtemp(join(tmpdir(), "trivet-reader-"));
});
after(() => rm(root, { recursive: true, force: true }));

let room = "";
let rooms = 0;
/** As a service has it: its files carry the name of their folder. */
let folder = "";
beforeEach(() => {
  room = join(root, String((rooms += 1)));
  folder = join(room, "killed");
});

async function read(...args: readonly string[]): Promise<{ code: number | undefined; output: string }> {
  const script = join(projectFolder, "scripts", "read-data.py");
  const { code, output } = await runProcess({ command: "python3", args: [script, room, ...args] });
  return { code, output };
}

/** Every record by its collection, as lines that can be compared. */
async function readLines(): Promise<string[]> {
  const { code, output } = await read();
  assert.equal(code, 0, output);
  const lines = output.split("\n").filter((line) => line.startsWith("{"));
  return lines
    .map((line) => {
      const { service, collection, record } = JSON.parse(line) as Record<string, unknown>;
      assert.equal(service, "killed");
      return JSON.stringify([collection, record]);
    })
    .toSorted();
}

const open = (compactOnClose = true) =>
  openJournalStore({ folder, name: "killed", collections: [items, counters], compactOnClose });

async function readStore(): Promise<string[]> {
  const store = await open();
  const lines: string[] = [];
  await store.read(async (tx) => {
    for await (const page of pagesOf(tx, items, { index: "id" }))
      for (const record of page) lines.push(JSON.stringify(["items", record]));
    for await (const page of pagesOf(tx, counters, { index: "id" }))
      for (const record of page) lines.push(JSON.stringify(["counters", record]));
  });
  await store.close();
  return lines.toSorted();
}

async function writeUntilKilled(lines: number): Promise<void> {
  const child = spawn(process.execPath, [...toRunArguments(program), folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let seen = 0;
  const gone = once(child, "close");
  child.stdout.on("data", (chunk: Buffer) => {
    for (const byte of chunk) seen += byte === 0x0a ? 1 : 0;
    if (seen >= lines) child.kill("SIGKILL");
  });
  await gone;
}

/** Two records in the snapshot; the journal adds one and removes one. */
async function writeSome(): Promise<void> {
  const store = await open();
  for (let rank = 1; rank <= 3; rank += 1)
    await store.transact((tx) => tx.insert(items, { id: `i${rank}`, rank, note: "Grüße, 世界 🌍" }));
  await store.transact((tx) => tx.remove(items, "i2"));
  await store.close();
  const again = await open(false);
  await again.transact((tx) => tx.insert(items, { id: "i9", rank: 9, note: "later" }));
  await again.transact((tx) => tx.remove(items, "i3"));
  await again.close();
}

const pathOf = async (ending: string): Promise<string> => {
  const name = (await readdir(folder)).filter((each) => each.endsWith(ending)).at(-1);
  assert.ok(name !== undefined);
  return join(folder, name);
};

async function assertRefused(expected: RegExp): Promise<void> {
  const { code, output } = await read();
  assert.equal(code, 1, output);
  assert.match(output, expected);
}

describe("scripts/read-data.py", { skip }, () => {
  it(`reads what the store reads after each of ${KILLS} kills`, async () => {
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await writeUntilKilled(kill * 7);
      const seen = await readLines();
      const stored = await readStore();
      assert.ok(stored.length > kill);
      assert.deepEqual(seen, stored, `after kill ${kill}`);
    }
  });

  it("reads snapshot and journal, in letters of any script", async () => {
    await writeSome();
    const seen = await readLines();
    assert.deepEqual(seen, await readStore());
    assert.equal(seen.filter((line) => line.includes("世界 🌍")).length, 1);
    const { output } = await read("--count");
    assert.match(output, /^ +2 {2}killed\/items$/mu);
  });

  it("leaves a torn last line out, and says so", async () => {
    await writeSome();
    const journal = await pathOf(".journal");
    const text = await readFile(journal);
    await writeFile(journal, text.subarray(0, -10));
    const { code, output } = await read();
    assert.equal(code, 0, output);
    assert.match(output, /the last \d+ bytes were never acknowledged/u);
    assert.match(output, /"i3"/u);
    assert.deepEqual(await readLines(), await readStore());
  });

  it("names a file with a changed bit, as the store does", async () => {
    await writeSome();
    for (const ending of ["killed.json", ".journal"]) {
      const path = await pathOf(ending);
      const bytes = await readFile(path);
      const changed = Buffer.from(bytes);
      // In the first of several lines: in the last one it would be a torn write.
      const at = ending === ".journal" ? 20 : changed.indexOf('"rank":1') + 7;
      changed[at] = (changed[at] ?? 0) ^ 1;
      await writeFile(path, changed);
      await assertRefused(
        ending === ".journal" ? /damaged|lost its first line/u : /does not match its checksum/u,
      );
      await assert.rejects(open());
      await writeFile(path, bytes);
    }
  });

  it("names a journal that is missing, as the store does", async () => {
    await writeSome();
    await rm(await pathOf(".journal"));
    await assertRefused(/the journal \d+ of .*killed\.json is missing/u);
    await assert.rejects(open());
  });

  it("names a snapshot that is missing, and a folder that holds no data", async () => {
    await writeSome();
    await rm(join(folder, "killed.json"));
    await assertRefused(/killed\.json is missing, but there is a journal/u);
    await rm(folder, { recursive: true });
    await assertRefused(/is not a data folder/u);
  });
});
