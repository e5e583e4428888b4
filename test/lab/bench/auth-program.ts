/** The auth center as a side of the benchmarks: the program as `npm start` runs it, on a folder with many sessions. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuthSide, AuthWork } from "./auth-sides.ts";
import { type Seeded, seedAuth } from "./auth-seed.ts";
import { type LoadOptions, assertAll, runLoad } from "./load.ts";
import { startOwnProgram } from "./own-program.ts";
import { PEER_PASSWORD, readUsage, resetPeak } from "./peer-process.ts";

const SECRET = "a secret of the benchmarks, long enough";
const ADMIN_TOKEN = "a-token-of-the-benchmarks";

/** The program, with what a case may want to ask it beside the load. */
export interface AuthProgram extends AuthSide {
  readonly url: string;
  /** Milliseconds from the start of the process until it listened. */
  readonly startMs: number;
  /** Of the sessions that were there at the start, each of another account as far as there are some. */
  readonly accessTokens: readonly string[];
  /** Posts as administrator; gives the answer's JSON. @throws Error unless it is a success */
  admin(path: string, body: unknown): Promise<unknown>;
  /** The metrics of the process as text. */
  metrics(): Promise<string>;
}

/** How much it knows, and how it runs. */
export interface AuthProgramOptions {
  readonly accounts: number;
  readonly sessions: number;
  /** As by default; without it a registration opens its account at once. */
  readonly isVerificationRequired?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** What a browser sends that was here before. */
export const browser = {
  accept: "text/html,application/xhtml+xml",
  "accept-language": "en-GB,en;q=0.9",
  cookie: "trivet_visit=0123456789abcdefghij",
  "sec-fetch-site": "same-origin",
};

/** Statuses of successes that are not 200. */
const statuses: Readonly<Partial<Record<AuthWork, number>>> = { registration: 201, form: 303 };

/** Over all accounts: neighbours would sit together in every cache. */
const spread = (tokens: readonly string[]): string[] => tokens.filter((_, n) => n % 10 === 0);

/** The requests of each kind of work; refresh tokens are single use, so each run takes others. */
function toRequests(
  work: AuthWork,
  parts: { url: string; size: AuthProgramOptions; seeded: Seeded; run: number },
): Omit<LoadOptions, "connections" | "seconds"> {
  const { url, size, seeded, run } = parts;
  const post = { method: "POST", headers: { "content-type": "application/json" } };
  if (work === "validate") {
    const values = spread(seeded.accessTokens);
    return { url: `${url}/api/auth/validate`, headers: { authorization: "Bearer {value}" }, values };
  }
  if (work === "refresh") {
    const planData = seeded.refreshTokens.slice(run * 64, run * 64 + 64);
    return { url, plan: new URL("auth-plan.ts", import.meta.url), planData };
  }
  const values = Array.from({ length: size.accounts }, (_, n) => `person-${n}@example.org`);
  if (work === "page") return { url: `${url}/sign-in`, headers: browser };
  if (work === "form") {
    const body = `identifier={value}&password=${encodeURIComponent(PEER_PASSWORD)}`;
    const headers = { ...browser, "content-type": "application/x-www-form-urlencoded" };
    return { method: "POST", url: `${url}/sign-in`, headers, body, values };
  }
  if (work === "sign-in") {
    const body = JSON.stringify({ identifier: "{value}", password: PEER_PASSWORD });
    return { ...post, url: `${url}/api/auth/login`, body, values };
  }
  const person = { username: `new-${run}-{n}`, email: `new-${run}-{n}@example.org`, password: PEER_PASSWORD };
  return { ...post, url: `${url}/api/auth/register`, body: JSON.stringify(person) };
}

let runs = 0;

/** Seeds a folder and starts the program on it. */
export async function startAuthProgram(size: AuthProgramOptions): Promise<AuthProgram> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-bench-auth-"));
  const seeded = await seedAuth({ ...size, folder, secret: SECRET });
  const env = { DATA_DIR: folder, AUTH_SECRET: SECRET, ADMIN_TOKEN, ...size.env };
  const { url, pid, startMs, stop } = await startOwnProgram("auth", env);
  return {
    name: "Trivet",
    url,
    startMs,
    run: async (work, load) => {
      runs += 1;
      const requests = toRequests(work, { url, size, seeded, run: runs });
      return assertAll(await runLoad({ ...requests, ...load }), statuses[work] ?? 200);
    },
    accessTokens: spread(seeded.accessTokens),
    admin: async (path, body) => {
      const headers = { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" };
      const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
      const read: unknown = await answer.json();
      return read;
    },
    usage: () => readUsage(pid),
    resetPeak: () => resetPeak(pid),
    metrics: async () =>
      (await fetch(`${url}/metrics`, { headers: { "x-admin-token": ADMIN_TOKEN } })).text(),
    stop: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
