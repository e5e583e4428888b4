/**
 * The world of a long life: folders of past releases, grown to 100,000 records, which this program opens, backs up while it
 * serves, restores, moves to PostgreSQL and back, and starts with a wrong clock; with the memory that each step took.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { nodeOptions } from "../../../src/runtime/start-options.ts";
import { findFreePorts } from "../../support/free-ports.ts";
import { startPostgresServer } from "../../support/postgres-server.ts";
import { projectFolder, runProcess } from "../../support/process.ts";
import { TOKEN } from "./first-day.ts";

type Say = (line: string) => void;

/** Of each form that the files have had. */
const fixtures = ["2026-11-21-accounts", "2026-11-21-shop", "2026-11-22-release"];
const COPIES = 25_000;
/** More than a step may take of memory, whatever the number of records. */
const MAX_MIB = 700;
const START_MS = 300_000;
const YEAR_MS = 365 * 24 * 3_600_000;

type Records = Record<string, Record<string, unknown>[]>;
const snapshotSchema = z.looseObject({
  collections: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
});

/** Ids sort by time in their head, so that the tail tells copies apart. */
const toCopyId = (id: string, index: number): string => id.slice(0, -6) + index.toString(36).padStart(6, "0");

function copyUsers({ users = [], profiles = [] }: Records): void {
  const [user, profile] = [users[0], profiles[0]];
  for (let index = 0; index < COPIES; index += 1) {
    const name = `copy${index}`;
    const id = toCopyId(String(user?.["id"]), index);
    const email = `${name}@example.org`;
    users.push({ ...user, id, username: name, usernameLower: name, email, emailLower: email });
    profiles.push({ ...profile, id, username: name, usernameLower: name });
  }
}

function copyProducts({ products = [], stock = [] }: Records): void {
  const [product, count] = [products[0], stock[0]];
  for (let index = 0; index < COPIES; index += 1) {
    const id = toCopyId(String(product?.["id"]), index);
    products.push({ ...product, id, slug: `copy-${index}` });
    stock.push({ ...count, id, productId: id, onHand: 0, reserved: 0, sold: 0 });
  }
}

/** A snapshot in the form that every release wrote, a record a line, with the sum at its end. */
async function grow(file: string, copy: (collections: Records) => void): Promise<boolean> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return false;
  const { collections, checksum: _, ...head } = snapshotSchema.parse(JSON.parse(text));
  copy(collections);
  const parts = Object.entries(collections).map(
    ([name, records]) =>
      `${JSON.stringify(name)}: [\n${records.map((record) => JSON.stringify(record)).join(",\n")}${records.length > 0 ? "\n" : ""}]`,
  );
  const lines = Object.entries(head).map(([name, value]) => `"${name}": ${JSON.stringify(value)},\n`);
  const body = `{\n${lines.join("")}"collections": {\n${parts.join(",\n")}\n}\n`;
  const sum = crc32(body).toString(16).padStart(8, "0");
  await writeFile(file, `${body},"checksum": "crc32:${sum}"\n}\n`);
  return true;
}

async function unpack(name: string, data: string): Promise<number> {
  await mkdir(data, { recursive: true, mode: 0o700 });
  const archive = join(projectFolder, "test/upgrade", `${name}.tar.gz`);
  const args = ["-C", data, "-xzf", archive, "--no-same-owner"];
  const { code, output } = await runProcess({ command: "tar", args });
  assert.equal(code, 0, output);
  await chmod(data, 0o700);
  const grown = [
    await grow(join(data, "auth/auth.json"), copyUsers),
    await grow(join(data, "shop/shop.json"), copyProducts),
  ];
  return grown.filter(Boolean).length * 2 * COPIES;
}

/** A program with the most memory that it ever had. */
interface Watched {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly peakMiB: () => number;
  /** Of processor time, which says more than the clock where other programs run as well. */
  readonly seconds: () => number;
  readonly ended: Promise<number | null>;
}

function watch(args: readonly string[], env: Record<string, string> = {}): Watched {
  const child = spawn(process.execPath, [...nodeOptions, ...args], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let peak = 0;
  let seconds = 0;
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output = (output + chunk.toString()).slice(-100_000)));
  const look = setInterval(() => {
    void readFile(`/proc/${child.pid}/stat`, "utf8")
      // In hundredths of a second: of the program, then of the system for it.
      .then((text) => {
        const fields = text.slice(text.lastIndexOf(")")).split(" ");
        seconds = (Number(fields[12]) + Number(fields[13])) / 100;
      })
      .catch(() => undefined);
    void readFile(`/proc/${child.pid}/status`, "utf8")
      .then((text) => (peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/u.exec(text)?.[1] ?? 0) / 1_024)))
      .catch(() => undefined);
  }, 50);
  const ended = new Promise<number | null>((resolve) => {
    child.once("close", (code) => {
      clearInterval(look);
      resolve(code);
    });
  });
  return { child, output: () => output, peakMiB: () => peak, seconds: () => seconds, ended };
}

/** Runs a command of the program to its end. @throws AssertionError with its output, or when it took too much memory */
async function command(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const watched = watch([program, ...args], env);
  assert.equal(await watched.ended, 0, watched.output());
  assert.ok(watched.peakMiB() < MAX_MIB, `${args[0]}: ${watched.peakMiB()} MiB`);
  return `${watched.seconds().toFixed(1)} s of processor time, ${watched.peakMiB().toFixed(0)} MiB`;
}

interface Services extends Watched {
  readonly auth: string;
  readonly shop: string;
  readonly readyMs: number;
  readonly readySeconds: number;
}

