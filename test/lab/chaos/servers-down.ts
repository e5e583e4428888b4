/** PostgreSQL, or NATS, is away for half a minute under load: killed, suspended, or behind a network that swallows. */
import type { ServiceName } from "../../../src/kit/services.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { openPostgresStore } from "../../../src/store/postgres/postgres-store.ts";
import { startNatsServer, NO_NATS, type NatsServer } from "../../support/nats-server.ts";
import { type PostgresServer, startPostgresServer } from "../../support/postgres-server.ts";
import { assertConsistent } from "../../shop/race-checks.ts";
import { ADMIN_TOKEN } from "../../shop/kill-load.ts";
import { startCareless } from "./careless.ts";
import {
  type ChaosCase,
  type Found,
  type Surroundings,
  NotPossible,
  pause,
  toSeconds,
  waitFor,
} from "./case.ts";
import { createDatabase, createDatabaseOn } from "./database.ts";
import { type Answer, ask, textAt } from "./requests.ts";
import { openSilentProxy } from "./silent-proxy.ts";
import { createSubject, isHealthy } from "./subject.ts";
import { createMonitorTraffic, createTraffic, toFound } from "./traffic.ts";

const SERVICES: readonly ServiceName[] = ["monitor", "auth", "shop"];
const REFUSAL_LIMIT_MS = 2_000;
const RECOVERY_MS = 10_000;

let written = 0;

/** Changes something in a service. */
function write(url: string, service: ServiceName): Promise<Answer> {
  written += 1;
  const headers = { "x-admin-token": ADMIN_TOKEN };
  const name = `probe-${written}`;
  const product = { title: name, price: 1, status: "draft", deliveryType: "manual" };
  const person = { username: name, email: `${name}@example.org`, password: "correct horse battery staple" };
  if (service === "monitor")
    return ask(`${url}/api/admin/servers`, { method: "POST", headers, body: { name } });
  if (service === "auth") return ask(`${url}/api/admin/users`, { method: "POST", headers, body: person });
  return ask(`${url}/api/admin/products`, { method: "POST", headers, body: product });
}

/** What is wrong with a refusal. */
function judgeRefusal(
  { status, ms, headers }: Answer,
  { name, limitMs }: { name: string; limitMs: number },
): string[] {
  if (status !== 503) return [`${name}: a write answered ${status === 0 ? "nothing" : status}`];
  const hasHint = headers.get("retry-after") !== null;
  const isSoon = ms <= limitMs;
  return [
    ...(hasHint ? [] : [`${name}: 503 without Retry-After`]),
    ...(isSoon ? [] : [`${name}: 503 after ${toSeconds(ms)}`]),
  ];
}

async function assertShop(url: string): Promise<string[]> {
  const store = await openPostgresStore({ url, name: "shop", collections: shopCollections, log: silentLog });
  try {
    await assertConsistent(store);
    return [];
  } catch (error) {
    return [String(error)];
  } finally {
    await store.close();
  }
}

/** How a server is away. */
interface Outage {
  /** Where the programs find it. */
  readonly url: string;
  readonly down: () => unknown;
  readonly up: () => unknown;
}

/** What both servers can be made to do. */
type Harmed = Pick<PostgresServer, "url" | "kill" | "start" | "suspend" | "resume">;
type OutageKind = "killed" | "suspended" | "behind a network that swallows";

async function toOutage(around: Surroundings, server: Harmed, kind: OutageKind): Promise<Outage> {
  const { url } = server;
  if (kind === "killed") return { url, down: () => server.kill(), up: () => server.start() };
  if (kind === "suspended") {
    // A suspended server would not hear that it is to stop.
    around.onEnd(() => server.resume());
    return { url, down: () => server.suspend(), up: () => server.resume() };
  }
  const proxied = new URL(url);
  const proxy = await openSilentProxy(around, proxied.host);
  proxied.host = proxy.address;
  return { url: proxied.href, down: () => proxy.silence(), up: () => proxy.repair() };
}

/** Its methods by themselves: a server is an object of a class. */
function toHarmed(server: Harmed): Harmed {
  return {
    url: server.url,
    kill: () => server.kill(),
    start: () => server.start(),
    suspend: () => server.suspend(),
    resume: () => server.resume(),
  };
}

