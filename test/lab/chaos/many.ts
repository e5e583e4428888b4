/**
 * Hundreds of SIGKILLs and dozens of power cuts to all three services in one process, under load on all that they
 * acknowledge. A batch of lives has its own folder or database; at its end everything that was acknowledged is read
 * again.
 */
import { cp, mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { textOf } from "../../../src/kit/thrown.ts";
import { startPostgresServer } from "../../support/postgres-server.ts";
import {
  type ChaosCase,
  type Found,
  type Part,
  type Surroundings,
  NotPossible,
  judge,
  pause,
  waitFor,
} from "./case.ts";
import { createDatabase, createDatabaseOn } from "./database.ts";
import { createFragileDisk } from "./fragile-disk.ts";
import { killWriter } from "./kill.ts";
import { createEverything } from "./loads/everything.ts";
import { cutCareless } from "./power-cut.ts";
import { createReadiness } from "./readiness.ts";
import { type Life, type Subject, createSubject } from "./subject.ts";

const SERVICES = ["monitor", "auth", "shop"] as const;
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

interface Plan {
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

/** One fault, and the next life. */
async function harm(
  { around, place, subject, sum }: { around: Surroundings; place: Place; subject: Subject; sum: Sum },
  life: Life,
): Promise<Life> {
  await pause(around.random() * LIFE_MS);
  await place.cut?.down();
  // Later responses rely on a disk that accepts no more writes.
  if (place.cut !== undefined) await pause(POWERLESS_MS);
  await life.kill();
  await place.cut?.up();
  sum.done += 1;
  if (place.cut === undefined && around.random() * STARTS < 1) {
    await subject.startBriefly(around.random() * START_MS);
    sum.done += 1;
    sum.atStart += 1;
  }
  return subject.start();
}

/** One batch of lives on one store; adds to `sum`. */
async function runBatch(
  { around, plan, sum }: { around: Surroundings; plan: Plan; sum: Sum },
  readiness: ReturnType<typeof createReadiness>,
): Promise<string[]> {
  const place = await plan.open(around);
  const load = await createEverything(around);
  const env = { ...load.env, ...place.env };
  const subject = await createSubject(around, { services: SERVICES, env });
  let life = await subject.start();
  const lives = [life];
  async function live(): Promise<string[]> {
    await load.prepare(subject);
    load.start();
    const last = Math.min(sum.done + plan.batch, plan.toCount(around));
    while (sum.done < last) {
      if (around.random() * FULL_LIVES < 1) await waitFor(load.isUnderWay, { limitMs: UNDER_WAY_MS });
      life = await harm({ around, place, subject, sum }, life);
      lives.push(life);
      readiness.add(life);
    }
    // So that agents are back and hand in what waited.
    await pause(1_000);
    await load.stop();
    const problems = await load.audit();
    const { code } = await life.terminate();
    if (code !== 0) problems.push(`ended with ${code}`);
    return [...problems, ...(await load.settle(env["DATABASE_URL"]))];
  }
  const problems = await live().catch((error: unknown) => [textOf(error)]);
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

const toPart = (name: string, plan: Plan): Part => ({
  name,
  run: (around) => runPlan(around, plan),
  limitSeconds: LIMIT_SECONDS,
});
const kills = { what: "kills", toCount: (around: Surroundings) => around.kills, batch: BATCH.kills };
const cuts = { what: "power cuts", toCount: (around: Surroundings) => around.cuts, batch: BATCH.cuts };

async function openDisk(around: Surroundings): Promise<Place> {
  const disk = await createFragileDisk(around);
  const env = { DATA_DIR: join(disk.folder, "data") };
  return { env, cut: { down: () => disk.cut(), up: () => disk.reboot() } };
}

/** One disk has PostgreSQL's files and the program's folder: the power of the whole machine goes. */
async function openPostgresDisk(around: Surroundings): Promise<Place> {
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

/** On files. */
export const manyFiles: ChaosCase = {
  name: "many-files",
  promise: "hundreds of kills and power cuts on files, under load on everything: nothing lost, nothing twice",
  isAsked: true,
  parts: [
    toPart("all services, kills", { ...kills, open: async () => ({ env: {} }) }),
    toPart("all services, power cuts on ext4", { ...cuts, open: openDisk }),
    {
      name: "plain lowdb, answers before it has written",
      isControl: true,
      run: (around) => killWriter(around, "no-wait"),
    },
  ],
};

/** On PostgreSQL. */
export const manyPostgres: ChaosCase = {
  name: "many-postgres",
  promise: "the same on PostgreSQL: the program is killed, or the power of the whole machine goes",
  isAsked: true,
  parts: [
    toPart("all services, kills of the program", {
      ...kills,
      open: async (around) => ({ env: { DATABASE_URL: await createDatabase(around) } }),
    }),
    toPart("all services and the server, power cuts on ext4", { ...cuts, open: openPostgresDisk }),
    { name: "plain lowdb on a real file system", isControl: true, run: cutCareless },
  ],
};
