/** One of our services as a side of the benchmarks: the program as `npm start` runs it, with that service alone. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import type { ServiceName } from "../../../src/kit/services.ts";
import { projectFolder } from "../../support/process.ts";
import { measuredNode, toNodeFlags } from "./measure.ts";

/** A program that listens. */
export interface OwnProgram {
  /** HTTP address without a slash at its end. */
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from the start of the process until it listened. */
  readonly startMs: number;
  /** SIGTERM; resolves when it has ended. */
  stop(): Promise<void>;
}

/** Resolves with where the service listens. */
function readUrl(child: ChildProcess, service: ServiceName): Promise<string> {
  const address = new RegExp(`${service} +(http://127\\.0\\.0\\.1:\\d+)/`, "u");
  return new Promise((resolve, reject) => {
    let output = "";
    // Read to the end: a closed pipe would end the program at its next line.
    child.stderr?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const found = address.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", () => reject(new Error(`The program ended: ${output}`)));
  });
}

let isBundled = false;

/** Starts it on a free port with these variables beside those of this process. @throws Error with its output when it ends before it listens */
export async function startOwnProgram(
  service: ServiceName,
  env: Readonly<Record<string, string>>,
): Promise<OwnProgram> {
  // The first start after a change makes the bundle, which takes seconds once.
  if (!isBundled) await (await start(service, env)).stop();
  isBundled = true;
  return start(service, env);
}

async function start(service: ServiceName, env: Readonly<Record<string, string>>): Promise<OwnProgram> {
  const startedMs = performance.now();
  const child = spawn(measuredNode(), [...toNodeFlags(), "scripts/start.js", service], {
    cwd: projectFolder,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, [`${service.toUpperCase()}_PORT`]: "0", ...env },
  });
  const exited = once(child, "exit");
  const url = await readUrl(child, service);
  return {
    url,
    pid: child.pid ?? 0,
    startMs: performance.now() - startedMs,
    stop: async () => {
      child.kill("SIGTERM");
      await exited;
    },
  };
}
