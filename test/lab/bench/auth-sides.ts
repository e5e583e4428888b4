/** The sides of the auth center's benchmarks: each does the same kinds of work and says what it cost. */
import { type Effort, median } from "./measure.ts";
import { type LoadOptions, type LoadResult, assertAll, runLoad } from "./load.ts";
import {
  type BetterAuthOptions,
  type ProcessUsage,
  installPeers,
  PEER_PASSWORD,
  resetPeak,
  startBetterAuth,
} from "./peer-process.ts";

/** Kinds of work: whose token is this, sign-in by password, a new account, a session made to last longer; the sign-in page and its form. */
export type AuthWork = "validate" | "sign-in" | "registration" | "refresh" | "page" | "form";

/** How a load of one kind is sent. */
export type AuthLoad = Pick<LoadOptions, "connections" | "seconds" | "warmupSeconds" | "perSecond">;

/** A server that does the work. */
export interface AuthSide {
  readonly name: string;
  /** @throws when an answer was not a success */
  run(work: AuthWork, load: AuthLoad): Promise<LoadResult>;
  usage(): Promise<ProcessUsage>;
  /** From here on `usage` measures the peak memory again. */
  resetPeak(): Promise<void>;
  stop(): Promise<void>;
}

/** A number for names that no run before has used. */
let runs = 0;

/**
 * better-auth as a side; installs it when it is not there. A refresh is a check that renews the session in the
 * database, the nearest that it has: it needs `updateAgeSeconds: 0`, and `synchronous: "full"` to be durable.
 */
export async function startBetterAuthSide(options: BetterAuthOptions): Promise<AuthSide> {
  await installPeers();
  const peer = await startBetterAuth(options);
  // From a cookie that is believed every session costs the same, and each has to be fetched first.
  const cookies = await peer.cookies(options.cookieCache === true ? 500 : options.sessions);
  const emails = Array.from({ length: options.accounts }, (_, n) => `person-${n}@example.org`);
  const check = { url: `${peer.url}/api/auth/get-session`, headers: { cookie: "{value}" }, values: cookies };
  const post = {
    method: "POST",
    headers: { origin: peer.url, "content-type": "application/json" },
  };
  const toRequests = (work: AuthWork): Omit<LoadOptions, keyof AuthLoad> => {
    if (work === "page" || work === "form") throw new Error("It has no pages");
    if (work === "validate") return check;
    if (work === "refresh") {
      if (options.updateAgeSeconds !== 0) throw new Error("A refresh needs updateAgeSeconds: 0");
      return check;
    }
    if (work === "sign-in") {
      const body = JSON.stringify({ email: "{value}", password: PEER_PASSWORD });
      return { ...post, url: `${peer.url}/api/auth/sign-in/email`, body, values: emails };
    }
    const person = { name: "New {n}", email: `new-${runs}-{n}@example.org`, password: PEER_PASSWORD };
    return { ...post, url: `${peer.url}/api/auth/sign-up/email`, body: JSON.stringify(person) };
  };
  return {
    name: `better-auth${options.cookieCache === true ? ", cookie cache" : ""}`,
    run: async (work, load) => {
      runs += 1;
      return assertAll(await runLoad({ ...toRequests(work), ...load }), 200);
    },
    usage: () => peer.usage(),
    resetPeak: () => resetPeak(peer.pid),
    stop: () => peer.stop(),
  };
}

/** Medians over the rounds of one side. */
export interface SideResult extends Pick<LoadResult, "perSecond" | "p50Ms" | "p99Ms" | "clientCpuShare"> {
  /** CPU time of the server for one request: other work on the machine hardly changes it. */
  readonly cpuMicrosecondsEach: number;
}

async function measureOnce(side: AuthSide, work: AuthWork, load: AuthLoad): Promise<SideResult> {
  const before = await side.usage();
  const result = await side.run(work, load);
  const after = await side.usage();
  const answers = Object.values(result.statuses).reduce((sum, count) => sum + count, 0); // also of the warm-up
  return { ...result, cpuMicrosecondsEach: (after.cpuMicroseconds - before.cpuMicroseconds) / answers };
}

/** The load of a comparison; `beside` is what else takes its turn in each round. */
interface InTurn {
  readonly work: AuthWork;
  readonly connections: number;
  readonly effort: Effort;
  readonly beside?: () => Promise<void>;
}

/** The same load on each side in turn, `rounds` times; the results are in the order of the sides. */
export async function runInTurn(
  sides: readonly AuthSide[],
  { work, connections, effort, beside }: InTurn,
): Promise<SideResult[]> {
  const results = sides.map((): SideResult[] => []);
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const [index, side] of sides.entries())
      results[index]?.push(
        await measureOnce(side, work, { connections, seconds: effort.seconds, warmupSeconds: 1 }),
      );
    await beside?.();
  }
  return results.map((rounds) => {
    const of = (name: keyof SideResult): number => median(rounds.map((round) => round[name]));
    return {
      perSecond: of("perSecond"),
      p50Ms: of("p50Ms"),
      p99Ms: of("p99Ms"),
      clientCpuShare: of("clientCpuShare"),
      cpuMicrosecondsEach: of("cpuMicrosecondsEach"),
    };
  });
}
