/** Fuzzes one target in a thread of its own, so that the main thread notices an input that never ends. */
import { parentPort, workerData } from "node:worker_threads";
import { fuzzTargets } from "../../hostile/fuzz-targets.ts";
import { readCorpus } from "./corpus.ts";
import { startCoverage } from "./coverage.ts";
import { createMutator, createRandom } from "./mutate.ts";

export interface FuzzJob {
  readonly name: string;
  readonly minutes: number;
  readonly seed: number;
  /** The input that runs: its length, then its bytes. */
  readonly present: SharedArrayBuffer;
}

export interface Fault {
  readonly input: string;
  readonly error: string;
}

export interface FuzzOutcome {
  readonly executions: number;
  readonly seconds: number;
  readonly functions: number;
  readonly unrun: number;
  /** Inputs in base64 that together reach everything reached. */
  readonly corpus: readonly string[];
  readonly faults: readonly Fault[];
}

/** Coverage is taken once for so many inputs, because taking it costs more than most inputs. */
const BATCH = 64;
const MAX_UNSORTED = 1_500;
const MAX_KEPT = 80;
const MAX_FAULTS = 5;
/** One that takes longer is a fault: a few KiB are read in microseconds. */
const SLOW_MS = 500;

async function fuzz({ name, minutes, seed, present }: FuzzJob): Promise<FuzzOutcome> {
  const target = fuzzTargets[name];
  if (target === undefined) throw new Error(`There is no target "${name}"`);
  const coverage = startCoverage(target.files);
  const random = createRandom(seed);
  const mutate = createMutator(target.words, random);
  const shared = Buffer.from(present);
  const faults = new Map<string, Fault>();
  let executions = 0;

  async function execute(input: Buffer): Promise<void> {
    shared.writeUInt32LE(input.length, 0);
    input.copy(shared, 4);
    executions += 1;
    const started = performance.now();
    let problem: unknown;
    try {
      const running = target?.run(input);
      if (running !== undefined) await running;
    } catch (error) {
      problem = error;
    }
    // On a busy machine one that takes long is tried again before it counts.
    let tookMs = performance.now() - started;
    for (let again = 0; tookMs > SLOW_MS && again < 4; again += 1) {
      const before = performance.now();
      await Promise.resolve(target?.run(input)).catch(() => undefined);
      tookMs = Math.min(tookMs, performance.now() - before);
    }
    if (problem === undefined && tookMs > SLOW_MS) problem = new Error(`Took ${Math.round(tookMs)} ms`);
    if (problem === undefined) return;
    const text = problem instanceof Error ? (problem.stack ?? problem.message) : JSON.stringify(problem);
    // The same place is the same fault.
    const key = text.split("\n").find((line) => /^ +at /u.test(line)) ?? text;
    if (!faults.has(key)) faults.set(key, { input: input.toString("base64"), error: text.slice(0, 1_500) });
  }

  /** The smallest inputs that together reach everything. */
  async function sort(inputs: readonly Buffer[]): Promise<Buffer[]> {
    const kept: Buffer[] = [];
    coverage.reset();
    for (const input of inputs.toSorted((one, other) => one.length - other.length)) {
      await execute(input);
      if (coverage.takeNew()) kept.push(input);
    }
    return kept;
  }

  let corpus = [...target.seeds.map((one) => Buffer.from(one)), ...(await readCorpus(name))];
  for (const input of corpus) await execute(input);
  coverage.takeNew();
  const started = performance.now();
  while (performance.now() - started < minutes * 60_000 && faults.size < MAX_FAULTS) {
    const batch = Array.from({ length: BATCH }, () => {
      const [one, other] = [corpus[random(corpus.length)], corpus[random(corpus.length)]];
      return mutate(one ?? Buffer.alloc(0), other ?? Buffer.alloc(0));
    });
    for (const input of batch) await execute(input);
    if (!coverage.takeNew()) continue;
    // One of this batch reached something new. Which one, the next sorting says.
    corpus.push(...batch);
    if (corpus.length > MAX_UNSORTED) corpus = await sort(corpus);
  }
  const seconds = (performance.now() - started) / 1_000;
  const kept = await sort(corpus);
  return {
    executions,
    seconds,
    ...coverage.summarize(),
    corpus: kept.slice(0, MAX_KEPT).map((input) => input.toString("base64")),
    faults: [...faults.values()],
  };
}

const job = workerData as FuzzJob; // of main.ts
parentPort?.postMessage(await fuzz(job));
