/**
 * The programs that a case harms: `src/main.ts` with free ports that stay the same over all its lives, so that
 * clients find it again.
 */
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceName } from "../../../src/kit/services.ts";
import { ADMIN_TOKEN } from "../../shop/kill-load.ts";
import { type Program, type Runner, createPrograms, terminate } from "../../support/program.ts";
import { type Surroundings, pause, waitFor } from "./case.ts";
import type { Faults } from "./faults-preload.ts";

export interface SubjectOptions {
  readonly services: readonly ServiceName[];
  readonly env?: Readonly<Record<string, string>>;
  /** Lets {@link Subject.harm} change its clock and its disk. */
  readonly isFragile?: boolean;
}

/** One life of the program. */
export interface Life {
  readonly program: Program;
  readonly pid: number;
  /** From the start of the process to the first answer of every service's health, in milliseconds. */
  readonly readyMs: number;
  /** Of it, how long it was ready to run while others had the processor; 0 if the system does not report it. */
  readonly starvedMs: number;
  kill(): Promise<void>;
  /** SIGTERM; resolves when it has ended. */
  terminate(): Promise<{ readonly code: number | null; readonly ms: number }>;
}

export interface Subject {
  /** Of the service, without a slash at its end. @throws Error before the first start */
  url(service: ServiceName): string;
  /** "host:port" of the agents' listener. */
  grpc(): string;
  readonly dataDir: string;
  /** A folder that goes with the subject. */
  readonly folder: string;
  start(): Promise<Life>;
  /** Starts it and kills it after so long, ready or not; gives whether it was ready. */
  startBriefly(lifeMs: number): Promise<boolean>;
  /** Starts it expecting that it refuses to; gives its end, or undefined when it lives after so long. */
  startRefused(
    limitMs: number,
  ): Promise<{ readonly code: number | null; readonly output: string } | undefined>;
  /** How a command of the program is run on its folder, with the faults of its process. */
  toCommand(args: readonly string[]): {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
  /** Sets the faults of its process; they hold within 50 ms. */
  harm(faults: Faults): void;
}

interface Places {
  readonly urls: Partial<Record<ServiceName, string>>;
  readonly grpc: string | undefined;
}

const READY_LIMIT_MS = 40_000;
const preload = fileURLToPath(new URL("faults-preload.ts", import.meta.url));

/** Whether health is answered with a success; any failure counts as no. */
export async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** What Linux counts of a process's main thread: time on a processor, time of waiting for one, in nanoseconds. */
function readRunDelayMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[1] ?? 0) / 1e6;
  } catch {
    return 0;
  }
}

/** Waits until it has said something: `find` alone has a limit for machines that are not as busy. */
async function readPlaces(
  program: Program,
  { services, limitMs }: { services: readonly ServiceName[]; limitMs: number },
): Promise<Places> {
  await Promise.race([
    program.ended,
    waitFor(() => / http:\/\//u.test(program.output()), { limitMs, everyMs: 20 }),
  ]);
  const urls: Partial<Record<ServiceName, string>> = {};
  for (const service of services) {
    const pattern = new RegExp(`^ *${service} +(http://127\\.0\\.0\\.1:\\d+)/`, "mu");
    const url = (await program.find(pattern))[1];
    if (url !== undefined) urls[service] = url;
  }
  const hasAgents = services.includes("monitor");
  const grpc = hasAgents ? (await program.find(/agents \(gRPC\) +(\S+:\d+)/u))[1] : undefined;
  return { urls, grpc };
}

function toPorts({ urls, grpc }: Places): Record<string, string> {
  const ports: Record<string, string> = {};
  for (const [service, url] of Object.entries(urls))
    ports[`${service.toUpperCase()}_PORT`] = new URL(url).port;
  if (grpc !== undefined) ports["GRPC_PORT"] = grpc.slice(grpc.lastIndexOf(":") + 1);
  return ports;
}

/** A program that is ready, as a case sees it. */
function toLife(program: Program, readyMs: number): Life {
  const { child } = program;
  const pid = child.pid ?? 0;
  return {
    program,
    pid,
    readyMs,
    starvedMs: readRunDelayMs(pid),
    kill: async () => {
      child.kill("SIGKILL");
      await program.ended;
    },
    terminate: async () => {
      const askedMs = performance.now();
      const ended = once(child, "exit");
      terminate(program);
      await ended;
      return { code: await program.ended, ms: performance.now() - askedMs };
    },
  };
}

/** Creates a folder for a program; it is removed with the part. */
export async function createSubject(around: Surroundings, options: SubjectOptions): Promise<Subject> {
  const { services, env = {}, isFragile = false } = options;
  const [command, ...before] = around.runner;
  const loading = isFragile ? [around.isDeno ? "--preload" : "--import", preload] : [];
  const runner: Runner = [command, ...before, ...loading];
  const programs = await createPrograms(services, { runner, entry: around.entry });
  around.onEnd(() => programs.dispose());
  const faultsPath = join(programs.folder, "faults.json");
  let places: Places = { urls: {}, grpc: undefined };

  const run = (): Program =>
    programs.run({
      ADMIN_TOKEN,
      LOG_LEVEL: "warn",
      NO_COLOR: "1",
      TRUSTED_PROXIES: "127.0.0.1",
      CHAOS_FAULTS: faultsPath,
      ...env,
      ...toPorts(places),
    });

  async function start(): Promise<Life> {
    const startedMs = performance.now();
    const program = run();
    places = await readPlaces(program, { services, limitMs: around.within(READY_LIMIT_MS) });
    for (const url of Object.values(places.urls))
      if (
        (await waitFor(() => isHealthy(url), { limitMs: around.within(READY_LIMIT_MS), everyMs: 20 })) ===
        undefined
      )
        throw new Error(`no health from ${url}: ${program.output().slice(-1_000)}`);
    const readyMs = performance.now() - startedMs;
    return toLife(program, readyMs);
  }

  return {
    url: (service) => {
      const url = places.urls[service];
      if (url === undefined) throw new Error(`The ${service} was not started`);
      return url;
    },
    grpc: () => places.grpc ?? "",
    dataDir: env["DATA_DIR"] ?? join(programs.folder, "data"),
    folder: programs.folder,
    start,
    startBriefly: async (lifeMs) => {
      const program = run();
      await pause(lifeMs);
      const isReady = (await Promise.all(Object.values(places.urls).map(isHealthy))).every(Boolean);
      program.child.kill("SIGKILL");
      await program.ended;
      return isReady;
    },
    startRefused: async (limitMs) => {
      const program = run();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), limitMs);
      });
      const ended = program.ended.then((code) => ({ code, output: program.output() }));
      const end = await Promise.race([ended, late]);
      clearTimeout(timer);
      if (end === undefined) program.child.kill("SIGKILL");
      await program.ended;
      return end;
    },
    toCommand: (args) => ({
      command,
      args: [...runner.slice(1), around.entry, ...args],
      env: { CHAOS_FAULTS: faultsPath, ...env },
    }),
    harm: (faults) => writeFileSync(faultsPath, JSON.stringify(faults)),
  };
}
