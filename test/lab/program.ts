/**
 * The monitor as a program of its own, for scripts that show or measure it: free ports, an administrator token, a
 * folder that goes afterwards.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { newSecret } from "../../src/kit/secrets/id.ts";
import { nodeOptions } from "../../src/runtime/start-options.ts";
import { projectFolder } from "../support/process.ts";

export interface MonitorProgram {
  /** HTTP address without a slash at its end. */
  readonly url: string;
  /** "host:port" of the agents' listener. */
  readonly grpc: string;
  readonly adminToken: string;
  readonly pid: number;
  /** A request as administrator; gives the answer's JSON. @throws Error unless the status is a success */
  admin(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Stops it, and removes the folder that was made for it. */
  stop(): Promise<void>;
}

export interface MonitorProgramOptions {
  /** Its data; without it a folder is made and removed afterwards. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly adminToken?: string;
}

const STOP_MS = 20_000;

async function readAddresses(child: ChildProcess): Promise<{ url: string; grpc: string }> {
  let output = "";
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      output += chunk.toString();
      const url = /monitor {2}(http:\/\/\S+:\d+)\//u.exec(output)?.[1];
      const grpc = /agents \(gRPC\) +(\S+:\d+)/u.exec(output)?.[1];
      if (url !== undefined && grpc !== undefined) resolve({ url, grpc });
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("exit", (code) => reject(new Error(`The monitor ended with ${code}: ${output}`)));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const overdue = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await ended;
  clearTimeout(overdue);
}

/** Starts the monitor as `npm start` does. @throws Error with its output when it does not start */
export async function startMonitorProgram(options: MonitorProgramOptions = {}): Promise<MonitorProgram> {
  const { adminToken = newSecret("adm") } = options;
  const made = options.dataDir === undefined ? await mkdtemp(join(tmpdir(), "trivet-monitor-")) : undefined;
  const child = spawn(process.execPath, [...nodeOptions, "scripts/start.js", "monitor"], {
    cwd: projectFolder,
    env: {
      ...process.env,
      MONITOR_PORT: "0",
      GRPC_PORT: "0",
      LOG_LEVEL: "warn",
      DATA_DIR: options.dataDir ?? join(made ?? "", "data"),
      ADMIN_TOKEN: adminToken,
      ...options.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // A stop from the terminal also ends the program.
  const onExit = (): void => void child.kill("SIGKILL");
  process.once("exit", onExit);

  async function stop(): Promise<void> {
    await end(child);
    process.off("exit", onExit);
    if (made !== undefined) await rm(made, { recursive: true, force: true });
  }

  try {
    const { url, grpc } = await readAddresses(child);
    return {
      url,
      grpc,
      adminToken,
      pid: child.pid ?? 0,
      async admin(method, path, body) {
        const response = await fetch(`${url}${path}`, {
          method,
          headers: { "x-admin-token": adminToken, "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
        const answer: unknown = text === "" ? undefined : JSON.parse(text);
        return answer;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
