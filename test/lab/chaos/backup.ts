/** Backups of a shop that takes pictures and files meanwhile: what is restored has everything that its records name. */
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { copyStore } from "../../../src/service/backup/backup.ts";
import { listFiles } from "../../../src/service/backup/content.ts";
import { checkFolder } from "../../../src/service/check/folder-check.ts";
import { runProcess } from "../../support/process.ts";
import { dumpSql } from "../../upgrade/dump-sql.ts";
import { type ChaosCase, type Found, type Surroundings, judge, pause, waitFor } from "./case.ts";
import { createDatabase } from "./database.ts";
import { createSubject } from "./subject.ts";
import { startUploads } from "./uploads.ts";

const UNDER_WAY_MS = 30_000;

/** Runs a command of the program. @throws Error when it fails */
async function runCommand(
  { runner, entry }: Surroundings,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<string> {
  const [command, ...before] = runner;
  const { code, output } = await runProcess({ command, args: [...before, entry, ...args], env });
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${output.slice(-600)}`);
  return output;
}

async function makeFolder(around: Surroundings): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-backup-load-"));
  around.onEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** What the check of a place counted as references. */
function readReferences(report: string): number {
  return Number(/(\d+) references to pictures/u.exec(report)?.[1] ?? 0);
}

/** Does `backUp` again and again under a load of uploads; each gives how many references were checked after its restore. */
async function underUploads(
  around: Surroundings,
  { env, backUp }: { env?: Record<string, string>; backUp: (dataDir: string, n: number) => Promise<number> },
): Promise<Found> {
  const subject = await createSubject(around, { services: ["shop"], ...(env === undefined ? {} : { env }) });
  const life = await subject.start();
  const uploads = startUploads(subject.url("shop"));
  await waitFor(() => uploads.counts().files > 2, { limitMs: around.within(UNDER_WAY_MS) });
  const rounds = around.rounds(3, 20);
  const problems: string[] = [];
  let references = 0;
  for (let n = 0; n < rounds; n += 1) {
    try {
      references += await backUp(subject.dataDir, n);
    } catch (error) {
      problems.push(`backup ${n + 1}: ${String(error).slice(0, 300)}`);
    }
  }
  await uploads.stop();
  await life.kill();
  const { pictures, files, removed } = uploads.counts();
  return judge(problems, {
    done: `${rounds} backups under a load of uploads, each restored and checked`,
    acknowledged: `${pictures} pictures, ${files} files of 3 chunks; ${removed} taken back`,
    found: `${references} references after restores, none missing`,
  });
}

async function backUpFiles(around: Surroundings): Promise<Found> {
  const folder = await makeFolder(around);
  return underUploads(around, {
    backUp: async (dataDir, n) => {
      const [backup, restored] = [join(folder, `backup-${n}`), join(folder, `restored-${n}`)];
      await runCommand(around, ["backup", "--data", dataDir, "--to", backup]);
      await runCommand(around, ["restore", backup, "--data", restored]);
      const report = await runCommand(around, ["check", restored]);
      for (const gone of [backup, restored]) await rm(gone, { recursive: true });
      return readReferences(report);
    },
  });
}

/** Copies all tables in one view, as pg_dump does. */
async function copyDatabase(from: string, to: string): Promise<void> {
  const statements = await dumpSql(from);
  const client = new pg.Client({ connectionString: to });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function backUpDatabase(around: Surroundings): Promise<Found> {
  const url = await createDatabase(around);
  return underUploads(around, {
    env: { DATABASE_URL: url },
    backUp: async (dataDir) => {
      const copy = await createDatabase(around);
      await copyDatabase(url, copy);
      return readReferences(await runCommand(around, ["check", copy], { DATA_DIR: dataDir }));
    },
  });
}

/** As backups were made once: blobs from a list that is older than the records. */
async function backUpCarelessly(around: Surroundings): Promise<Found> {
  const folder = await makeFolder(around);
  return underUploads(around, {
    backUp: async (dataDir, n) => {
      const to = join(folder, `careless-${n}`);
      const listed = (await listFiles(dataDir)).filter((file) => !/\.(?:json|journal)$/u.test(file));
      await pause(300);
      await copyStore({ data: dataDir, to }, { folder: "shop", name: "shop" });
      for (const file of listed) {
        await mkdir(dirname(join(to, file)), { recursive: true });
        await cp(join(dataDir, file), join(to, file)).catch(() => undefined);
      }
      const { findings } = await checkFolder(to, {});
      const missing = findings.filter(({ level }) => level === "error").length;
      if (missing > 0) throw new Error(`${missing} are missing`);
      return 0;
    },
  });
}

/** See the module's header. */
export const backup: ChaosCase = {
  name: "backup",
  promise: "Backup beside uploads: every picture and file that the restored records name is there",
  parts: [
    { name: "files", run: backUpFiles, limitSeconds: 900 },
    { name: "PostgreSQL", run: backUpDatabase, limitSeconds: 900 },
    { name: "blobs from an older list", isControl: true, run: backUpCarelessly },
  ],
};
