/** A real NATS server on a free port of loopback, where the machine has one. */
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { findFreePort } from "./free-ports.ts";
import { startGuard } from "./guard.ts";
import { findProgram, tellSkipped } from "./missing.ts";

export interface NatsServer {
  /** `nats://127.0.0.1:<port>`, without credentials. */
  readonly url: string;
  /** Stops it in good order and removes its folder. */
  stop(): Promise<void>;
  /** SIGKILL; {@link start} brings it back. */
  kill(): Promise<void>;
  /** Starts it again on the same port; resolves when it answers. */
  start(): Promise<void>;
  /** SIGSTOP: connections stay open and carry nothing. */
  suspend(): void;
  resume(): void;
}

export interface NatsServerOptions {
  /** The only accepted ones; without them none are required. */
  readonly credentials?: { readonly user: string; readonly password: string };
  /** A subject that cannot be subscribed to, with wildcards of NATS. */
  readonly deniedSubject?: string;
}

/** What a test says that is skipped without one. */
export const NO_NATS = "nats-server is not installed (Debian: apt install nats-server)";

const START_MS = 20_000;

/** Debian puts it where a user's PATH does not look. */
const FOLDERS = ["/usr/sbin", "/usr/local/bin"];

/** What to give as `skip` to a test that needs a server; with REQUIRE_NATS=1 it runs, and fails without one. */
export function skipWithoutNats(): string | false {
  if (process.env["REQUIRE_NATS"] === "1" || findProgram("nats-server", FOLDERS) !== undefined) return false;
  return tellSkipped(NO_NATS);
}

/** A server greets with INFO. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.setTimeout(1_000, () => end(false));
    socket.on("error", () => end(false));
    socket.on("data", (chunk) => end(chunk.toString("latin1").startsWith("INFO ")));
  });
}

class InstalledServer implements NatsServer {
  readonly #program: string;
  readonly #folder: string;
  readonly #port: number;
  readonly #options: NatsServerOptions;
  readonly #guard: ChildProcess;
  #child: ChildProcess | undefined;

  constructor(program: string, place: { folder: string; port: number }, options: NatsServerOptions) {
    this.#program = program;
    this.#folder = place.folder;
    this.#port = place.port;
    this.#options = options;
    this.#guard = startGuard(place.folder, "pid");
  }

  get url(): string {
    return `nats://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    const child = this.#launch();
    const deadlineMs = performance.now() + START_MS;
    while (child.exitCode === null && child.signalCode === null && performance.now() < deadlineMs) {
      if (await greets(this.#port)) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const log = await readFile(join(this.#folder, "log"), "utf8").catch(() => "");
    throw new Error(`nats-server did not start: ${log.slice(-2_000).trim()}`);
  }

  #launch(): ChildProcess {
    const { credentials, deniedSubject } = this.#options;
    const args = ["-a", "127.0.0.1", "-p", String(this.#port)];
    args.push("-P", join(this.#folder, "pid"), "-l", join(this.#folder, "log"));
    if (credentials !== undefined) args.push("--user", credentials.user, "--pass", credentials.password);
    if (deniedSubject !== undefined) args.push("-c", this.#configure(deniedSubject));
    const child = spawn(this.#program, args, { cwd: this.#folder, stdio: "ignore" });
    child.on("error", () => undefined); // seen as an exit without an answer
    // A test that forgets to stop it still ends; the guard then ends the server.
    child.unref();
    this.#child = child;
    return child;
  }

  /** Permissions can only be set in a file; resolves to its path. */
  #configure(deniedSubject: string): string {
    const path = join(this.#folder, "nats.conf");
    const user = { user: "anyone", permissions: { publish: ">", subscribe: { deny: deniedSubject } } };
    writeFileSync(path, JSON.stringify({ no_auth_user: "anyone", authorization: { users: [user] } }));
    return path;
  }

  async kill(): Promise<void> {
    await this.#signal("SIGKILL");
    await rm(join(this.#folder, "pid"), { force: true });
  }

  suspend(): void {
    this.#child?.kill("SIGSTOP");
  }

  resume(): void {
    this.#child?.kill("SIGCONT");
  }

  async stop(): Promise<void> {
    await this.#signal("SIGTERM");
    this.#guard.kill("SIGKILL");
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #signal(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.ref();
    process.kill(child.pid, signal);
    await gone;
  }
}

/**
 * Starts a server of its own; undefined when none is installed: see {@link skipWithoutNats}.
 * @throws Error when none is installed though REQUIRE_NATS is 1
 */
export async function startNatsServer(options: NatsServerOptions = {}): Promise<NatsServer | undefined> {
  const program = findProgram("nats-server", FOLDERS);
  if (program === undefined) {
    if (process.env["REQUIRE_NATS"] === "1") throw new Error(`REQUIRE_NATS is 1, but ${NO_NATS}`);
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), "trivet-nats-"));
  const server = new InstalledServer(program, { folder, port: await findFreePort() }, options);
  try {
    await server.start();
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}
