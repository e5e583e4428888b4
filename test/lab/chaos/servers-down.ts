/** PostgreSQL, or NATS, is away for half a minute under load. */
import type { ServiceName } from "../../../src/config.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { shopCollections } from "../../../src/shop/records.ts";
import { openPostgresStore } from "../../../src/store/postgres/postgres-store.ts";
import { startNatsServer, NO_NATS, type NatsServer } from "../../support/nats-server.ts";
import { startPostgresServer } from "../../support/postgres-server.ts";
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

async function stopPostgres(around: Surroundings): Promise<Found> {
  const server = await startPostgresServer();
  around.onEnd(() => server.stop());
  const databaseUrl = await createDatabaseOn(server.url);
  const subject = await createSubject(around, { services: SERVICES, env: { DATABASE_URL: databaseUrl } });
  const life = await subject.start();
  const traffic = createTraffic(subject, SERVICES);
  await traffic.prepare();
  traffic.start();
  await pause(1_500);
  const outageMs = around.isQuick ? 8_000 : 30_000;
  await server.kill();
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
  await server.start();
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
    done: `PostgreSQL killed under load, back after ${toSeconds(outageMs)}`,
    acknowledged: books.acknowledged,
    found: `${toFound(all)}; ${refusals} refusals in ${toSeconds(slowestMs)} at most, all services back ${toSeconds(backMs ?? Number.NaN)} after it; no half order`,
  };
}

async function stopPostgresOfCareless(around: Surroundings): Promise<Found> {
  const server = await startPostgresServer({ fast: true });
  around.onEnd(() => server.stop());
  const { url } = await startCareless(around, "postgres", { address: server.url });
  await server.kill();
  const limitMs = around.within(REFUSAL_LIMIT_MS);
  const problems = judgeRefusal(await ask(url, { limitMs: limitMs + 1_000 }), {
    name: "while away",
    limitMs,
  });
  await server.start();
  const isBack = async (): Promise<boolean> => (await ask(url)).status === 200;
  if ((await waitFor(isBack, { limitMs: 3_000 })) === undefined) problems.push("not back in 3.0 s");
  return {
    isKept: problems.length === 0,
    done: "PostgreSQL killed",
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

async function stopNats(around: Surroundings): Promise<Found> {
  const nats = await startNats(around);
  const env = { DATABASE_URL: await createDatabase(around), NATS_URL: nats.url };
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
  await nats.kill();
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
  await nats.start();
  const backMs = await waitFor(() => busIs("ok"), { limitMs: around.within(RECOVERY_MS) });
  if (backMs === undefined) problems.add(`the bus is not back in ${toSeconds(RECOVERY_MS)}`);
  await Promise.all([monitor.stop(), others.stop()]);
  const books = [await monitor.audit(), await others.audit()];
  const { disconnects = 0, viewers } = monitor.result() ?? {};
  if (disconnects > 0 || (viewers?.disconnects ?? 0) > 0) problems.add("an agent or a viewer was cut off");
  const all = [...problems, ...books.flatMap((one) => one.problems)];
  return {
    isKept: all.length === 0,
    done: `NATS killed under load, back after ${toSeconds(outageMs)}`,
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

/** PostgreSQL away. */
export const postgresDown: ChaosCase = {
  name: "postgres-down",
  promise: "PostgreSQL down 30 s: 503 and Retry-After in 2 s, back within 10 s, no half orders",
  parts: [
    { name: "all services", run: stopPostgres },
    { name: "one connection, never made anew", isControl: true, run: stopPostgresOfCareless },
  ],
};

/** NATS away. */
export const natsDown: ChaosCase = {
  name: "nats-down",
  promise: "NATS down 30 s: every process goes on with what it has and says degraded, back within 10 s",
  parts: [
    { name: "all services", run: stopNats },
    { name: "a connection that is never made anew", isControl: true, run: stopNatsOfCareless },
  ],
};
