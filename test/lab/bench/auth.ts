/**
 * The auth center's figures beside the bare library and beside better-auth: session checks, sign-ins,
 * refreshes, registrations, and what many sign-ins at once do to the rest. `npm run bench -- auth-validate`
 */
import { benchEnumeration } from "./auth-enumeration.ts";
import { type AuthProgram, startAuthProgram } from "./auth-program.ts";
import {
  type AuthSide,
  type AuthWork,
  type SideResult,
  runInTurn,
  startBetterAuthSide,
} from "./auth-sides.ts";
import { measureBareArgon2, startBareServer } from "./bare-auth.ts";
import { runLoad } from "./load.ts";
import { type Bench, type BenchRow, type Effort, median } from "./measure.ts";
import { PEER_PASSWORD } from "./peer-process.ts";
import { readMetric } from "../read-metric.ts";

const size = { accounts: 10_000, sessions: 100_000 };
const PEER = "better-auth";
/** Until neither sign-ins at a hundred a second nor checks of sessions get cheaper by V8's compiler. */
const WARMUP_SECONDS = 30;

async function withSides<R>(
  starts: readonly (() => Promise<AuthSide>)[],
  use: (sides: AuthSide[]) => Promise<R>,
): Promise<R> {
  const sides: AuthSide[] = [];
  try {
    for (const start of starts) sides.push(await start());
    return await use(sides);
  } finally {
    for (const side of sides) await side.stop();
  }
}

/** What the sides came to; `bare` is a rate per second, NaN where there is none. */
interface Compared {
  readonly ours: SideResult;
  readonly peer: SideResult;
  readonly bare: number;
}

/** Ours, the peer and what is bare, in turn: the machine's speed changes within a run. */
async function compare(
  work: AuthWork,
  parts: {
    effort: Effort;
    connections: number;
    peer: () => Promise<AuthSide>;
    bare?: (seconds: number) => Promise<number>;
  },
): Promise<Compared> {
  const { effort, connections, peer, bare } = parts;
  const rates: number[] = [];
  const beside = async (): Promise<void> => {
    if (bare !== undefined) rates.push(await bare(effort.seconds));
  };
  return withSides([() => startAuthProgram(size), peer], async (sides) => {
    for (const side of sides) await side.run(work, { connections, seconds: WARMUP_SECONDS });
    const [ours, other] = await runInTurn(sides, { work, connections, effort, beside });
    if (ours === undefined || other === undefined) throw new Error("A side is missing");
    return { ours, peer: other, bare: median(rates) };
  });
}

const latency = ({ p50Ms, p99Ms, cpuMicrosecondsEach }: SideResult): string =>
  `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, ${(cpuMicrosecondsEach / 1_000).toFixed(2)} ms CPU each`;

async function measureBareSession(seconds: number): Promise<number> {
  const server = await startBareServer("session", size.sessions);
  const { url, tokens } = server.info;
  const headers = { authorization: "Bearer {value}" };
  const load = { url, headers, values: tokens, connections: 16, seconds, warmupSeconds: 5 };
  const { perSecond } = await runLoad(load);
  await server.stop();
  return perSecond;
}

const benchValidate: Bench = async (effort) => {
  const { ours, peer, bare } = await compare("validate", {
    effort,
    connections: 16,
    peer: () => startBetterAuthSide(size),
    bare: measureBareSession,
  });
  const name = `validate, ${size.sessions.toLocaleString("en")} sessions`;
  return [
    {
      name,
      unit: "/s",
      ours: ours.perSecond,
      other: { name: PEER, value: peer.perSecond },
      target: "≥ 5,000/s",
      isReached: ours.perSecond >= 5_000,
      note: `${latency(ours)}; ${PEER} ${latency(peer)}`,
    },
    {
      name: "validate, p99",
      unit: "ms",
      ours: ours.p99Ms,
      other: { name: PEER, value: peer.p99Ms },
      target: "≤ 5 ms",
      isReached: ours.p99Ms <= 5,
    },
    { name, unit: "/s", ours: ours.perSecond, other: { name: "bare node:http and a Map", value: bare } },
  ];
};

const measureArgon2 =
  (work: "hash" | "verify") =>
  async (seconds: number): Promise<number> =>
    (await measureBareArgon2(work, { seconds })).perSecond;

function hashRows(name: string, { ours, peer, bare }: Compared, target?: number): BenchRow[] {
  const ratio = ours.perSecond / bare;
  return [
    {
      name,
      unit: "/s",
      ours: ours.perSecond,
      other: { name: "argon2 alone on both cores", value: bare },
      ...(target === undefined ? {} : { target: `≥ ${target} of it`, isReached: ratio >= target }),
    },
    {
      name,
      unit: "/s",
      ours: ours.perSecond,
      other: { name: PEER, value: peer.perSecond },
      target: "ahead",
      isReached: ours.perSecond > peer.perSecond,
      note: `${latency(ours)}; ${PEER} (scrypt) ${latency(peer)}`,
    },
  ];
}

