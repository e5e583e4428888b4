/** The whole program in processes of its own, on the runtime that runs the test, with a folder that goes afterwards. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { toRunArguments } from "./own-runtime.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Generous, and shorter than the runner's time for a file: it only passes when something is wrong. */
const FIND_MS = 100_000;

export interface Program {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  /** Everything printed so far. */
  readonly output: () => string;
  /** Resolves with the match once the output has it; throws when the program ends before, or has not said it after 100 s. */
  find(pattern: RegExp): Promise<RegExpExecArray>;
}

/** How a TypeScript file is run: a program and the arguments before the file. */
export type Runner = readonly [command: string, ...args: string[]];

/** A runner, and the file to run in place of src/main.ts, such as a bundle of it. */
export interface ProgramFile {
  readonly runner: Runner;
  readonly entry: string;
}

function start(env: Record<string, string>, args: readonly string[], file: ProgramFile): Program {
  const [command, ...before] = file.runner;
  const child = spawn(command, [...before, file.entry, ...args], {
    cwd: root,
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const listeners = new Set<() => void>();
  const hear = (chunk: Buffer): void => {
    output += chunk.toString();
    for (const listener of listeners) listener();
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  const ended = once(child, "close").then(() => child.exitCode);
  return {
    child,
    ended,
    output: () => output,
    find: (pattern) =>
      new Promise((resolve, reject) => {
        const overdue = setTimeout(() => {
          reject(new Error(`The program has not said ${String(pattern)}, but: ${output}`));
        }, FIND_MS);
        const look = (): void => {
          const found = pattern.exec(output);
          if (found === null) return;
          clearTimeout(overdue);
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
        void ended.then((code) => {
          clearTimeout(overdue);
          reject(new Error(`The program ended with ${code}: ${output}`));
        });
      }),
  };
}

/** SIGTERM by pid: Deno reports a child that `kill` was called on as killed, whatever it exited with. */
export function terminate(program: Program): void {
  if (program.child.pid !== undefined) process.kill(program.child.pid, "SIGTERM");
}

export interface Programs {
  /** Holds the data folder, `data`, which the program makes. */
  readonly folder: string;
  /** Starts the program with free ports and these variables beside them. */
  run(env?: Record<string, string>, args?: readonly string[]): Program;
  /** The ports on which it says that the monitor listens. */
  ports(program: Program): Promise<{ http: number; grpc: number }>;
  /** Where it says that the auth center is. */
  authUrl(program: Program): Promise<string>;
  /** Where it says that the shop is. */
  shopUrl(program: Program): Promise<string>;
  /** Kills what still runs and removes the folder. */
  dispose(): Promise<void>;
}

/** The program on the runtime that runs the test. */
function ownProgram(): ProgramFile {
  const before = [...toRunArguments("src/main.ts")];
  return { entry: before.pop() ?? "", runner: [process.execPath, ...before] };
}

/** Creates a folder for programs to run on; they start `services` (all, if empty) by default. */
export async function createPrograms(
  services: readonly string[] = [],
  how: Runner | ProgramFile = ownProgram(),
): Promise<Programs> {
  const file: ProgramFile = "entry" in how ? how : { runner: how, entry: "src/main.ts" };
  const folder = await mkdtemp(join(tmpdir(), "trivet-main-"));
  const programs: Program[] = [];
  return {
    folder,
    run: (env = {}, args = services) => {
      const program = start(
        {
          DATA_DIR: join(folder, "data"),
          MONITOR_PORT: "0",
          GRPC_PORT: "0",
          AUTH_PORT: "0",
          SHOP_PORT: "0",
          ...env,
        },
        args,
        file,
      );
      programs.push(program);
      return program;
    },
    ports: async (program) => {
      const http = await program.find(/monitor {2}http:\/\/127\.0\.0\.1:(\d+)\//u);
      const grpc = await program.find(/agents \(gRPC\) +127\.0\.0\.1:(\d+)/u);
      return { http: Number(http[1]), grpc: Number(grpc[1]) };
    },
    authUrl: async (program) => (await program.find(/auth {5}(http:\/\/127\.0\.0\.1:\d+)\//u))[1] ?? "",
    shopUrl: async (program) => (await program.find(/shop {5}(http:\/\/127\.0\.0\.1:\d+)\//u))[1] ?? "",
    dispose: async () => {
      for (const program of programs) {
        program.child.kill("SIGKILL");
        await program.ended;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