async function stopPostgres(around: Surroundings, kind: OutageKind): Promise<Found> {
  const server = await startPostgresServer();
  around.onEnd(() => server.stop());
  const databaseUrl = await createDatabaseOn(server.url);
  const outage = await toOutage(around, { ...toHarmed(server), url: databaseUrl }, kind);
  const subject = await createSubject(around, { services: SERVICES, env: { DATABASE_URL: outage.url } });
  const life = await subject.start();
  const traffic = createTraffic(subject, SERVICES);
  await traffic.prepare();
  traffic.start();
  await pause(1_500);
  const outageMs = around.isQuick ? 8_000 : 30_000;
  await outage.down();
  const endMs = performance.now() + outageMs;
  const limitMs = around.within(REFUSAL_LIMIT_MS);
  const problems = new Set<string>();
  let slowestMs = 0;
  let refusals = 0;
  while (performance.now() < endMs) {
    const answers = await Promise.all(SERVICES.map((name) => write(subject.url(name), name)));
    for (const [index, answer] of answers.entries()) {
      for (const problem of judgeRefusal(answer, { name: SERVICES[index] ?? "", limitMs }))
        problems.add(problem);
      slowestMs = Math.max(slowestMs, answer.ms);
      refusals += answer.status === 503 ? 1 : 0;
    }
    await pause(500);
  }
  await outage.up();
  const isBack = async (): Promise<boolean> => {
    const answers = await Promise.all(SERVICES.map((name) => write(subject.url(name), name)));
    const health = await Promise.all(SERVICES.map((name) => isHealthy(subject.url(name))));
    return answers.every(({ status }) => status === 201) && health.every(Boolean);
  };
  const backMs = await waitFor(isBack, { limitMs: around.within(RECOVERY_MS) });
  if (backMs === undefined) problems.add(`not back in ${toSeconds(RECOVERY_MS)}`);
  await pause(1_000);
  await traffic.stop();
  const books = await traffic.audit();
  const { code } = await life.terminate();
  if (code !== 0) problems.add(`ended with ${code}`);
  const all = [...problems, ...books.problems, ...(await assertShop(databaseUrl))];
  return {
    isKept: all.length === 0,
    done: `PostgreSQL ${kind} under load, back after ${toSeconds(outageMs)}`,
    acknowledged: books.acknowledged,
    found: `${toFound(all)}; ${refusals} refusals in ${toSeconds(slowestMs)} at most, all services back ${toSeconds(backMs ?? Number.NaN)} after it; no half order`,
  };
}

async function stopPostgresOfCareless(around: Surroundings, kind: OutageKind): Promise<Found> {
  const server = await startPostgresServer({ fast: true });
  around.onEnd(() => server.stop());
  const outage = await toOutage(around, toHarmed(server), kind);
  const { url } = await startCareless(around, "postgres", { address: outage.url });
  await outage.down();
  const limitMs = around.within(REFUSAL_LIMIT_MS);
  const problems = judgeRefusal(await ask(url, { limitMs: limitMs + 1_000 }), {
    name: "while away",
    limitMs,
  });
  await outage.up();
  const isBack = async (): Promise<boolean> => (await ask(url)).status === 200;
  if ((await waitFor(isBack, { limitMs: 3_000 })) === undefined) problems.push("not back in 3.0 s");
  return {
    isKept: problems.length === 0,
    done: `PostgreSQL ${kind}`,
    acknowledged: "",
    found: problems.join("; "),
  };
}

async function startNats(around: Surroundings): Promise<NatsServer> {
  const server = await startNatsServer();
  if (server === undefined) throw new NotPossible(NO_NATS);
  around.onEnd(() => server.stop());
  return server;
}

async function stopNats(around: Surroundings, kind: OutageKind): Promise<Found> {
  const nats = await startNats(around);
  const outage = await toOutage(around, toHarmed(nats), kind);
  const env = { DATABASE_URL: await createDatabase(around), NATS_URL: outage.url };
  const subject = await createSubject(around, { services: SERVICES, env });
  await subject.start();
  const monitor = createMonitorTraffic(subject);
  const others = createTraffic(subject, ["auth", "shop"]);
  await monitor.prepare();
  await others.prepare();
  monitor.start();
  others.start();
  await pause(1_500);
  const problems = new Set<string>();
  const busIs = async (wanted: "ok" | "failing"): Promise<boolean> => {
    const answers = await Promise.all(SERVICES.map((name) => ask(`${subject.url(name)}/api/health`)));
    return answers.every(
      ({ status, json }) => status === 200 && textAt(json, "checks", "bus", "status") === wanted,
    );
  };
  if (!(await busIs("ok"))) problems.add("health was not ok before");
  const outageMs = around.isQuick ? 6_000 : 30_000;
  await outage.down();
  const degradedMs = await waitFor(() => busIs("failing"), { limitMs: around.within(RECOVERY_MS) });
  if (degradedMs === undefined) problems.add("health says nothing of it");
  const endMs = performance.now() + outageMs;
  let slowestMs = 0;
  while (performance.now() < endMs) {
    for (const name of SERVICES) {
      const { status, ms } = await write(subject.url(name), name);
      slowestMs = Math.max(slowestMs, ms);
      if (status !== 201) problems.add(`${name}: a write answered ${status}`);
    }
    await pause(300);
  }
  if (slowestMs > around.within(REFUSAL_LIMIT_MS)) problems.add(`a write took ${toSeconds(slowestMs)}`);
  await outage.up();
  const backMs = await waitFor(() => busIs("ok"), { limitMs: around.within(RECOVERY_MS) });
  if (backMs === undefined) problems.add(`the bus is not back in ${toSeconds(RECOVERY_MS)}`);
  await Promise.all([monitor.stop(), others.stop()]);
  const books = [await monitor.audit(), await others.audit()];
  const { disconnects = 0, viewers } = monitor.result() ?? {};
  if (disconnects > 0 || (viewers?.disconnects ?? 0) > 0) problems.add("an agent or a viewer was cut off");
  const all = [...problems, ...books.flatMap((one) => one.problems)];
  return {
    isKept: all.length === 0,
    done: `NATS ${kind} under load, back after ${toSeconds(outageMs)}`,
    acknowledged: books.map(({ acknowledged }) => acknowledged).join("; "),
    found: `${toFound(all)}; writes go on (${toSeconds(slowestMs)} at most), agents and viewer stay, health degraded; bus back ${toSeconds(backMs ?? Number.NaN)} after it`,
  };
}

