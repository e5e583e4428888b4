/** A small file system that fills up under load: refusals instead of losses, reads go on, healed when there is room. */
import { appendFile, mkdir, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { runProcess } from "../../support/process.ts";
import {
  type ChaosCase,
  type Found,
  type Surroundings,
  NotPossible,
  pause,
  toSeconds,
  waitFor,
} from "./case.ts";
import { ask } from "./requests.ts";
import { createSubject } from "./subject.ts";
import { createTraffic, toFound } from "./traffic.ts";
import { ADMIN_TOKEN } from "../../shop/kill-load.ts";
import { readCount, startWriter } from "./writer.ts";

const SIZE_MB = 48;
/** A store that could not write tries to heal after 1 s, 2 s, … 30 s. */
const HEAL_LIMIT_MS = 35_000;

/** Mounts a memory file system of a size; it goes with the part. @throws NotPossible where that is not allowed */
async function mountSmall(around: Surroundings): Promise<string> {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    throw new NotPossible("only root on Linux can mount a small file system");
  const folder = await mkdtemp(join(tmpdir(), "trivet-full-"));
  around.onEnd(() => rm(folder, { recursive: true, force: true }));
  const args = ["-t", "tmpfs", "-o", `size=${SIZE_MB}m`, "none", folder];
  const { code, output } = await runProcess({ command: "mount", args });
  if (code !== 0) throw new NotPossible(output.trim());
  around.onEnd(() => runProcess({ command: "umount", args: ["-l", folder] }));
  return folder;
}

/** Takes all the room that is left; the returned function gives it back. */
async function fill(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, "ballast");
  const page = Buffer.alloc(4_096);
  // What a program lets go meanwhile is taken as well.
  for (let round = 0; round < 20; round += 1) {
    const { bavail, bsize } = await statfs(folder);
    await appendFile(path, Buffer.alloc(Math.max(0, bavail * bsize))).catch(() => undefined);
    await appendFile(path, page).catch(() => undefined);
    await pause(20);
  }
  return () => rm(path, { force: true });
}

/** A write that asks for no room of its own to be known: a product for the shop. */
const tryWrite = (url: string): ReturnType<typeof ask> =>
  ask(`${url}/api/admin/products`, {
    method: "POST",
    headers: { "x-admin-token": ADMIN_TOKEN },
    body: { title: "Full", price: 1, status: "draft", deliveryType: "manual" },
  });

async function fillPrograms(around: Surroundings): Promise<Found> {
  const mount = await mountSmall(around);
  const dataDir = join(mount, "data");
  await mkdir(dataDir);
  const services = ["monitor", "auth", "shop"] as const;
  const subject = await createSubject(around, { services, env: { DATA_DIR: dataDir } });
  const life = await subject.start();
  const traffic = createTraffic(subject, services);
  await traffic.prepare();
  traffic.start();
  const rounds = around.rounds(1, 2);
  const problems: string[] = [];
  let healedMs = 0;
  for (let n = 0; n < rounds; n += 1) {
    await pause(1_500);
    const free = await fill(mount);
    const isRefused = async (): Promise<boolean> => (await tryWrite(subject.url("shop"))).status === 503;
    if ((await waitFor(isRefused, { limitMs: around.within(15_000) })) === undefined)
      problems.push("no write was refused");
    const { status, headers, json } = await tryWrite(subject.url("shop"));
    if (status === 503 && !JSON.stringify(json).includes("store_unavailable"))
      problems.push(`refused with ${JSON.stringify(json)}`);
    if (status === 503 && headers.get("retry-after") === null) problems.push("a refusal without Retry-After");
    for (const url of [`${subject.url("shop")}/api/products`, `${subject.url("monitor")}/api/servers`]) {
      const read = await ask(url);
      if (read.status !== 200) problems.push(`a read answered ${read.status}`);
    }
    await pause(1_000);
    await free();
    const isTaken = async (): Promise<boolean> => (await tryWrite(subject.url("shop"))).status === 201;
    const tookMs = await waitFor(isTaken, { limitMs: around.within(HEAL_LIMIT_MS) });
    if (tookMs === undefined) problems.push("did not heal");
    healedMs = Math.max(healedMs, tookMs ?? 0);
  }
  // Each store heals by itself, at its own next try.
  for (const service of services) {
    const isWell = async (): Promise<boolean> =>
      (await ask(`${subject.url(service)}/api/health`)).status === 200;
    if ((await waitFor(isWell, { limitMs: around.within(HEAL_LIMIT_MS) })) === undefined)
      problems.push(`${service} stays unwell`);
  }
  await pause(1_000);
  await traffic.stop();
  await life.kill();
  await subject.start();
  const books = await traffic.audit();
  problems.push(...books.problems);
  return {
    isKept: problems.length === 0,
    done: `${rounds} times a full disk under load, then a kill`,
    acknowledged: books.acknowledged,
    found: `${toFound(problems)}; writes 503 and reads 200 while full, writes again ${toSeconds(healedMs)} after`,
  };
}

async function fillCareless(around: Surroundings): Promise<Found> {
  const folder = await mountSmall(around);
  const writer = startWriter(around, "no-look", folder);
  await waitFor(() => writer.acknowledged() > 3, { limitMs: 20_000 });
  await fill(folder);
  await pause(500);
  await writer.kill();
  const found = await readCount("no-look", folder).catch(() => 0);
  const lost = writer.acknowledged() - found;
  return {
    isKept: lost <= 0,
    done: "a full disk under a program that counts",
    acknowledged: `${writer.acknowledged()} numbers`,
    found: `${lost} lost`,
  };
}

/** See the module's header. */
export const diskFull: ChaosCase = {
  name: "disk-full",
  promise:
    "Disk full: 503 store_unavailable, reads go on, nothing acknowledged lost, heals when there is room",
  parts: [
    { name: "all services", run: fillPrograms },
    { name: "plain lowdb, answers though the write failed", isControl: true, run: fillCareless },
  ],
};
