/** The programs that the services are compared with, as processes of their own. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { toNodeFlags } from "./measure.ts";

const folder = fileURLToPath(new URL("peers/", import.meta.url));

/** The password of every account that a peer is seeded with. */
export const PEER_PASSWORD = "correct horse battery staple";

async function runNpm(...args: string[]): Promise<void> {
  const child = spawn("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  await once(child, "exit");
  if (child.exitCode !== 0)
    throw new Error(`"npm ${args.join(" ")}" in ${folder} ended with ${String(child.exitCode)}`);
}

/**
 * Installs what `peers/package.json` names unless it is there. better-sqlite3 is the one package whose install
 * script runs: it fetches a binary or, where it cannot, compiles one, which takes a minute or two.
 */
export async function installPeers(): Promise<void> {
  const binary = join(folder, "node_modules", "better-sqlite3", "build", "Release", "better_sqlite3.node");
  const vendure = join(folder, "node_modules", "@vendure", "core", "package.json");
  const provider = join(folder, "node_modules", "oidc-provider", "package.json");
  if ([binary, vendure, provider].every((path) => existsSync(path))) return;
  console.error("Installing what is compared with in test/lab/bench/peers; better-sqlite3 may be compiled");
  await runNpm("ci");
  await runNpm("rebuild", "better-sqlite3", "--ignore-scripts=false");
}

/** What a process has and has spent; NaN where there is no /proc. */
export interface ProcessUsage {
  /** User and system time since its start, in steps of 10 ms: other work on the machine hardly changes it. */
  readonly cpuMicroseconds: number;
  readonly rssBytes: number;
  /** The most since the start or since `resetPeak`. */
  readonly peakBytes: number;
}

/** Clock ticks of /proc/PID/stat: 100 a second on every Linux that Node runs on. */
const TICK_MICROSECONDS = 10_000;

/** Reads VmRSS, VmHWM and the CPU time. */
export async function readUsage(pid: number): Promise<ProcessUsage> {
  const text = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const read = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "mu").exec(text)?.[1] ?? Number.NaN) * 1024;
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name in parentheses may hold spaces; utime and stime are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[11] ?? Number.NaN) + Number(fields[12] ?? Number.NaN);
  return {
    cpuMicroseconds: ticks * TICK_MICROSECONDS,
    rssBytes: read("VmRSS"),
    peakBytes: read("VmHWM"),
  };
}

/** Resets the peak memory of a process to its current value; Linux only, elsewhere nothing happens. */
export async function resetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, "5").catch(() => undefined);
}

/** How better-auth runs. */
export interface BetterAuthOptions {
  /** Accounts `person-0@example.org`, … with `PEER_PASSWORD`. */
  readonly accounts: number;
  /** Live sessions, spread over the accounts. */
  readonly sessions: number;
  /** Sessions are believed from a signed cookie for five minutes; off by default, as in better-auth. */
  readonly cookieCache?: boolean;
  /** Age in seconds from which a check renews the session in the database; a day by default, 0: every check writes. */
  readonly updateAgeSeconds?: number;
  /** SQLite's `synchronous`; "normal" by default (a power cut may lose the last commits), "full" is durable. */
  readonly synchronous?: "normal" | "full";
  /** What turns HTTP into a Request: @hono/node-server, as ours, or better-auth's own adapter. */
  readonly listener?: "hono" | "node";
}

/** A peer that runs. */
export interface Peer {
  readonly url: string;
  readonly pid: number;
  /** `Cookie` headers of live sessions, at most `count`, each of another session. */
  cookies(count: number): Promise<string[]>;
  usage(): Promise<ProcessUsage>;
  stop(): Promise<void>;
}

const readySchema = z.object({ port: z.int(), cookies: z.array(z.string()).default([]) });

/** What a peer prints when it is ready. @throws when it ends before */
async function readReady(child: ChildProcess): Promise<z.infer<typeof readySchema>> {
  if (child.stdout === null) throw new Error("A peer without standard output");
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) return readySchema.parse(JSON.parse(line));
  throw new Error("A peer ended before it was ready");
}

/** The port that a peer prints when it is ready. @throws when it ends before */
export async function readPort(child: ChildProcess): Promise<number> {
  return (await readReady(child)).port;
}

/** Starts oidc-provider with its memory adapter, and people who are signed in and have agreed; installs it when it is not there. */
export async function startOidcProvider(options: {
  readonly people: number;
  readonly redirectUri: string;
  readonly secret: string;
}): Promise<Pick<Peer, "url" | "usage" | "stop"> & { readonly cookies: string[] }> {
  if (!existsSync(join(folder, "node_modules", "oidc-provider", "package.json"))) await installPeers();
  const { people, redirectUri, secret } = options;
  const args = [`--people=${people}`, `--redirect=${redirectUri}`, `--secret=${secret}`];
  const child = spawn(process.execPath, [...toNodeFlags(), join(folder, "oidc-provider.mjs"), ...args], {
    cwd: folder,
    // It warns at its start of what is meant for trials, which this is.
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  const exited = once(child, "exit");
  const { port, cookies } = await readReady(child);
  return {
    url: `http://127.0.0.1:${port}`,
    cookies,
    usage: () => readUsage(child.pid ?? 0),
    stop: async () => {
      child.stdin.end();
      await exited;
    },
  };
}

/** With the cookie cache a browser also has the cookie that the first check of its session gave it. */
async function addCachedSession(url: string, cookie: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/get-session`, { headers: { cookie } });
  await response.text();
  const given = response.headers.getSetCookie().map((line) => line.slice(0, line.indexOf(";")));
  return [cookie, ...given.filter((pair) => pair.includes("session_data"))].join("; ");
}

/** Starts better-auth on a database in a temporary folder; `installPeers` comes before. */
export async function startBetterAuth(options: BetterAuthOptions): Promise<Peer> {
  const data = await mkdtemp(join(tmpdir(), "trivet-peer-"));
  const { accounts, sessions, cookieCache = false, updateAgeSeconds, synchronous, listener } = options;
  const args = [
    `--folder=${data}`,
    `--accounts=${accounts}`,
    `--sessions=${sessions}`,
    `--password=${PEER_PASSWORD}`,
    ...(cookieCache ? ["--cookie-cache"] : []),
    ...(updateAgeSeconds === undefined ? [] : [`--update-age=${updateAgeSeconds}`]),
    ...(synchronous === undefined ? [] : [`--synchronous=${synchronous}`]),
    ...(listener === undefined ? [] : [`--listener=${listener}`]),
  ];
  const child = spawn(process.execPath, [...toNodeFlags(), join(folder, "better-auth.mjs"), ...args], {
    cwd: folder,
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  const exited = once(child, "exit");
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await exited;
    await rm(data, { recursive: true });
  };
  try {
    const url = `http://127.0.0.1:${await readPort(child)}`;
    const pid = child.pid ?? 0;
    const all = (await readFile(join(data, "cookies.txt"), "utf8")).split("\n");
    return {
      url,
      pid,
      cookies: async (count) => {
        const chosen = all.slice(0, count);
        if (!cookieCache) return chosen;
        const full: string[] = [];
        for (const cookie of chosen) full.push(await addCachedSession(url, cookie));
        return full;
      },
      usage: () => readUsage(pid),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
