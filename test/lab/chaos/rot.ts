/** One bit turns over in each file of a running program's folder: it is told at a read, by the scrub, or at the stop and the next start. */
import { cp, mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServiceName } from "../../../src/config.ts";
import { textOf } from "../../../src/kit/thrown.ts";
import { listFiles } from "../../../src/service/backup/content.ts";
import { runProcess } from "../../support/process.ts";
import { type ChaosCase, type Found, type Surroundings, judge, pause, waitFor } from "./case.ts";
import { ask, textAt } from "./requests.ts";
import { type Life, type Subject, createSubject } from "./subject.ts";
import { createTraffic } from "./traffic.ts";
import { startUploads } from "./uploads.ts";

const SERVICES: readonly ServiceName[] = ["monitor", "auth", "shop"];
const LOAD_MS = 2_500;
const SCRUB_MS = 60_000;
/** What readers ask of each service, so that many files are read. */
const ASKED: Readonly<Record<ServiceName, readonly string[]>> = {
  monitor: ["/api/servers", "/api/incidents", "/metrics", "/api/settings"],
  auth: ["/api/admin/accounts", "/api/admin/audit", "/metrics"],
  shop: ["/api/products", "/api/admin/orders", "/api/admin/audit", "/metrics"],
};

/** Replaced again and again by what the program knows: owners of folders, and notes of the last hours for the doctor. */
const IS_REPLACED = /\.lock$|-observed\.json$/u;
/** Files under temporary names, as a kill leaves them; nobody reads them. */
const IS_LEFT = /\.(?:new|tmp)$/u;
/** Of pictures, parts of files and smaller sizes, so many are tried; all are read alike. */
const MOST_ALIKE = 3;

/** Where a turned bit was told, in the order of the trial. */
const STAGES = ["read", "scrub", "stop", "start", "check"] as const;
type Stage = (typeof STAGES)[number];

/** A folder as it lies on a disk at work: snapshots, journals, segments, history, pictures, and a token that it made. */
async function makeFolder(
  around: Surroundings,
): Promise<{ kept: string; token: string; acknowledged: string }> {
  const loaded = await createSubject(around, { services: SERVICES });
  let life = await loaded.start();
  const traffic = createTraffic(loaded, SERVICES);
  await traffic.prepare();
  traffic.start();
  const uploads = startUploads(loaded.url("shop"));
  await waitFor(() => uploads.counts().files > 1, { limitMs: around.within(30_000) });
  // No more of them: all is read through at the pace of a scrub, once for each bit.
  await uploads.stop();
  await pause(LOAD_MS);
  // The first stop leaves all in snapshots, the kill the rest in journals.
  await life.terminate();
  life = await loaded.start();
  await pause(LOAD_MS);
  await traffic.stop();
  const { acknowledged } = await traffic.audit();
  await life.kill();
  const made = await createSubject(around, {
    services: SERVICES,
    env: { ADMIN_TOKEN: "", DATA_DIR: loaded.dataDir },
  });
  life = await made.start();
  const token = (await readFile(join(loaded.dataDir, "first-admin-token"), "utf8").catch(() => "")).trim();
  await life.kill();
  const parent = await mkdtemp(join(tmpdir(), "trivet-rot-"));
  around.onEnd(() => rm(parent, { recursive: true, force: true }));
  const kept = join(parent, "kept");
  await cp(loaded.dataDir, kept, { recursive: true });
  return { kept, token, acknowledged };
}

/** Turns one bit over in place, as a disk does; the file may grow meanwhile. */
async function turnBit(path: string, random: () => number): Promise<string> {
  const file = await open(path, "r+");
  try {
    const { size } = await file.stat();
    const at = Math.floor(random() * size);
    const bit = Math.floor(random() * 8);
    const byte = new Uint8Array(1);
    await file.read(byte, 0, 1, at);
    byte[0] = (byte[0] ?? 0) ^ (1 << bit);
    await file.write(byte, 0, 1, at);
    return `bit ${bit} of byte ${at} of ${size}`;
  } finally {
    await file.close();
  }
}

async function readAll(subject: Subject, token: string): Promise<void> {
  for (const service of SERVICES)
    for (const path of ASKED[service])
      await ask(subject.url(service) + path, { headers: { "x-admin-token": token } });
}

const readChecked = async (subject: Subject, service: ServiceName): Promise<string> =>
  textAt((await ask(`${subject.url(service)}/api/health`)).json, "data", "checkedAt");

/** Lets a whole pass over all files run. */
async function scrub(around: Surroundings, subject: Subject): Promise<void> {
  subject.harm({ isHurried: true });
  for (const service of SERVICES) {
    const isOver = async (): Promise<boolean> => (await readChecked(subject, service)) !== "";
    if ((await waitFor(isOver, { limitMs: around.within(SCRUB_MS) })) === undefined)
      throw new Error(`the ${service} ended no pass over its files`);
  }
  subject.harm({});
}

/** The last two parts of a path, as messages and the check have them too. */
const toTail = (file: string): string => file.split("/").slice(-2).join("/");

