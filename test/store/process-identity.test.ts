/** Whether a process still runs, also a zombie. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import process from "node:process";
import { it } from "node:test";
import { isRunning, readOwnIdentity } from "../../src/store/journal/process-identity.ts";
import { tellSkipped } from "../support/missing.ts";

async function readStat(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

it("a process that has ended counts as gone before its parent has waited for it", async (t) => {
  const own = await readOwnIdentity();
  if (own.bootId === undefined) return t.skip(tellSkipped("this system has no /proc, or it may not be read"));
  assert.equal(await isRunning(own, own), true);
  // The shell becomes a program that waits for no child.
  const parent = spawn("sh", ["-c", "sh -c 'echo $$' & exec sleep 60"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const [line] = await once(parent.stdout, "data");
    const pid = Number(String(line).trim());
    // What it printed says that it is about to end.
    while ((await readStat(pid))[0] !== "Z") await new Promise((resolve) => setTimeout(resolve, 5));
    const startTicks = (await readStat(pid))[19] ?? "";
    assert.equal(await isRunning({ ...own, pid, startTicks }, own), false);
  } finally {
    if (parent.pid !== undefined) process.kill(parent.pid, "SIGKILL");
  }
});
