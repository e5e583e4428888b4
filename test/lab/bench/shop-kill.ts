/**
 * SIGKILL right after an acknowledgement, again and again on one folder: are all acknowledged orders and payments
 * there, once? Run alone: node --import tsx test/lab/bench/shop-kill.ts [--kills 1000] [--seed N] [--folder F]
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";
import { assertConsistent } from "../../shop/race-checks.ts";
import { createRandom } from "../../store/faulty-files.ts";
import { machineLine } from "./measure.ts";

/** Acknowledgements of one life at most; on average there are half as many. */
const MOST_ANSWERS = 24;
/** In each life, beside the answers, some orders are on their way. */
const KEYS_A_LIFE = 16;
const FULL_CHECK_EVERY = 100;

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** One file that starts quickly; packages stay where they are. */
async function bundle(folder: string): Promise<string> {
  const outfile = join(root, "node_modules", ".cache", `shop-kill-${process.pid}.mjs`);
  await build({
    entryPoints: [fileURLToPath(new URL("shop-kill-subject.ts", import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "error",
    absWorkingDir: folder,
  });
  return outfile;
}

interface Life {
  readonly folder: string;
  readonly program: string;
  readonly keys: number;
  /** Acknowledgements of the life before, which this one looks for first. */
  readonly before: readonly string[];
  /** After so many acknowledgements it is killed. */
  readonly answers: number;
}

/** Lets a shop live until it is killed; resolves with what it acknowledged. @throws AssertionError when something is lost */
async function live({ folder, program, keys, before, answers }: Life): Promise<string[]> {
  const child = spawn(process.execPath, [program, folder, String(keys)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const gone = once(child, "close");
  child.stdin.on("error", () => undefined); // it may be gone already
  child.stdin.write(`${[...before, "go"].join("\n")}\n`);
  const acknowledged: string[] = [];
  let isReady = false;
  for await (const line of createInterface({ input: child.stdout })) {
    // What was printed before the end counts, also what is read after it.
    if (line.startsWith("ready ")) isReady = Number(line.slice(6)) === before.length;
    else acknowledged.push(line);
    if (acknowledged.length >= answers) child.kill("SIGKILL");
  }
  await gone;
  assert.ok(isReady && child.signalCode === "SIGKILL", "a life ended by itself: see what it said above");
  return acknowledged;
}

/** Throws unless all records agree, and every acknowledgement so far holds. */
async function checkAll(folder: string, all: readonly string[]): Promise<number> {
  const store = await openJournalStore({
    folder,
    name: "shop",
    collections: shopCollections,
    clock: systemClock,
  });
  try {
    await assertConsistent(store);
    return await store.read(async (tx) => {
      for (const line of all) {
        const [kind = "", id = ""] = line.split(" ");
        const found = await tx.get(orders, id);
        assert.ok(found !== undefined, `order ${id} is lost`);
        if (kind === "paid") assert.equal(found.status, "delivered", `the payment of ${id} is lost`);
      }
      return tx.count(orders);
    });
  } finally {
    await store.close();
  }
}

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    folder: { type: "string", default: tmpdir() },
  },
});
const kills = Number(values.kills);
const random = createRandom(Number(values.seed));
const parent = await mkdtemp(join(values.folder, "trivet-kill-"));
const folder = join(parent, "shop");
const program = await bundle(parent);
const started = performance.now();
const all: string[] = [];
try {
  let before: string[] = [];
  for (let life = 1; life <= kills; life += 1) {
    const answers = 1 + Math.floor(random() * MOST_ANSWERS);
    const keys = kills * KEYS_A_LIFE;
    before = await live({ folder, program, keys, before, answers });
    all.push(...before);
    if (life % FULL_CHECK_EVERY === 0) {
      const stored = await checkAll(folder, all);
      console.log(`${life} kills, ${all.length} acknowledgements, 0 lost; ${stored} orders stored`);
    }
  }
  const count = await checkAll(folder, all);
  const ordered = all.filter((line) => line.startsWith("ordered ")).length;
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(machineLine());
  console.log(
    `${kills} kills right after an acknowledgement: ${ordered} orders and ${all.length - ordered} payments acknowledged, 0 lost, none twice; ${count} orders stored; ${seconds} s`,
  );
} finally {
  await rm(parent, { recursive: true, force: true });
  await rm(program, { force: true });
}