async function stopNatsOfCareless(around: Surroundings): Promise<Found> {
  const nats = await startNats(around);
  const { url } = await startCareless(around, "nats", { address: nats.url });
  await nats.kill();
  await nats.start();
  const isBack = async (): Promise<boolean> => (await ask(url, { limitMs: 1_000 })).status === 200;
  const backMs = await waitFor(isBack, { limitMs: 3_000 });
  const found = backMs === undefined ? "not back in 3.0 s" : `back after ${toSeconds(backMs)}`;
  return { isKept: backMs !== undefined, done: "NATS killed", acknowledged: "", found };
}

/** Its health never says that the server is silent. */
async function hangNatsOfCareless(around: Surroundings): Promise<Found> {
  const nats = await startNats(around);
  const { url } = await startCareless(around, "nats", { address: nats.url });
  around.onEnd(() => nats.resume());
  nats.suspend();
  const isNoticed = async (): Promise<boolean> => (await ask(url, { limitMs: 1_000 })).status === 503;
  const limitMs = around.within(RECOVERY_MS);
  const noticedMs = await waitFor(isNoticed, { limitMs });
  const found =
    noticedMs === undefined ? "health says nothing of it" : `noticed after ${toSeconds(noticedMs)}`;
  return { isKept: noticedMs !== undefined, done: "NATS suspended", acknowledged: "", found };
}

/** PostgreSQL away. */
export const postgresDown: ChaosCase = {
  name: "postgres-down",
  promise: "PostgreSQL down 30 s: 503 and Retry-After in 2 s, back within 10 s, no half orders",
  parts: [
    { name: "all services", run: (around) => stopPostgres(around, "killed") },
    {
      name: "one connection, never made anew",
      isControl: true,
      run: (around) => stopPostgresOfCareless(around, "killed"),
    },
  ],
};

/** NATS away. */
export const natsDown: ChaosCase = {
  name: "nats-down",
  promise: "NATS down 30 s: every process goes on with what it has and says degraded, back within 10 s",
  parts: [
    { name: "all services", run: (around) => stopNats(around, "killed") },
    { name: "a connection that is never made anew", isControl: true, run: stopNatsOfCareless },
  ],
};

/** PostgreSQL that hangs. */
export const postgresHangs: ChaosCase = {
  name: "postgres-hangs",
  promise: "PostgreSQL silent 30 s, its connections open: the same as when it is down",
  parts: [
    { name: "all services, SIGSTOP", run: (around) => stopPostgres(around, "suspended") },
    {
      name: "all services, swallowed bytes",
      isLong: true,
      run: (around) => stopPostgres(around, "behind a network that swallows"),
    },
    {
      name: "one connection without a limit of time",
      isControl: true,
      run: (around) => stopPostgresOfCareless(around, "suspended"),
    },
  ],
};

/** NATS that hangs. */
export const natsHangs: ChaosCase = {
  name: "nats-hangs",
  promise: "NATS silent 30 s, its connections open: the same as when it is down",
  parts: [
    { name: "all services, SIGSTOP", run: (around) => stopNats(around, "suspended") },
    {
      name: "all services, swallowed bytes",
      isLong: true,
      run: (around) => stopNats(around, "behind a network that swallows"),
    },
    { name: "a connection that pings nobody", isControl: true, run: hangNatsOfCareless },
  ],
};
