/**
 * `node --import tsx test/upgrade/make-fixture.ts COMMIT NAME [--postgres] [--long]`: a data folder as the program of
 * that commit leaves it, written to test/upgrade/NAME.tar.gz with what it had acknowledged in NAME.json. With
 * `--postgres` its records are in a database, which NAME.sql.gz holds as SQL; with `--long` the agent reports until
 * history is written.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { killAllOnSignal, projectFolder, runProcess } from "../support/process.ts";
import { startPostgresServer } from "../support/postgres-server.ts";
import { driveAgain, driveFirst } from "./drive.ts";
import { dumpSql } from "./dump-sql.ts";
import { type Urls, ADMIN_TOKEN } from "./notes.ts";
import { readNotes } from "./questions.ts";

async function must(command: string, args: readonly string[], cwd = projectFolder): Promise<void> {
  const { code, output } = await runProcess({ command, args, cwd, timeoutMs: 600_000 });
  if (code !== 0) throw new Error(`${command} ${args.join(" ")}:\n${output.slice(-2_000)}`);
}

/** The program that runs now. */
let present: ChildProcess | undefined;

/** Starts the program in `tree` and reads where its services listen. */
async function start(
  tree: string,
  data: string,
  databaseUrl = "",
): Promise<{ child: ChildProcess; urls: Urls }> {
  const ports = { MONITOR_PORT: "0", GRPC_PORT: "0", AUTH_PORT: "0", SHOP_PORT: "0" };
  // The services find each other by ports that they pick: the shop learns the auth center's afterward.
  const child = spawn(process.execPath, ["--import", "tsx", "src/main.ts"], {
    cwd: tree,
    env: {
      PATH: process.env["PATH"],
      HOME: tmpdir(),
      DATA_DIR: data,
      ADMIN_TOKEN,
      DATABASE_URL: databaseUrl,
      ...ports,
      ...fixedPorts,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  present = child;
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  const ended = once(child, "exit");
  // The last service that this version has prints its addresses last; all come within one turn.
  while (!/^ {2}monitor {2}http/mu.test(output)) {
    if (child.exitCode !== null) throw new Error(`The old program ended:\n${output}`);
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 100))]);
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
  const find = (pattern: RegExp): string | undefined => pattern.exec(output)?.[1];
  return {
    child,
    urls: {
      monitor: find(/^ {2}monitor {2}(http:\S+)\/$/mu),
      auth: find(/^ {2}auth {5}(http:\S+)\/$/mu),
      shop: find(/^ {2}shop {5}(http:\S+)\/$/mu),
      grpc: find(/agents \(gRPC\) +(\S+)/u),
    },
  };
}

/** Unusual ports, because shop and auth center have to know each other's before they start. */
const fixedPorts = { AUTH_PORT: "39182", SHOP_PORT: "39181" };

async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
}

/** The beginning of the last line once more, as when the power goes in the middle of a write. */
async function tearJournals(data: string): Promise<number> {
  const journals = (await readdir(data, { recursive: true })).filter((path) => path.endsWith(".journal"));
  let torn = 0;
  for (const path of journals) {
    const last = (await readFile(join(data, path), "utf8")).trimEnd().split("\n").at(-1) ?? "";
    if (last.length < 40) continue;
    await appendFile(join(data, path), last.slice(0, 37));
    torn += 1;
  }
  return torn;
}

/** Killed, the process; the database outlives it, and is written as one statement a line. */
async function keepDatabase(url: string, name: string): Promise<void> {
  const statements = (await dumpSql(url)).map((statement) => JSON.stringify(statement));
  const path = join(projectFolder, "test/upgrade", `${name}.sql.gz`);
  await writeFile(path, gzipSync(`${statements.join("\n")}\n`, { level: 9 }));
}

async function main(
  commit: string,
  name: string,
  options: { postgres: boolean; long: boolean },
): Promise<void> {
  const database = options.postgres ? await startPostgresServer({ fast: true }) : undefined;
  const room = await mkdtemp(join(tmpdir(), "trivet-fixture-"));
  const tree = join(room, "tree");
  const data = join(room, "data");
  try {
    await must("git", ["worktree", "add", "--detach", tree, commit]);
    await must("npm", ["ci", "--prefer-offline"], tree);
    // A commit may hold its pages: building them again changes nothing.
    await must("npm", ["run", "web"], tree);
    const first = await start(tree, data, database?.url);
    const people = await driveFirst(first.urls, { tree, reportMs: options.long ? 320_000 : 0 });
    await end(first.child, "SIGTERM");
    const second = await start(tree, data, database?.url);
    await driveAgain(second.urls, people);
    const notes = await readNotes(second.urls, { commit, people });
    await end(second.child, "SIGKILL");
    const torn = await tearJournals(data);
    if (database !== undefined) await keepDatabase(database.url, name);
    else if (torn === 0)
      throw new Error("No journal had a line to tear: what was written after the restart?");
    await writeFile(
      join(projectFolder, "test/upgrade", `${name}.json`),
      `${JSON.stringify(notes, undefined, 1)}\n`,
    );
    await must(process.execPath, ["node_modules/oxfmt/bin/oxfmt", `test/upgrade/${name}.json`]);
    const archive = join(projectFolder, "test/upgrade", `${name}.tar.gz`);
    const plain = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner"];
    await must("tar", ["-C", data, ...plain, "-czf", archive, "."]);
    console.log(`${name}: ${notes.answers.length} answers noted, ${torn} torn journals`);
  } finally {
    present?.kill("SIGKILL");
    await database?.stop();
    await runProcess({ command: "git", args: ["worktree", "remove", "--force", tree], cwd: projectFolder });
    await rm(room, { recursive: true, force: true });
  }
}

killAllOnSignal();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { postgres: { type: "boolean", default: false }, long: { type: "boolean", default: false } },
});
const [commit, name] = positionals;
if (commit === undefined || name === undefined || !/^[\w.-]+$/u.test(name)) {
  console.error("Usage: node --import tsx test/upgrade/make-fixture.ts COMMIT NAME [--postgres] [--long]");
  process.exitCode = 2;
} else await main(commit, name, values);
