/** Takes one flipped bit in a running program's folder through all stages at which it can be detected. */
import { open, readFile, readdir } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import type { ServiceName } from "../../../src/kit/services.ts";
import { textOf } from "../../../src/kit/thrown.ts";
import { runProcess } from "../../support/process.ts";
import { type Surroundings, waitFor } from "./case.ts";
import type { Faults } from "./faults-preload.ts";
import { ask, textAt } from "./requests.ts";
import type { Life, Subject } from "./subject.ts";

const SCRUB_MS = 60_000;
/** So many bytes on both sides of a turned bit are looked for afterwards. */
const AROUND_BYTES = 16;
/** What readers ask of each service, so that many files are read. */
const asked: Readonly<Record<ServiceName, readonly string[]>> = {
  monitor: ["/api/servers", "/api/uptime", "/api/admin/audit/verify", "/api/admin/settings", "/metrics"],
  auth: ["/api/admin/users", "/api/admin/audit/verify", "/api/admin/outbox", "/metrics"],
  shop: ["/api/products", "/api/admin/orders", "/api/admin/audit/verify", "/metrics"],
};

/**
 * Where a flipped bit was detected, in the order of the trial; "dropped": the start removed the file, as it does with
 * empty segments.
 */
export const stages = ["dropped", "read", "scrub", "stop", "start", "check"] as const;
export type Stage = (typeof stages)[number];

export interface Trial {
  readonly around: Surroundings;
  readonly subject: Subject;
  readonly services: readonly ServiceName[];
  readonly token: string;
  readonly pictures: readonly string[];
  /** Faults that hold all the time. */
  readonly faults: Faults;
  /** When the folder was as it is: the program lives at that time, or it would remove reports whose time is over. */
  readonly madeAtMs: number;
}

