/** Targets that a monitor checks, and jobs that ping it: both on this machine, with books of their own. */
import { Agent, createServer, request } from "node:http";
import { once } from "node:events";
import { type Latencies, createLatencies } from "./latencies.ts";

export interface WatchedPlace {
  /** HTTP address of the monitor. */
  readonly url: string;
  readonly adminToken: string | undefined;
}

export interface WatchedOptions extends WatchedPlace {
  /** Checks, each tried once a minute. */
  readonly checks: number;
  /** Pings a minute. */
  readonly heartbeats: number;
}

/** One check and what is known of it here. */
export interface WatchedCheck {
  readonly id: string;
  /** Requests that its target answered. */
  tries: number;
}

/** One heartbeat. */
export interface WatchedJob {
  readonly id: string;
  readonly pingKey: string;
  /** Pings that the monitor acknowledged. */
  acknowledged: number;
}

export interface WatchedTotals {
  readonly tries: number;
  readonly pings: number;
  readonly acknowledged: number;
  /** Pings with another answer than 200, or none. */
  readonly failed: number;
  readonly pingMs: { readonly p50: number | null; readonly p99: number | null };
  /** From a target's going down to the monitor's "down", milliseconds; null before. */
  readonly downAfterMs: number | null;
  /** The same to the alert. */
  readonly alertAfterMs: number | null;
}

export interface Watched {
  readonly checks: readonly WatchedCheck[];
  readonly jobs: readonly WatchedJob[];
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Lets the target of one check answer 500 from now on, and notes when the monitor knows it. */
  breakOne(): void;
  totals(): WatchedTotals;
  /** Sends no more pings; resolves when those under way are answered. */
  quiet(): Promise<void>;
  stop(): Promise<void>;
}

/** A job pings every 6 s, so that a tenth as many heartbeats are made as are pinged a minute. */
const PINGS_OF_JOB = 10;
const AT_ONCE = 8;
const TICK_MS = 20;
const LOOK_MS = 500;
const MINUTE_MS = 60_000;
/** Of one check that breaks: told with the first failure, so that its interval is all that is waited for. */
const BROKEN = 0;

function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

async function ask({ url, adminToken = "" }: WatchedPlace, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", "x-admin-token": adminToken },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`"${path}" answered ${response.status}: ${text.slice(0, 200)}`);
  return JSON.parse(text);
}

async function makeAll<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  let next = 0;
  async function work(): Promise<void> {
    while (next < count) {
      const index = next;
      next += 1;
      made[index] = await make(index);
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, work));
  return made;
}

async function startTargets(checks: readonly WatchedCheck[], isBroken: (index: number) => boolean) {
  const server = createServer((message, response) => {
    const index = Number(message.url?.slice(1));
    const check = checks[index];
    if (check !== undefined) check.tries += 1;
    message.resume();
    response.statusCode = isBroken(index) ? 500 : 200;
    response.end("ok");
  });
  server.keepAliveTimeout = 1_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { server, url: `http://127.0.0.1:${port}` };
}

/** Sends pings at an even pace over a few connections. */
function startJobs(jobs: readonly WatchedJob[], { url, heartbeats }: WatchedOptions, latencies: Latencies) {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const counts = { sent: 0, failed: 0, open: 0 };
  const beganMs = performance.now();

  function ping(job: WatchedJob): void {
    const startMs = performance.now();
    counts.sent += 1;
    counts.open += 1;
    const done = (isGood: boolean): void => {
      counts.open -= 1;
      if (isGood) {
        job.acknowledged += 1;
        latencies.add(performance.now() - startMs);
      } else counts.failed += 1;
    };
    const path = `/ping/${job.pingKey}`;
    const sent = request({ agent, hostname, port, path, method: "POST", timeout: 30_000 }, (response) => {
      response.resume();
      response.on("end", () => done(response.statusCode === 200));
    });
    sent.on("timeout", () => sent.destroy(new Error("No answer")));
    sent.on("error", () => done(false));
    sent.end("Backup of 12 GB");
  }

  let isQuiet = jobs.length === 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - beganMs) / MINUTE_MS) * heartbeats;
    while (!isQuiet && counts.sent < due) {
      const job = jobs[counts.sent % jobs.length];
      if (job !== undefined) ping(job);
    }
  }, TICK_MS);
  return {
    counts,
    async quiet(): Promise<void> {
      isQuiet = true;
      clearInterval(timer);
      while (counts.open > 0) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    },
    stop: () => agent.destroy(),
  };
}

