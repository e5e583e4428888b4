/** Child processes of tests, and the project's folder. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The folder of package.json. */
export const projectFolder: string = fileURLToPath(new URL("../..", import.meta.url));

export interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Added to this process's environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** After this the whole group is killed. Without it the child may take as long as it likes. */
  readonly timeoutMs?: number;
  /** Shows the output as it comes instead of keeping it. */
  readonly inherit?: boolean;
}

export interface ProcessResult {
  /** Undefined when a signal ended it or it could not start. */
  readonly code: number | undefined;
  readonly signal: string | undefined;
  readonly timedOut: boolean;
  /** What it wrote to both streams, in order of arrival; at most the last 4 MiB. */
  readonly output: string;
  readonly seconds: number;
}

const maxOutputChars = 4 * 1024 * 1024;
const live = new Set<ChildProcess>();

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    // A negative id means the group, which the child leads because it was started detached.
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group is gone already, or this system has no groups.
    child.kill("SIGKILL");
  }
}

/** Kills every process that {@link runProcess} started and that still runs. */
export function killAll(): void {
  for (const child of live) killGroup(child);
}

/** Makes Ctrl-C and SIGTERM end the children as well: their groups do not get the terminal's signal. */
export function killAllOnSignal(): void {
  for (const [signal, number] of [
    ["SIGINT", 2],
    ["SIGTERM", 15],
    ["SIGHUP", 1],
  ] as const) {
    process.once(signal, () => {
      killAll();
      process.exit(128 + number);
    });
  }
}

/** The environment of this process with `changes`, and without what would make a test runner think it is nested. */
function childEnvironment(changes: ProcessOptions["env"] = {}): NodeJS.ProcessEnv {
  const merged: NodeJS.ProcessEnv = { ...process.env, NODE_TEST_CONTEXT: undefined, ...changes };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}

/** Runs a command to its end. Never rejects: a command that cannot start has no code and says why in `output`. */
export function runProcess(options: ProcessOptions): Promise<ProcessResult> {
  const started = performance.now();
  const child = spawn(options.command, options.args, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: childEnvironment(options.env),
    detached: true,
    stdio: options.inherit === true ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"],
  });
  live.add(child);
  let output = "";
  let timedOut = false;
  const keep = (chunk: string): void => {
    output = (output + chunk).slice(-maxOutputChars);
  };
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", keep);
  const cut =
    options.timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          killGroup(child);
        }, options.timeoutMs);

  return new Promise((resolve) => {
    const end = (code: number | null, signal: string | null): void => {
      clearTimeout(cut);
      live.delete(child);
      const seconds = (performance.now() - started) / 1000;
      resolve({ code: code ?? undefined, signal: signal ?? undefined, timedOut, output, seconds });
    };
    // What the child left running holds its pipes open: end that first, so that "close" comes.
    child.once("exit", () => killGroup(child));
    child.once("close", end);
    child.once("error", (error) => {
      keep(`${error.message}\n`);
      end(null, null);
    });
  });
}
