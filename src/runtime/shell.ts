/** What the two runtimes share: arguments, environment, signals and files by `node:*` modules, which both have. */
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

/** Completes what tells the runtimes apart to the whole port. */
export function createRuntime(own: Pick<Runtime, "name" | "version" | "serveGrpc">): Runtime {
  return {
    ...own,
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
    readTextFile: (path) => readFile(path, "utf8"),
    exit: (code) => process.exit(code),
  };
}