const benchSignIn: Bench = async (effort) => {
  const peer = (): Promise<AuthSide> => startBetterAuthSide(size);
  const compared = await compare("sign-in", {
    effort,
    connections: 8,
    peer,
    bare: measureArgon2("verify"),
  });
  return hashRows("sign-in, 8 connections", compared, 0.9);
};

const benchRegistration: Bench = async (effort) => {
  const peer = (): Promise<AuthSide> => startBetterAuthSide({ ...size, synchronous: "full" });
  const compared = await compare("registration", {
    effort,
    connections: 8,
    peer,
    bare: measureArgon2("hash"),
  });
  return hashRows("registration, durable", compared);
};

const benchRefresh: Bench = async (effort) => {
  const { ours, peer } = await compare("refresh", {
    effort,
    connections: 32,
    peer: () => startBetterAuthSide({ ...size, updateAgeSeconds: 0, synchronous: "full" }),
  });
  return [
    {
      name: "refresh, durable",
      unit: "/s",
      ours: ours.perSecond,
      other: { name: `${PEER}, renewing check`, value: peer.perSecond },
      target: "≥ 2,000/s",
      isReached: ours.perSecond >= 2_000,
      note: `${latency(ours)}; ${PEER} ${latency(peer)}`,
    },
  ];
};

/** Validates at a steady pace while sign-ins take all they can get. */
async function measureBeside(
  program: AuthProgram,
  seconds: number,
): Promise<{ p99Ms: number; signIns: number }> {
  const [signIns, checks] = await Promise.all([
    program.run("sign-in", { connections: 8, seconds, warmupSeconds: 1 }),
    program.run("validate", { connections: 8, seconds, warmupSeconds: 1, perSecond: 300 }),
  ]);
  return { p99Ms: checks.p99Ms, signIns: signIns.perSecond };
}

/** 200 people sign in at once, again and again: most are throttled. */
async function measureCrowd(program: AuthProgram, seconds: number): Promise<Record<string, number>> {
  await program.metrics(); // the longest delay is since the reading before
  const before = (await program.usage()).rssBytes;
  await program.resetPeak();
  const emails = Array.from({ length: size.accounts }, (_, n) => `person-${n}@example.org`);
  const result = await runLoad({
    url: `${program.url}/api/auth/login`,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ identifier: "{value}", password: PEER_PASSWORD }),
    values: emails,
    connections: 200,
    seconds,
  });
  return {
    growthMib: ((await program.usage()).peakBytes - before) / 1024 ** 2,
    signedIn: (result.statuses["200"] ?? 0) / seconds,
    refused: (result.statuses["503"] ?? 0) / seconds,
    delayMs: readMetric(await program.metrics(), "event_loop_delay_max_seconds") * 1_000,
  };
}

const benchLoad: Bench = async ({ seconds, rounds }) => {
  const program = await startAuthProgram(size);
  try {
    const beside: { p99Ms: number; signIns: number }[] = [];
    for (let round = 0; round < rounds; round += 1) beside.push(await measureBeside(program, seconds));
    const p99Ms = median(beside.map((each) => each.p99Ms));
    const signIns = median(beside.map((each) => each.signIns));
    const crowd = await measureCrowd(program, seconds);
    const of = (name: string): number => crowd[name] ?? Number.NaN;
    const people = `${of("signedIn").toFixed(0)} signed in and ${of("refused").toFixed(0)} told to come back each second`;
    return [
      {
        name: "validate beside sign-ins on both cores, p99",
        unit: "ms",
        ours: p99Ms,
        target: "≤ 20 ms",
        isReached: p99Ms <= 20,
        note: `${signIns.toFixed(0)} sign-ins/s meanwhile`,
      },
      {
        name: "200 parallel sign-ins, memory above before",
        unit: "MiB",
        ours: of("growthMib"),
        target: "≤ 150 MB",
        isReached: of("growthMib") * 1.048_576 <= 150,
        note: people,
      },
      { name: "200 parallel sign-ins, longest delay of the event loop", unit: "ms", ours: of("delayMs") },
    ];
  } finally {
    await program.stop();
  }
};

const benchStart: Bench = async ({ rounds }) => {
  const times: number[] = [];
  for (let round = 0; round < Math.min(3, rounds); round += 1) {
    const program = await startAuthProgram({ accounts: 100_000, sessions: 100_000 });
    times.push(program.startMs);
    await program.stop();
  }
  const startMs = median(times);
  return [
    {
      name: "start with 100,000 accounts and as many sessions",
      unit: "ms",
      ours: startMs,
      target: "≤ 1,000 ms",
      isReached: startMs <= 1_000,
    },
  ];
};

/** The auth center's cases by name. */
export const authBenches: Readonly<Record<string, Bench>> = {
  "auth-validate": benchValidate,
  "auth-sign-in": benchSignIn,
  "auth-refresh": benchRefresh,
  "auth-registration": benchRegistration,
  "auth-load": benchLoad,
  "auth-start": benchStart,
  "auth-enumeration": benchEnumeration,
};
