/** The services that a soak loads, in one process or three. */
import { spawn, type ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { ADMIN_TOKEN } from "../../shop/kill-load.ts";
import { findFreePorts } from "../../support/free-ports.ts";
import { nodeOptions } from "../../../src/runtime/start-options.ts";
import { readProcessUsage } from "../fleet/process-usage.ts";
import { projectFolder } from "../../support/process.ts";
import { endChild, endOf } from "./children.ts";
import type { ProcessSample } from "./judge.ts";
import { readMetric } from "../read-metric.ts";

export interface Subjects {
  readonly adminToken: string;
  readonly monitorUrl: string;
  /** "host:port" of the agents' listener. */
  readonly grpc: string;
  readonly authUrl: string;
  readonly shopUrl: string;
  /** One sample a process, since the call before. */
  sample(): Promise<ProcessSample[]>;
  /** Resolves with the exit codes, or the signals that ended them. */
  stop(): Promise<readonly (number | string | null)[]>;
}

export interface SubjectsOptions {
  readonly apart: boolean;
  readonly bundle: boolean;
  readonly profileDir: string | undefined;
  /** What they need to reach stand-ins of the load. */
  readonly env: Readonly<Record<string, string>>;
}

const START_MS = 60_000;
const POLL_MS = 100;
const ANSWER_MS = 30_000;

async function waitForHealth(url: string, child: ChildProcess): Promise<void> {
  const endMs = performance.now() + START_MS;
  while (performance.now() < endMs) {
    if (endOf(child) !== null) throw new Error(`A service ended with ${endOf(child)} at its start`);
    const signal = AbortSignal.timeout(ANSWER_MS);
    const response = await fetch(`${url}/api/health`, { signal }).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`${url} is not well after ${START_MS / 1_000} s`);
}

/** A process, where its metrics are, and what was read last. */
interface Subject {
  readonly name: string;
  readonly child: ChildProcess;
  readonly url: string;
  lastMs: number;
  lastCpuSeconds: number;
}

async function sampleSubject(subject: Subject, adminToken: string): Promise<ProcessSample> {
  const { name, child, url } = subject;
  const usage = endOf(child) === null ? readProcessUsage(child.pid ?? 0) : undefined;
  if (usage === undefined) throw new Error(`the process of "${name}" ended with ${endOf(child)}`);
  const response = await fetch(`${url}/metrics`, {
    headers: { "x-admin-token": adminToken },
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const text = await response.text();
  const nowMs = performance.now();
  const share = (usage.cpuSeconds - subject.lastCpuSeconds) / ((nowMs - subject.lastMs) / 1_000);
  subject.lastMs = nowMs;
  subject.lastCpuSeconds = usage.cpuSeconds;
  return {
    name,
    rssBytes: usage.rssBytes,
    cpuPercent: Math.round(share * 100),
    openFiles: readMetric(text, "process_open_fds"),
    loopDelayMs: Math.round(readMetric(text, "event_loop_delay_max_seconds") * 1_000),
  };
}

function startProcess(services: readonly string[], options: SubjectsOptions, env: Record<string, string>) {
  // As `npm start` runs it, or as systemd and Docker do.
  const program = options.bundle ? ["dist/trivet.js"] : ["scripts/start.js"];
  const profiling =
    options.profileDir === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${options.profileDir}`];
  return spawn(process.execPath, [...nodeOptions, ...profiling, ...program, ...services], {
    cwd: projectFolder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
}

/** Starts the services on a folder of their own and waits until they are well. */
export async function startSubjects(options: SubjectsOptions): Promise<Subjects> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-soak-"));
  const [monitor = 0, grpc = 0, auth = 0, shop = 0] = await findFreePorts(4);
  const adminToken = ADMIN_TOKEN;
  const env = {
    ...options.env,
    MONITOR_PORT: String(monitor),
    GRPC_PORT: String(grpc),
    AUTH_PORT: String(auth),
    SHOP_PORT: String(shop),
    DATA_DIR: join(folder, "data"),
    ADMIN_TOKEN: adminToken,
    TRUSTED_PROXIES: "127.0.0.1",
    // All viewers come from this machine.
    VIEWERS_PER_ADDRESS: "2000",
    LOG_LEVEL: "warn",
  };
  const urls: Record<string, string> = {
    monitor: `http://127.0.0.1:${monitor}`,
    auth: `http://127.0.0.1:${auth}`,
    shop: `http://127.0.0.1:${shop}`,
  };
  const groups = options.apart ? [["monitor"], ["auth"], ["shop"]] : [["monitor", "auth", "shop"]];
  const subjects = groups.map((services): Subject => {
    const name = options.apart ? services.join() : "all";
    const child = startProcess(services, options, env);
    return { name, child, url: urls[services[0] ?? ""] ?? "", lastMs: performance.now(), lastCpuSeconds: 0 };
  });
  // Also when a signal ends the soak: nothing stays behind.
  const killAll = (): void => {
    for (const { child } of subjects) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", killAll);

  async function stop(): Promise<readonly (number | string | null)[]> {
    const codes = await Promise.all(subjects.map(({ child }) => endChild(child)));
    process.off("exit", killAll);
    await rm(folder, { recursive: true, force: true });
    return codes;
  }

  try {
    for (const { name, child, url } of subjects)
      for (const each of name === "all" ? Object.values(urls) : [url]) await waitForHealth(each, child);
  } catch (error) {
    killAll();
    await stop();
    throw error;
  }
  return {
    adminToken,
    monitorUrl: urls["monitor"] ?? "",
    grpc: `127.0.0.1:${grpc}`,
    authUrl: urls["auth"] ?? "",
    shopUrl: urls["shop"] ?? "",
    sample: () => Promise.all(subjects.map((subject) => sampleSubject(subject, adminToken))),
    stop,
  };
}
