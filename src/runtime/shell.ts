/** Shared by both runtimes: arguments, environment, signals and files by `node:*` modules, which both have. */
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import process from "node:process";
import type { Runtime } from "./runtime.ts";
import { serveHttp } from "./http/http.ts";
import { upgradeWebSocket } from "./http/upgrade.ts";

function readEnv(name: string): string | undefined {
  try {
    return process.env[name];
  } catch {
    return undefined; // Deno throws for a variable that --allow-env does not name
  }
}

const MAX_OUTPUT = 4_096;

/** What precedes the arguments of this program, and the environment to use instead of this process's. */
export interface SelfLaunch {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

function runSelf({ args: before, env }: SelfLaunch, args: readonly string[]): ReturnType<Runtime["runSelf"]> {
  const { argv, execPath } = process;
  // A single executable is its own program, and takes no options.
  const program = argv[1] === execPath ? [] : [...before, argv[1] ?? ""];
  return new Promise((resolve) => {
    const child = spawn(execPath, [...program, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      ...(env === undefined ? {} : { env: { ...env } }),
    });
    const end = (): void => void child.kill("SIGKILL");
    process.once("exit", end);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output = (output + text).slice(-MAX_OUTPUT);
      });
    const finish = (code: number | undefined): void => {
      process.off("exit", end);
      resolve({ code, output });
    };
    child.on("error", (error) => {
      output += error.message;
      finish(undefined);
    });
    child.on("close", (code) => finish(code ?? undefined));
  });
}

/** Lines of one turn of the event loop go out in one write: under load a write each costs as much as its request. */
function createPrinter(): (line: string) => void {
  let waiting: string[] = [];
  const flush = (): void => {
    if (waiting.length === 0) return;
    const text = waiting.join("\n");
    waiting = [];
    console.log(text);
  };
  process.on("exit", flush);
  return (line) => {
    if (waiting.push(line) === 1) setImmediate(flush);
  };
}

/** Completes what tells the runtimes apart to the whole port. */
export function createRuntime({
  self,
  ...own
}: Pick<Runtime, "name" | "version" | "serveGrpc"> & { readonly self?: SelfLaunch }): Runtime {
  return {
    ...own,
    runSelf: (args) => runSelf(self ?? { args: process.execArgv }, args),
    args: process.argv.slice(2),
    isTerminal: process.stdout.isTTY === true,
    env: (names) => {
      const found: Record<string, string | undefined> = {};
      for (const name of names) {
        const value = readEnv(name);
        if (value !== undefined) found[name] = value;
      }
      return found;
    },
    serveHttp: (options) => serveHttp(options),
    upgradeWebSocket,
    onStopSignal: (handler) => {
      for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => handler(signal));
    },
    print: createPrinter(),
    readTextFile: (path) => readFile(path, "utf8"),
    exit: (code) => process.exit(code),
  };
}
