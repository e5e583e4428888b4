/**
 * What the auth center is compared with, alone: better-auth with and without its cookie cache, the argon2
 * library, a bare server. `node --import tsx test/lab/bench/better-auth.ts [seconds] [rounds]`
 */
import process from "node:process";
import { type AuthSide, type AuthWork, runInTurn, startBetterAuthSide } from "./auth-sides.ts";
import { type Argon2Result, measureBareArgon2, startBareServer } from "./bare-auth.ts";
import { runLoad } from "./load.ts";
import { type Effort, machineLine, median } from "./measure.ts";

const SESSIONS = 100_000;
const ACCOUNTS = 10_000;

function report(name: string, perSecond: number, more = ""): void {
  console.log(`${name.padEnd(44)} ${perSecond.toFixed(1).padStart(9)}/s  ${more}`);
}

async function reportWork(sides: readonly AuthSide[], work: AuthWork, effort: Effort): Promise<void> {
  const connections = work === "validate" || work === "refresh" ? 32 : 8;
  const results = await runInTurn(sides, { work, connections, effort });
  for (const [index, { perSecond, p50Ms, p99Ms, cpuMicrosecondsEach }] of results.entries()) {
    const usage = await sides[index]?.usage();
    const mebibytes = (bytes = Number.NaN): string => (bytes / 1024 ** 2).toFixed(0);
    const rss = `RSS ${mebibytes(usage?.rssBytes)} MiB, at most ${mebibytes(usage?.peakBytes)}`;
    const cpu = `${(cpuMicrosecondsEach / 1_000).toFixed(2)} ms CPU each`;
    const times = `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, ${cpu}`;
    report(`${sides[index]?.name}: ${work}, ${connections} connections`, perSecond, `${times}, ${rss}`);
  }
}

async function reportBare({ seconds, rounds }: Effort): Promise<void> {
  for (const kind of ["ok", "session"] as const) {
    const server = await startBareServer(kind, SESSIONS);
    const { url, tokens } = server.info;
    const headers: Record<string, string> = kind === "ok" ? {} : { authorization: "Bearer {value}" };
    const load = { url, headers, values: tokens, connections: 32, seconds, warmupSeconds: 1 };
    const { perSecond, p50Ms, p99Ms, clientCpuShare } = await runLoad(load);
    const times = `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
    report(`bare node:http, ${kind}`, perSecond, `${times}, client ${clientCpuShare.toFixed(2)} of a core`);
    await server.stop();
  }
  for (const work of ["hash", "verify"] as const) {
    const results: Argon2Result[] = [];
    for (let round = 0; round < rounds; round += 1) results.push(await measureBareArgon2(work, { seconds }));
    const cpuMs = median(results.map((result) => result.cpuMicrosecondsEach)) / 1_000;
    const rate = median(results.map((result) => result.perSecond));
    report(`argon2 alone, ${work}, 2 at once`, rate, `${cpuMs.toFixed(2)} ms CPU each`);
  }
}

async function withSides(
  starts: readonly Promise<AuthSide>[],
  use: (sides: AuthSide[]) => Promise<void>,
): Promise<void> {
  const sides = await Promise.all(starts);
  try {
    await use(sides);
  } finally {
    for (const side of sides) await side.stop();
  }
}

async function main(effort: Effort): Promise<void> {
  console.log(`${machineLine()}; ${SESSIONS} sessions, ${ACCOUNTS} accounts`);
  await reportBare(effort);
  const size = { accounts: ACCOUNTS, sessions: SESSIONS };
  const checks = [startBetterAuthSide(size), startBetterAuthSide({ ...size, cookieCache: true })];
  await withSides(checks, async (sides) => {
    await reportWork(sides, "validate", effort);
    for (const side of sides) await side.resetPeak();
    await reportWork(sides.slice(0, 1), "sign-in", effort);
    await reportWork(sides.slice(0, 1), "registration", effort);
  });
  const durable = { ...size, updateAgeSeconds: 0, synchronous: "full" as const };
  await withSides([startBetterAuthSide(durable)], (sides) => reportWork(sides, "refresh", effort));
}

await main({ seconds: Number(process.argv[2] ?? 4), rounds: Number(process.argv[3] ?? 3) });
