/**
 * `npm run fuzz -- NAME … [--minutes 2] [--seed N]`: coverage-guided fuzzing of the readers of foreign bytes
 * (test/hostile/fuzz-targets.ts). Without names, all of them. Inputs that reach code of their own are kept in
 * test/hostile/corpus, which every run begins with and `npm test` replays. Exits with 1 when it found a fault.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { textOf } from "../../../src/kit/thrown.ts";
import { fuzzTargets } from "../../hostile/fuzz-targets.ts";
import { writeCorpus } from "./corpus.ts";
import type { FuzzJob, FuzzOutcome } from "./worker.ts";

const PRESENT_BYTES = 1_048_576;
/** An input that runs for so long never ends. */
const HANG_MS = 10_000;

function readPresent(present: SharedArrayBuffer): Buffer {
  const shared = Buffer.from(present);
  return Buffer.from(shared.subarray(4, 4 + shared.readUInt32LE(0)));
}

/** @throws Error with the input when one never ends */
async function fuzz(
  name: string,
  { minutes, seed }: { minutes: number; seed: number },
): Promise<FuzzOutcome> {
  const present = new SharedArrayBuffer(PRESENT_BYTES);
  const workerData: FuzzJob = { name, minutes, seed, present };
  // A thread of Node 20 reads no TypeScript by itself.
  const script = `import("tsx/esm/api").then(({ register }) => { register(); return import(${JSON.stringify(
    new URL("./worker.ts", import.meta.url).href,
  )}); })`;
  const worker = new Worker(script, { eval: true, workerData });
  let last = "";
  let since = Date.now();
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<FuzzOutcome>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      timer = setInterval(() => {
        const input = readPresent(present).toString("base64");
        if (input !== last) [last, since] = [input, Date.now()];
        else if (input !== "" && Date.now() - since > HANG_MS)
          reject(new Error(`${name} never ends with the input (base64) ${input}`));
      }, 1_000);
    });
  } finally {
    clearInterval(timer);
    await worker.terminate();
  }
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { minutes: { type: "string", default: "2" }, seed: { type: "string" } },
  });
  const names = positionals.length === 0 ? Object.keys(fuzzTargets) : positionals;
  const unknown = names.filter((name) => !(name in fuzzTargets));
  if (unknown.length > 0)
    throw new Error(
      `No target is called ${unknown.join(", ")}. There are ${Object.keys(fuzzTargets).join(", ")}`,
    );
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new Error(`--minutes must be a number above 0, not "${values.minutes}"`);
  const seed = Number(values.seed ?? Date.now() % 2 ** 31);
  let isGood = true;
  console.log(`Seed ${seed}`);
  for (const name of names) {
    const { executions, seconds, functions, unrun, corpus, faults } = await fuzz(name, { minutes, seed });
    await writeCorpus(
      name,
      corpus.map((input) => Buffer.from(input, "base64")),
    );
    console.log(
      `${name.padEnd(14)} ${executions} runs in ${seconds.toFixed(0)} s, ${functions} functions, ${unrun} bytes of them not run, ${corpus.length} inputs kept, ${faults.length} faults`,
    );
    for (const { input, error } of faults) {
      isGood = false;
      console.log(`  ${input}\n  ${error.replaceAll("\n", "\n  ")}`);
    }
  }
  return isGood ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(textOf(error));
  process.exitCode = 1;
}