async function check(around: Surroundings, dataDir: string): Promise<string> {
  const [command, ...before] = around.runner;
  const args = [...before, around.entry, "check", dataDir];
  const { code, output } = await runProcess({ command, args, env: { DATA_DIR: dataDir } });
  return code === 0 && !output.includes("warning") ? "" : output;
}

interface Trial {
  readonly subject: Subject;
  readonly file: string;
  readonly token: string;
}

/** One file's bit through all stages; where it was told. */
async function tryFile(
  around: Surroundings,
  { subject, file, token }: Trial,
  lives: Life[],
): Promise<Set<Stage>> {
  const told = new Set<Stage>();
  const tail = toTail(file);
  const isTold = (text: string): boolean => text.includes(tail);
  const start = async (): Promise<Life> => {
    const started = await subject.start();
    lives.push(started);
    return started;
  };
  let life = await start();
  let seen = 0;
  const listen = (stage: Stage, of: Life): void => {
    const output = of.program.output();
    if (isTold(output.slice(seen))) told.add(stage);
    seen = output.length;
  };
  seen = life.program.output().length;
  const turned = await turnBit(join(subject.dataDir, file), around.random);
  await readAll(subject, token);
  listen("read", life);
  await scrub(around, subject);
  listen("scrub", life);
  const { code } = await life.terminate();
  listen("stop", life);
  if (code !== 0) told.add("stop");
  try {
    life = await start();
    seen = 0;
    listen("start", life);
    await life.terminate();
  } catch (error) {
    if (isTold(textOf(error))) told.add("start");
    else
      throw new Error(`the start failed without naming it: ${textOf(error).slice(-300)}`, { cause: error });
  }
  if (isTold(await check(around, subject.dataDir))) told.add("check");
  if (told.size === 0) throw new Error(`${turned} was told nowhere`);
  return told;
}

/** Of a quick run: a bit in each file at once. What the pass over them tells of need not be tried alone. */
async function tryTogether(
  around: Surroundings,
  { subject, files, token }: { subject: Subject; files: readonly string[]; token: string },
): Promise<string[]> {
  const life = await subject.start();
  try {
    const before = life.program.output().length;
    for (const file of files) await turnBit(join(subject.dataDir, file), around.random);
    await readAll(subject, token);
    await scrub(around, subject);
    const output = life.program.output().slice(before);
    return files.filter((file) => output.includes(toTail(file)));
  } finally {
    await life.kill();
  }
}

/** The files that are tried. */
function pick(files: readonly string[]): string[] {
  const alike = new Map<string, number>();
  return files.filter((file) => {
    if (IS_REPLACED.test(file) || IS_LEFT.test(file)) return false;
    const [folder] = /^shop\/(?:blobs|sizes)\//u.exec(file) ?? [];
    if (folder === undefined) return true;
    alike.set(folder, (alike.get(folder) ?? 0) + 1);
    return (alike.get(folder) ?? 0) <= MOST_ALIKE;
  });
}

async function turnAll(around: Surroundings): Promise<Found> {
  const { kept, token, acknowledged } = await makeFolder(around);
  const subject = await createSubject(around, {
    services: SERVICES,
    isFragile: true,
    env: { ADMIN_TOKEN: "", DATA_DIR: kept.replace(/kept$/u, "data") },
  });
  const rounds = around.rounds(1, 3);
  const files = pick(await listFiles(kept)).flatMap((file) => Array.from({ length: rounds }, () => file));
  const problems: string[] = [];
  const counts = new Map<Stage, number>();
  const renew = async (): Promise<void> => {
    await rm(subject.dataDir, { recursive: true, force: true });
    await cp(kept, subject.dataDir, { recursive: true });
  };
  await renew();
  const together = around.isQuick ? await tryTogether(around, { subject, files, token }) : [];
  if (together.length > 0) {
    counts.set("scrub", together.length);
    console.error(`  read or scrub, all at once: ${together.join(", ")}`);
  }
  for (const file of files.filter((one) => !together.includes(one))) {
    await renew();
    const lives: Life[] = [];
    try {
      const told = await tryFile(around, { subject, file, token }, lives);
      for (const stage of told) counts.set(stage, (counts.get(stage) ?? 0) + 1);
      console.error(`  ${file}: ${[...told].join(", ")}`);
    } catch (error) {
      problems.push(`${file}: ${textOf(error)}`);
      console.error(`  ${file}: ${textOf(error)}`);
    } finally {
      for (const life of lives) await life.kill();
    }
  }
  return judge(problems, {
    done: `${files.length} bits turned over while all services ran, ${rounds} in each file`,
    acknowledged,
    found: `all told: ${STAGES.map((stage) => `${counts.get(stage) ?? 0} at the ${stage}`).join(", ")}`,
  });
}

/** See the module's header. */
export const rot: ChaosCase = {
  name: "rot",
  promise:
    "A bit that turns over in any file of a running program's folder is told, and gets no new checksum",
  parts: [{ name: "every file", run: turnAll, limitSeconds: 1_800 }],
};
