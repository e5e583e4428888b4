/** SIGKILL while the JSON store writes: nothing acknowledged is lost, and the next start takes the folder. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";
import { counters, items } from "../../contract/store-fixtures.ts";
import { toRunArguments } from "../../support/own-runtime.ts";

const program = fileURLToPath(new URL("kill-writer.ts", import.meta.url));

/** Runs the writer until it has printed `lines` acknowledgements in this life, kills it, and gives the highest. */
async function writeUntilKilled(folder: string, lines: number): Promise<number> {
  const child = spawn(process.execPath, [...toRunArguments(program), folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let seen = 0;
  let highest = 0;
  let rest = "";
  const gone = once(child, "close");
  child.stdout.on("data", (chunk: Buffer) => {
    const parts = (rest + chunk.toString("utf8")).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) highest = Math.max(highest, Number(part));
    seen += parts.length;
    if (seen >= lines) child.kill("SIGKILL");
  });
  await gone;
  assert.ok(seen >= lines, `the writer ended by itself after ${seen} lines`);
  return highest;
}

describe("JSON store, SIGKILL", () => {
  it("loses nothing acknowledged in several lives of one folder", async () => {
    const folder = await mkdtemp(join(tmpdir(), "trivet-store-"));
    let before = 0;
    for (const lines of [1, 40, 333, 1500]) {
      const acknowledged = await writeUntilKilled(folder, lines);
      assert.ok(acknowledged > before);
      const store = await openJournalStore({ folder, name: "killed", collections: [items, counters] });
      const counter = await store.read((tx) => tx.get(counters, "n"));
      const count = await store.read((tx) => tx.count(items));
      assert.ok(count >= acknowledged, `${acknowledged} acknowledged, ${count} found`);
      assert.equal(counter?.value, count, "half a transaction");
      before = count;
      await store.close();
    }
    await rm(folder, { recursive: true });
  });
});
