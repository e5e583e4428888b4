/** The auth center as a side of the benchmarks: the program as `npm start` runs it, on a folder with many sessions. */
import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { AuthSide, AuthWork } from "./auth-sides.ts";
import { seedAuth } from "./auth-seed.ts";
import type { LoadOptions } from "./load.ts";
import { assertAll, runLoad } from "./load.ts";
import { YOUNG_GENERATION } from "./measure.ts";
import { PEER_PASSWORD, readUsage, resetPeak } from "./peer-process.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const SECRET = "a secret of the benchmarks, long enough";
const ADMIN_TOKEN = "a-token-of-the-benchmarks";

/** The program, with what a case may want to ask it beside the load. */
export interface AuthProgram extends AuthSide {
  readonly url: string;
  readonly accessTokens: readonly string[];
  /** Milliseconds from the start of the process until it listened. */
  readonly startMs: number;
  /** The metrics of the process as text. */
  metrics(): Promise<string>;
}

/** Resolves with where it listens. */
async function readUrl(child: ChildProcess): Promise<string> {
  let output = "";
  for await (const chunk of child.stderr ?? []) {
    output += String(chunk);
    const found = /auth {5}(http:\/\/127\.0\.0\.1:\d+)\//u.exec(output)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error(`The program ended: ${output}`);
}

let runs = 0;

/** Seeds a folder and starts the program on it. */
export async function startAuthProgram(size: { accounts: number; sessions: number }): Promise<AuthProgram> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-bench-auth-"));
  const { accessTokens, refreshTokens } = await seedAuth({ ...size, folder, secret: SECRET });
  const profiles = process.env["BENCH_PROFILE_DIR"]; // as `startServer` has it
  const profiling = profiles === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profiles}`];
  const startedMs = performance.now();
  const child = spawn(
    process.execPath,
    [YOUNG_GENERATION, ...profiling, "--import", "tsx", "src/main.ts", "auth"],
    {
      cwd: root,
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, DATA_DIR: folder, AUTH_PORT: "0", AUTH_SECRET: SECRET, ADMIN_TOKEN },
    },
  );
  const exited = once(child, "exit");
  const url = await readUrl(child);
  const startMs = performance.now() - startedMs;
  child.stderr?.resume();
  const pid = child.pid ?? 0;
  const emails = Array.from({ length: size.accounts }, (_, n) => `person-${n}@example.org`);
  // Spread over all accounts: neighbours would sit together in every cache.
  const spread = accessTokens.filter((_, n) => n % 10 === 0);
  const post = { method: "POST", headers: { "content-type": "application/json" } };
  const toRequests = (work: AuthWork): Omit<LoadOptions, "connections" | "seconds"> => {
    if (work === "validate")
      return {
        url: `${url}/api/auth/validate`,
        headers: { authorization: "Bearer {value}" },
        values: spread,
      };
    if (work === "refresh")
      return {
        url,
        plan: new URL("auth-plan.ts", import.meta.url),
        planData: refreshTokens.slice(runs * 64, runs * 64 + 64),
      };
    if (work === "sign-in") {
      const body = JSON.stringify({ identifier: "{value}", password: PEER_PASSWORD });
      return { ...post, url: `${url}/api/auth/login`, body, values: emails };
    }
    const person = {
      username: `new-${runs}-{n}`,
      email: `new-${runs}-{n}@example.org`,
      password: PEER_PASSWORD,
    };
    return { ...post, url: `${url}/api/auth/register`, body: JSON.stringify(person) };
  };
  return {
    name: "Trivet",
    url,
    accessTokens,
    startMs,
    run: async (work, load) => {
      runs += 1;
      return assertAll(await runLoad({ ...toRequests(work), ...load }), work === "registration" ? 201 : 200);
    },
    usage: () => readUsage(pid),
    resetPeak: () => resetPeak(pid),
    metrics: async () =>
      (await fetch(`${url}/metrics`, { headers: { "x-admin-token": ADMIN_TOKEN } })).text(),
    stop: async () => {
      child.kill("SIGTERM");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