/** Every file below a folder, relative to it. */
export async function listEvery(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** Files that are alike: without numbers and hashes. */
export function toKind(file: string): string {
  return file.replaceAll(/[0-9a-f]{2}\/[0-9a-f]{64}/gu, "<hash>").replaceAll(/\d+/gu, "N");
}

/** What messages have of a path too: the hash of a picture, of others the last two parts. */
function toTail(file: string): string {
  const [hash] = /[0-9a-f]{64}$/u.exec(file) ?? [];
  return hash ?? file.split("/").slice(-2).join("/");
}

const toFaults = ({ faults, madeAtMs }: Trial): Faults => ({ ...faults, clockMs: madeAtMs - Date.now() });

interface Turned {
  readonly text: string;
  /** The bytes around the bit as they are now. */
  readonly bytes: Buffer;
}

/** Turns one bit over in place, as a disk does; the file may grow meanwhile. */
async function turnBit(path: string, random: () => number): Promise<Turned> {
  const file = await open(path, "r+");
  try {
    const { size } = await file.stat();
    const at = Math.floor(random() * size);
    const bit = Math.floor(random() * 8);
    const from = Math.max(0, at - AROUND_BYTES);
    const bytes = Buffer.alloc(Math.min(size, at + AROUND_BYTES) - from);
    await file.read(bytes, 0, bytes.byteLength, from);
    bytes[at - from] = (bytes[at - from] ?? 0) ^ (1 << bit);
    await file.write(bytes, at - from, 1, at);
    return { text: `bit ${bit} of byte ${at} of ${size}`, bytes };
  } finally {
    await file.close();
  }
}

/** Whether the turned bytes are still in a file of that kind: a journal's number goes on, a snapshot is written again. */
async function isStillThere({ subject }: Trial, file: string, { bytes }: Turned): Promise<boolean> {
  const isAlike = (other: string): boolean =>
    other === file || (dirname(other) === dirname(file) && /\.(?:json|journal)$/u.test(basename(file)));
  for (const other of (await listEvery(subject.dataDir)).filter(isAlike))
    if ((await readFile(join(subject.dataDir, other))).includes(bytes)) return true;
  return false;
}

async function readAll({ subject, services, token, pictures }: Trial): Promise<void> {
  const headers = { "x-admin-token": token };
  for (const service of services)
    for (const path of asked[service]) await ask(subject.url(service) + path, { headers });
  for (const path of pictures) await ask(subject.url("shop") + path);
}

const readChecked = async (subject: Subject, service: ServiceName): Promise<string> =>
  textAt((await ask(`${subject.url(service)}/api/health`)).json, "data", "checkedAt");

/** Lets a whole pass over all files run. */
async function scrub(trial: Trial): Promise<void> {
  const { around, subject, services } = trial;
  subject.harm({ ...toFaults(trial), isHurried: true });
  for (const service of services) {
    const isOver = async (): Promise<boolean> => (await readChecked(subject, service)) !== "";
    if ((await waitFor(isOver, { limitMs: around.within(SCRUB_MS) })) === undefined)
      throw new Error(`the ${service} ended no pass over its files`);
  }
  subject.harm(toFaults(trial));
}

/** What `trivet check` says of the folder. */
async function check({ subject }: Trial): Promise<string> {
  const { command, args, env } = subject.toCommand(["check", subject.dataDir]);
  return (await runProcess({ command, args, env })).output;
}

/**
 * Takes a bit of one file through all stages; returns where it was detected. @throws Error if nowhere, or it got a new
 * checksum
 */
export async function tryFile(trial: Trial, file: string): Promise<Set<Stage>> {
  const { around, subject } = trial;
  const lives: Life[] = [];
  const told = new Set<Stage>();
  const isTold = (text: string): boolean => text.includes(toTail(file));
  const start = async (): Promise<Life> => {
    const started = await subject.start();
    lives.push(started);
    return started;
  };
  subject.harm(toFaults(trial));
  try {
    let life = await start();
    let seen = life.program.output().length;
    const listen = (stage: Stage): void => {
      const output = life.program.output();
      if (isTold(output.slice(seen))) told.add(stage);
      seen = output.length;
    };
    if (!(await listEvery(subject.dataDir)).includes(file)) return told.add("dropped");
    const turned = await turnBit(join(subject.dataDir, file), around.random);
    await readAll(trial);
    listen("read");
    await scrub(trial);
    listen("scrub");
    const { code } = await life.terminate();
    listen("stop");
    if (code !== 0) told.add("stop");
    try {
      life = await start();
      seen = 0;
      listen("start");
      await life.terminate();
    } catch (error) {
      if (!isTold(textOf(error)))
        throw new Error(`the start failed without naming it: ${textOf(error).slice(-300)}`, { cause: error });
      told.add("start");
    }
    if (isTold(await check(trial))) told.add("check");
    if (told.size === 0) throw new Error(`${turned.text} was told nowhere`);
    const isSilent = !told.has("start") && !told.has("check");
    if (isSilent && (await isStillThere(trial, file, turned)))
      throw new Error(`${turned.text} was told, but passes for sound after the stop`);
    return told;
  } finally {
    for (const life of lives) await life.kill();
  }
}

/** A bit in each file at once: those that reads or the scrub tell of. */
export async function tryTogether(
  trial: Trial,
  files: readonly string[],
): Promise<Map<string, ReadonlySet<Stage>>> {
  const { around, subject } = trial;
  subject.harm(toFaults(trial));
  const life = await subject.start();
  const told = new Map<string, Set<Stage>>();
  let seen = life.program.output().length;
  const listen = (stage: Stage): void => {
    const output = life.program.output().slice(seen);
    seen += output.length;
    for (const file of files)
      if (output.includes(toTail(file))) told.set(file, (told.get(file) ?? new Set()).add(stage));
  };
  try {
    const present = new Set(await listEvery(subject.dataDir));
    for (const file of files)
      if (present.has(file)) await turnBit(join(subject.dataDir, file), around.random);
      else told.set(file, new Set(["dropped"]));
    await readAll(trial);
    listen("read");
    await scrub(trial);
    listen("scrub");
    return told;
  } finally {
    await life.kill();
  }
}