async function start(
  program: string,
  env: Record<string, string>,
  clock: readonly string[] = [],
): Promise<Services> {
  const [monitor, shop, auth, grpc] = await findFreePorts(4);
  const ports = { MONITOR_PORT: monitor, SHOP_PORT: shop, AUTH_PORT: auth, GRPC_PORT: grpc };
  const names = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
  const from = performance.now();
  const watched = watch([...clock, program], { ADMIN_TOKEN: TOKEN, ...names, ...env });
  const urls = [monitor, shop, auth].map((port) => `http://127.0.0.1:${port}`);
  while (performance.now() - from < START_MS) {
    const answers = await Promise.all(urls.map((url) => fetch(`${url}/api/health`).catch(() => undefined)));
    if (answers.every((answer) => answer?.ok === true))
      return {
        ...watched,
        shop: urls[1] ?? "",
        auth: urls[2] ?? "",
        readyMs: performance.now() - from,
        readySeconds: watched.seconds(),
      };
    assert.equal(watched.child.exitCode, null, watched.output());
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  watched.child.kill("SIGKILL");
  throw new Error(`It does not start: ${watched.output().slice(-1_500)}`);
}

/** On a machine that gives it no time, a stop gives up after 12 s: what was acknowledged is in the journals. */
async function stop(services: Services): Promise<void> {
  services.child.kill("SIGTERM");
  const code = await services.ended;
  assert.ok(code === 0 || services.output().includes("The shutdown took too long"), services.output());
}

/** The last copies, and what the folder had before them. */
async function assertComplete({ auth, shop }: Services, name: string): Promise<void> {
  const headers = { "x-admin-token": TOKEN };
  const last = `copy${COPIES - 1}`;
  const users = await fetch(`${auth}/api/admin/users?q=${last}`, { headers });
  assert.match(await users.text(), new RegExp(`"${last}"`, "u"));
  if (name.endsWith("accounts")) return;
  assert.equal((await fetch(`${shop}/api/products/copy-${COPIES - 1}`)).status, 200);
  const orders = await fetch(`${shop}/api/admin/orders`, { headers });
  assert.match(await orders.text(), /"number":"2611/u);
}

const describe = ({ readyMs, readySeconds, peakMiB }: Services): string =>
  `ready after ${(readyMs / 1_000).toFixed(1)} s (${readySeconds.toFixed(1)} s of processor time), ${peakMiB().toFixed(0)} MiB`;

async function live(
  name: string,
  { folder, program, say }: { folder: string; program: string; say: Say },
): Promise<void> {
  const [data, backup, restored] = ["data", "backup", "restored"].map((each) => join(folder, name, each));
  if (data === undefined || backup === undefined || restored === undefined) return;
  const records = await unpack(name, data);
  const upgraded = await start(program, { DATA_DIR: data });
  await assertComplete(upgraded, name);
  say(`${name}, ${records} records more: ${describe(upgraded)}`);
  const saved = await command(program, ["backup", "--data", data, "--to", backup, "--keys"]);
  await assertComplete(upgraded, name);
  await stop(upgraded);
  say(
    `  backup while it serves: ${saved}; restore: ${await command(program, ["restore", backup, "--data", restored])}`,
  );
  const again = await start(program, { DATA_DIR: restored });
  await assertComplete(again, name);
  await stop(again);
  say(`  on the restored folder: ${describe(again)}`);
  await wrongClocks(name, { data, program, folder, say });
  await migrate(name, { data, program, folder, say });
}

/** A machine whose clock is wrong until it meets the network. */
async function wrongClocks(
  name: string,
  { data, program, folder, say }: { data: string; program: string; folder: string; say: Say },
): Promise<void> {
  const file = join(folder, "clock.mjs");
  await writeFile(
    file,
    `const Real = Date; const by = Number(process.env.CLOCK_BY);
globalThis.Date = class extends Real {
  constructor(...given) { if (given.length === 0) super(Real.now() + by); else super(...given); }
  static now() { return Real.now() + by; }
};\n`,
  );
  for (const [what, by] of [
    ["1970", -Date.now()],
    ["ten years ahead", 10 * YEAR_MS],
  ] as const) {
    const wrong = await start(program, { DATA_DIR: data, CLOCK_BY: String(by) }, ["--import", file]);
    await assertComplete(wrong, name);
    await stop(wrong);
    const right = await start(program, { DATA_DIR: data });
    await assertComplete(right, name);
    await stop(right);
    say(`  started with a clock of ${what}, then with the right one: complete both times`);
  }
}

async function migrate(
  name: string,
  { data, program, folder, say }: { data: string; program: string; folder: string; say: Say },
): Promise<void> {
  const server = await startPostgresServer({ fast: true });
  try {
    const back = join(folder, name, "back");
    const there = await command(program, ["migrate", "--from", data, "--to", server.url]);
    const serving = await start(program, { DATA_DIR: data, DATABASE_URL: server.url });
    await assertComplete(serving, name);
    await stop(serving);
    const returned = await command(program, [
      "migrate",
      "--from",
      server.url,
      "--to",
      back,
      "--secrets",
      data,
    ]);
    const files = await start(program, { DATA_DIR: back });
    await assertComplete(files, name);
    await stop(files);
    say(`  to PostgreSQL: ${there}; on it: ${describe(serving)}; and back: ${returned}; complete`);
  } finally {
    await server.stop();
  }
}

/** @throws AssertionError at the first promise that does not hold */
export async function walkLife(
  say: Say,
  { release, only }: { readonly release: string; readonly only: string },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-life-"));
  try {
    await mkdir(join(folder, "program"));
    const args = ["-xzf", release, "-C", join(folder, "program"), "--strip-components=1"];
    assert.equal((await runProcess({ command: "tar", args })).code, 0);
    const program = join(folder, "program", "trivet.js");
    for (const name of fixtures.filter((each) => each.includes(only)))
      await live(name, { folder, program, say });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
