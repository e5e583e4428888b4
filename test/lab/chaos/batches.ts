/**
 * Batches of SIGKILLs and power cuts under load. A batch of lives has its own folder or database; at its end everything
 * that was acknowledged is read again.
 */
import { cp, mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { ServiceName } from "../../../src/kit/services.ts";
import { textOf } from "../../../src/kit/thrown.ts";
import { startPostgresServer } from "../../support/postgres-server.ts";
import { type Found, type Part, type Surroundings, NotPossible, judge, pause, waitFor } from "./case.ts";
import { createDatabaseOn } from "./database.ts";
import { createFragileDisk } from "./fragile-disk.ts";
import type { Everything } from "./loads/everything.ts";
import { createReadiness } from "./readiness.ts";
import { type Life, type Subject, createSubject } from "./subject.ts";

/** Faults of one batch. */
const BATCH = { kills: 25, cuts: 10 } as const;
/** Longest life after the program is ready, in milliseconds. */
const LIFE_MS = 1_000;
/** Longest life of a program that is killed while it starts. */
const START_MS = 1_500;
/** One kill in so many comes while the program starts. */
const STARTS = 4;
/** One life in so many goes on until agents are back, which takes them a moment. */
const FULL_LIVES = 3;
const UNDER_WAY_MS = 20_000;
/** How long a disk without power is queried before the process ends too. */
const POWERLESS_MS = 300;
const LIMIT_SECONDS = 12 * 3_600;

/** Where a batch keeps its records, and what power cuts do to it. */
interface Place {
  readonly env: Readonly<Record<string, string>>;
  /** What ends beside the program; absent: SIGKILL alone. */
  readonly cut?: { readonly down: () => Promise<void>; readonly up: () => Promise<void> };
}

/** The load of a batch, and its books. */
export interface BatchLoad extends Omit<Everything, "prepare"> {
  prepare(subject: Subject): Promise<void>;
  /** Looks at the records that a fault left, before the program starts again: what is wrong with them, in words. */
  inspect?(records: {
    readonly dataDir: string;
    readonly databaseUrl: string | undefined;
  }): Promise<string[]>;
}

interface Plan {
  readonly services: readonly ServiceName[];
  readonly createLoad: (around: Surroundings) => Promise<BatchLoad>;
  /** "kills" or "power cuts". */
  readonly what: string;
  readonly toCount: (around: Surroundings) => number;
  readonly batch: number;
  readonly open: (around: Surroundings) => Promise<Place>;
}

/** What all batches came to. */
interface Sum {
  done: number;
  /** Of them, while the program started. */
  atStart: number;
  readonly counts: Map<string, number>;
  readonly problems: string[];
}

interface Harm {
  readonly around: Surroundings;
  readonly place: Place;
  readonly subject: Subject;
  readonly sum: Sum;
  readonly inspect: () => Promise<void>;
}

/** One fault, and the next life. */
async function harm({ around, place, subject, sum, inspect }: Harm, life: Life): Promise<Life> {
  await pause(around.random() * LIFE_MS);
  await place.cut?.down();
  // Later responses rely on a disk that accepts no more writes.
  if (place.cut !== undefined) await pause(POWERLESS_MS);
  await life.kill();
  await place.cut?.up();
  sum.done += 1;
  await inspect();
  if (place.cut === undefined && around.random() * STARTS < 1) {
    await subject.startBriefly(around.random() * START_MS);
    sum.done += 1;
    sum.atStart += 1;
    await inspect();
  }
  return subject.start();
}

/** One batch of lives on one store; adds to `sum`. */
async function runBatch(
  { around, plan, sum }: { around: Surroundings; plan: Plan; sum: Sum },
  readiness: ReturnType<typeof createReadiness>,
): Promise<string[]> {
  const place = await plan.open(around);
  const load = await plan.createLoad(around);
  const env = { ...load.env, ...place.env };
  const subject = await createSubject(around, { services: plan.services, env });
  let life = await subject.start();
  const lives = [life];
  const broken: string[] = [];
  const records = { dataDir: subject.dataDir, databaseUrl: env["DATABASE_URL"] };
  async function inspect(): Promise<void> {
    for (const problem of (await load.inspect?.(records)) ?? [])
      broken.push(`after fault ${sum.done}: ${problem}`);
  }
  async function live(): Promise<string[]> {
    await load.prepare(subject);
    load.start();
    const last = Math.min(sum.done + plan.batch, plan.toCount(around));
    while (sum.done < last) {
      if (around.random() * FULL_LIVES < 1) await waitFor(load.isUnderWay, { limitMs: UNDER_WAY_MS });
      life = await harm({ around, place, subject, sum, inspect }, life);
      lives.push(life);
      readiness.add(life);
    }
    // So that agents are back and hand in what waited.
    await pause(1_000);
    await load.stop();
    const problems = await load.audit();
    const { code } = await life.terminate();
    if (code !== 0) problems.push(`ended with ${code}`);
    await inspect();
    return [...problems, ...broken, ...(await load.settle(env["DATABASE_URL"]))];
  }
  const problems = await live().catch((error: unknown) => [...broken, textOf(error)]);
  for (const [what, count] of Object.entries(load.counts()))
    sum.counts.set(what, (sum.counts.get(what) ?? 0) + count);
  if (problems.length > 0) await keep({ subject, lives, sum });
  return problems;
}

/** Keeps the folder and the output of a failed batch for inspection. */
async function keep(batch: { subject: Subject; lives: readonly Life[]; sum: Sum }): Promise<void> {
  const { subject, lives, sum } = batch;
  const kept = join(tmpdir(), `trivet-many-${process.pid}-${sum.done}`);
  await cp(subject.dataDir, kept, { recursive: true }).catch(() => undefined);
  await mkdir(kept, { recursive: true });
  for (const [index, { program }] of lives.entries())
    await writeFile(join(kept, `life-${index + 1}.log`), program.output());
  console.error(`  its folder is kept as ${kept}`);
}

/** Clears up after each batch: hundreds of lives would leave too much. */
async function withOwnEnd<T>(around: Surroundings, run: (own: Surroundings) => Promise<T>): Promise<T> {
  const clears: (() => unknown)[] = [];
  const clearAll = async (): Promise<void> => {
    for (let clear = clears.pop(); clear !== undefined; clear = clears.pop()) await clear();
  };
  around.onEnd(clearAll);
  try {
    return await run({ ...around, onEnd: (clear) => void clears.push(clear) });
  } finally {
    await clearAll();
  }
}

async function runPlan(around: Surroundings, plan: Plan): Promise<Found> {
  const sum: Sum = { done: 0, atStart: 0, counts: new Map(), problems: [] };
  const readiness = createReadiness(around);
  const total = plan.toCount(around);
  if (total === 0) throw new NotPossible(`no ${plan.what} were asked for`);
  for (let batch = 1; sum.done < total; batch += 1) {
    const before = sum.done;
    const problems = await withOwnEnd(around, (own) => runBatch({ around: own, plan, sum }, readiness)).catch(
      (error: unknown) => [textOf(error)],
    );
    sum.problems.push(...problems.map((problem) => `batch ${batch}: ${problem}`));
    console.error(
      `  ${sum.done} of ${total} ${plan.what}; ${problems.join("; ") || "nothing lost or doubled"}`,
    );
    // A batch that cannot even begin would go on for ever.
    if (sum.done === before) break;
  }
  // Of the rarer ones there may be none in a batch whose lives are short.
  for (const [what, count] of sum.counts) if (count === 0) sum.problems.push(`no ${what} were acknowledged`);
  const acknowledged = [...sum.counts].map(([what, count]) => `${count} ${what}`).join(", ");
  if (!readiness.isInTime()) sum.problems.push("not ready again in time");
  const started = sum.atStart === 0 ? "" : `, ${sum.atStart} of them while it started`;
  return judge(sum.problems, {
    done: `${sum.done} ${plan.what} under load${started}`,
    acknowledged,
    found: `0 lost, none twice; ${readiness.toText()}`,
  });
}

/** A part that does a plan. */
export const toPart = (name: string, plan: Plan): Part => ({
  name,
  run: (around) => runPlan(around, plan),
  limitSeconds: LIMIT_SECONDS,
});
/** How often, of `npm run chaos`. */
export const kills = { what: "kills", toCount: (around: Surroundings) => around.kills, batch: BATCH.kills };
export const cuts = { what: "power cuts", toCount: (around: Surroundings) => around.cuts, batch: BATCH.cuts };

/** A disk whose power can be cut. */
export async function openDisk(around: Surroundings): Promise<Place> {
  const disk = await createFragileDisk(around);
  const env = { DATA_DIR: join(disk.folder, "data") };
  return { env, cut: { down: () => disk.cut(), up: () => disk.reboot() } };
}

/** One disk has PostgreSQL's files and the program's folder: the power of the whole machine goes. */
export async function openPostgresDisk(around: Surroundings): Promise<Place> {
  const disk = await createFragileDisk(around);
  const server = await startPostgresServer({ parent: disk.folder });
  // Its folder goes with the disk, which may have no power when this is over.
  around.onEnd(() => server.kill());
  const own = join(disk.folder, "program");
  await mkdir(own);
  const env = { DATABASE_URL: await createDatabaseOn(server.url), DATA_DIR: join(own, "data") };
  // The server was set up without syncs, which is no part of the trial.
  await disk.sync();
  const down = async (): Promise<void> => {
    await disk.cut();
    await pause(POWERLESS_MS);
    await server.kill();
  };
  const up = async (): Promise<void> => {
    await disk.reboot();
    await server.start();
  };
  return { env, cut: { down, up } };
}