/** Creates the checks and heartbeats, their targets and jobs. The monitor must allow private addresses. */
export async function startWatched(options: WatchedOptions): Promise<Watched> {
  const checks: WatchedCheck[] = [];
  const startedAt = Date.now();
  let brokenMs: number | undefined;
  const targets = await startTargets(checks, (index) => brokenMs !== undefined && index === BROKEN);
  const made = await makeAll(options.checks, (index) =>
    ask(options, "/api/admin/checks", {
      name: `fleet-${index + 1}`,
      group: "fleet",
      intervalSeconds: 60,
      failures: index === BROKEN ? 1 : 2,
      target: { kind: "http", url: `${targets.url}/${index}` },
    }),
  );
  checks.push(...made.map((check) => ({ id: String(member(check, "id")), tries: 0 })));
  const jobs = await makeAll(
    Math.ceil(options.heartbeats / PINGS_OF_JOB),
    async (index): Promise<WatchedJob> => {
      const target = { kind: "heartbeat", schedule: { type: "period", seconds: 60 }, graceSeconds: 60 };
      const job = await ask(options, "/api/admin/checks", {
        name: `job-${index + 1}`,
        group: "jobs",
        target,
      });
      return { id: String(member(job, "id")), pingKey: String(member(job, "pingKey")), acknowledged: 0 };
    },
  );
  const latencies = createLatencies();
  const running = startJobs(jobs, options, latencies);
  const after: { down: number | null; alert: number | null } = { down: null, alert: null };
  let looking: ReturnType<typeof setInterval> | undefined;

  async function look(id: string, sinceMs: number): Promise<void> {
    const check = await ask(options, `/api/admin/checks/${id}`);
    const nowMs = Math.round(performance.now() - sinceMs);
    if (member(member(check, "standing"), "state") === "down") after.down ??= nowMs;
    const alerts = member(await ask(options, "/api/admin/alerts"), "firing");
    const isTold = Array.isArray(alerts) && JSON.stringify(alerts).includes(id);
    if (isTold) after.alert ??= nowMs;
  }

  return {
    checks,
    jobs,
    startedAt,
    breakOne() {
      const [broken] = checks;
      if (broken === undefined || brokenMs !== undefined) return;
      const sinceMs = performance.now();
      brokenMs = sinceMs;
      looking = setInterval(() => {
        if (after.alert === null) look(broken.id, sinceMs).catch(() => undefined);
      }, LOOK_MS);
    },
    totals: () => ({
      tries: checks.reduce((sum, { tries }) => sum + tries, 0),
      pings: running.counts.sent,
      acknowledged: jobs.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
      failed: running.counts.failed,
      pingMs: { p50: latencies.quantile(0.5), p99: latencies.quantile(0.99) },
      downAfterMs: after.down,
      alertAfterMs: after.alert,
    }),
    quiet: () => running.quiet(),
    async stop() {
      clearInterval(looking);
      running.stop();
      targets.server.closeAllConnections();
      await new Promise<void>((resolve) => targets.server.close(() => resolve()));
    },
  };
}

/** What the monitor has of what was acknowledged and tried. */
export interface WatchedVerification {
  /** Pings acknowledged of which the monitor has no trace, and pings that it counted beyond them. */
  readonly pingsMissing: number;
  readonly pingsSurplus: number;
  /** Tries that targets answered, of which the history has no result; undefined once the raw tier has passed on. */
  readonly triesMissing: number | undefined;
}

async function countMissingTries(
  options: WatchedPlace,
  { checks, startedAt }: Pick<Watched, "checks" | "startedAt">,
): Promise<number | undefined> {
  const query = `from=${startedAt}&to=${Date.now()}&points=1000`;
  const missing = await makeAll(checks.length, async (index) => {
    const { id = "", tries = 0 } = checks[index] ?? {};
    const items = member(await ask(options, `/api/admin/checks/${id}/history?${query}`), "items");
    const series: unknown[] = Array.isArray(items) ? items : [];
    const up = series.find((each) => member(each, "metric") === "check.upPercent");
    const points = member(up, "points");
    if (member(up, "tier") !== "raw" || !Array.isArray(points)) return undefined;
    return Math.max(0, tries - points.length);
  });
  return missing.reduce<number | undefined>(
    (sum, each) => (sum === undefined || each === undefined ? undefined : sum + each),
    0,
  );
}

/** Asks the monitor for its counts. Heartbeats must be new: their numbers begin with 1. */
export async function verifyWatched(
  options: WatchedPlace,
  watched: Pick<Watched, "checks" | "jobs" | "startedAt">,
): Promise<WatchedVerification> {
  const { jobs } = watched;
  const counted = await makeAll(jobs.length, async (index) => {
    const page = await ask(options, `/api/admin/checks/${jobs[index]?.id}/pings?limit=1`);
    const items = member(page, "items");
    const newest = Array.isArray(items) ? member(items[0], "number") : undefined;
    return typeof newest === "number" ? newest : 0;
  });
  let [pingsMissing, pingsSurplus] = [0, 0];
  for (const [index, { acknowledged }] of jobs.entries()) {
    const difference = acknowledged - (counted[index] ?? 0);
    if (difference > 0) pingsMissing += difference;
    else pingsSurplus -= difference;
  }
  return { pingsMissing, pingsSurplus, triesMissing: await countMissingTries(options, watched) };
}
