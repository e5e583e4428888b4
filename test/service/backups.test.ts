/** Backups of a running program: when they are made, how many stay, and what a failure leaves. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { AppError } from "../../src/kit/errors.ts";
import { nodeFileLayer } from "../../src/kit/files/file-layer.ts";
import { silentLog } from "../../src/kit/observe/log.ts";
import { createBackup } from "../../src/service/backup/backup.ts";
import { type Backups, createBackups } from "../../src/service/backup/backups.ts";
import { takeLock } from "../../src/store/journal/lock.ts";
import { type FixedClock, createFixedClock } from "../support/fixed-clock.ts";

const HOUR_MS = 3_600_000;

let home = "";
let folder = "";
let clock: FixedClock;
/** What the next backup fails with; "" lets it succeed. */
let refusal = "";
let made = 0;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "trivet-backups-"));
  folder = join(home, "backups");
  clock = createFixedClock();
  refusal = "";
  made = 0;
  await mkdir(join(home, "data"));
  await writeFile(join(home, "data", "admin-token.json"), "{}");
});
afterEach(() => rm(home, { recursive: true }));

/** In this process, with its clock: what the program does in one of its own. */
async function runSelf(args: readonly string[]): Promise<{ code: number; output: string }> {
  const [command, , data = "", , to = ""] = args;
  assert.equal(command, "backup");
  made += 1;
  if (refusal !== "") return { code: 1, output: `(noise)\nBackup failed: ${refusal}\n` };
  await createBackup({ data, to, now: clock.now() });
  return { code: 0, output: "" };
}

function open(options: { everyHours?: number; keep?: number } = {}): Backups {
  const data = join(home, "data");
  return createBackups({
    data,
    folder,
    everyHours: 24,
    keep: 2,
    keys: false,
    recipients: [],
    clock,
    log: silentLog,
    runSelf,
    ...options,
  });
}

const names = async (): Promise<string[]> => (await readdir(folder)).sort();

describe("createBackups", () => {
  it("creates one if there is none, and the next when it is due, also after a restart", async () => {
    const first = open();
    await first.tick();
    await first.tick();
    assert.equal(made, 1);
    clock.advance(24 * HOUR_MS - 1);
    const second = open();
    await second.tick();
    assert.equal(made, 1);
    clock.advance(1);
    await second.tick();
    assert.equal(made, 2);
    const { found, nextAt } = await second.overview();
    assert.deepEqual(
      found.map(({ createdAt, files, sizeBytes }) => [createdAt, files, sizeBytes]),
      [
        [clock.now(), 1, 2],
        [clock.now() - 24 * HOUR_MS, 1, 2],
      ],
    );
    assert.equal(nextAt, clock.now() + 24 * HOUR_MS);
  });

  it("removes the oldest of its own, and nothing that others put there", async () => {
    await mkdir(join(folder, "mine"), { recursive: true });
    const backups = open();
    for (let times = 0; times < 4; times += 1) {
      await backups.tick();
      clock.advance(24 * HOUR_MS);
    }
    assert.equal(made, 4);
    const left = await names();
    assert.equal(left.length, 3);
    assert.ok(left.includes("mine"));
    const { found } = await backups.overview();
    assert.deepEqual(
      found.map(({ createdAt }) => clock.now() - createdAt),
      [24 * HOUR_MS, 48 * HOUR_MS],
    );
  });

  it("keeps the older ones when one fails, says why, and tries again after an hour", async () => {
    const backups = open({ keep: 1 });
    await backups.tick();
    const before = await names();
    clock.advance(24 * HOUR_MS);
    refusal = "ENOSPC: no space left on device, write";
    await backups.tick();
    assert.deepEqual(await names(), before);
    const { failure, nextAt } = await backups.overview();
    assert.deepEqual(failure, { at: clock.now(), message: refusal });
    assert.equal(nextAt, clock.now() + HOUR_MS);
    await assert.rejects(backups.check(), /no space left/u);
    await backups.tick();
    assert.equal(made, 2);
    clock.advance(HOUR_MS);
    refusal = "";
    await backups.tick();
    assert.equal(made, 3);
    await backups.check();
    assert.notDeepEqual(await names(), before);
    assert.equal((await names()).length, 1);
  });

  it("says so when the folder is none", async () => {
    await writeFile(folder, "");
    const backups = open();
    assert.match((await backups.overview()).failure?.message ?? "", /ENOTDIR/u);
    await backups.tick();
    await assert.rejects(backups.check(), /ENOTDIR/u);
    assert.equal(made, 0);
  });

  it("clears away what a killed one left", async () => {
    await mkdir(join(folder, "trivet-2026-01-02T03-04-05-678Z.partial", "monitor"), { recursive: true });
    await open().tick();
    const left = await names();
    assert.equal(left.length, 1);
    assert.doesNotMatch(left[0] ?? "", /partial/u);
  });

  it("only creates one on demand with 0 hours, one at a time", async () => {
    const backups = open({ everyHours: 0 });
    await backups.tick();
    assert.equal(made, 0);
    backups.start();
    assert.throws(
      () => backups.start(),
      (error) => error instanceof AppError && error.code === "conflict",
    );
    while ((await backups.overview()).runningSince !== undefined) await new Promise(setImmediate);
    assert.equal(made, 1);
    assert.equal((await backups.overview()).nextAt, undefined);
  });

  it("leaves it to another process that makes one in the same folder", async () => {
    await mkdir(folder, { recursive: true });
    const lock = await takeLock({ files: nodeFileLayer, folder, name: "backup" });
    const backups = open();
    await backups.tick();
    assert.equal(made, 0);
    await backups.check();
    await lock.release();
    await backups.tick();
    assert.equal(made, 1);
  });
});
