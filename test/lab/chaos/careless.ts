/** Starts a careless server (see careless-server.ts) as a process of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Surroundings } from "./case.ts";

/** What is careless about it. */
export type Habit = "plain" | "sync" | "asks" | "postgres" | "nats" | "mails" | "tokens" | "grpc";

export interface Careless {
  readonly url: string;
  readonly pid: number;
  /** Sends SIGTERM; resolves with its exit code, null when the signal ended it, and how long it took. */
  terminate(): Promise<{ readonly code: number | null; readonly ms: number }>;
}

/** How it is started beside its habit. */
export interface CarelessOptions {
  readonly address?: string;
  /** Loaded before it. */
  readonly preload?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts it; it ends with the part. Always on Node: it is no program of ours. */
export async function startCareless(
  around: Surroundings,
  habit: Habit,
  { address = "", preload = [], env = {} }: CarelessOptions = {},
): Promise<Careless> {
  const path = fileURLToPath(new URL("careless-server.ts", import.meta.url));
  const args = ["--import", "tsx", ...preload, path, habit, address];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  const ended = once(child, "exit");
  around.onEnd(() => child.kill("SIGKILL"));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString()));
    child.once("exit", (code) => reject(new Error(`The careless server ended with ${code}`)));
  });
  return {
    url: `http://127.0.0.1:${line.trim()}`,
    pid: child.pid ?? 0,
    terminate: async () => {
      const askedMs = performance.now();
      child.kill("SIGTERM");
      await ended;
      return { code: child.exitCode, ms: performance.now() - askedMs };
    },
  };
}
