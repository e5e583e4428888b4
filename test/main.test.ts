/** The whole program as a person starts it: processes, ports, signals, files; on the runtime that runs this test. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, it } from "node:test";
import { runFleet } from "./lab/fleet/run.ts";
import { verifyFleet } from "./lab/fleet/verify.ts";
import { createTestDatabase } from "./support/postgres.ts";
import { type Programs, createPrograms, terminate } from "./support/program.ts";

const TOKEN = "a-token-for-this-suite";

describe("the program", () => {
  let programs: Programs;
  let folder: string;

  beforeEach(async () => {
    programs = await createPrograms(["monitor"]);
    ({ folder } = programs);
  });
  afterEach(() => programs.dispose());

  const run: Programs["run"] = (env, args) => programs.run(env, args);
  const ports: Programs["ports"] = (program) => programs.ports(program);

  it("creates the data folder and a token at the first start, writes the token to a file and not to a log, and stops with 0 at SIGTERM", async () => {
    const first = run({}, []);
    const { http } = await ports(first);
    const file = join(folder, "data/first-admin-token");
    const token = (await readFile(file, "utf8")).trim();
    assert.match(token, /^adm_[\w-]{43}$/u);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.ok(first.output().includes(file) && !first.output().includes(token));
    const headers = { "x-admin-token": token };
    assert.equal((await fetch(`http://127.0.0.1:${http}/api/admin/servers`, { headers })).status, 200);
    const auth = await programs.authUrl(first);
    assert.equal((await fetch(`${auth}/api/admin/users`, { headers })).status, 200);
    assert.equal((await stat(join(folder, "data"))).mode & 0o777, 0o700);
    assert.ok(!(await readFile(join(folder, "data/admin-token.json"), "utf8")).includes(token));
    terminate(first);
    assert.equal(await first.ended, 0);
    const second = run();
    await ports(second);
    assert.ok(!/adm_/u.test(second.output()));
  });

  for (const variable of ["MONITOR_PORT", "GRPC_PORT"]) {
    it(`says that ${variable} is taken, and leaves nothing locked`, async () => {
      const other = createServer().listen(0, "127.0.0.1");
      await once(other, "listening");
      const address = other.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      try {
        const program = run({ [variable]: String(port) });
        assert.equal(await program.ended, 1);
        assert.match(program.output(), new RegExp(`${port}.*: another program uses this port`, "u"));
      } finally {
        other.close();
      }
      await ports(run());
    });
  }

  it("refuses a data folder that another process uses, and names the process", async () => {
    const first = run();
    await ports(first);
    const second = run();
    assert.equal(await second.ended, 1);
    assert.match(second.output(), new RegExp(`in use by process ${first.child.pid}`, "u"));
    assert.equal(first.child.exitCode, null);
  });

  /** A fleet of 12 agents, ten reports a second each, until it is stopped. */
  function load(places: { http: number; grpc: number }, signal: AbortSignal): ReturnType<typeof runFleet> {
    return runFleet({
      agents: 12,
      seconds: 50,
      intervalMs: 100,
      viewers: 1,
      server: `127.0.0.1:${places.grpc}`,
      url: `http://127.0.0.1:${places.http}`,
      adminToken: TOKEN,
      mode: "delta",
      connections: 3,
      signal,
    });
  }

  /** Resolves when the program that listens on `http` has stored so many reports since its start. */
  async function reach(http: number, count: number): Promise<void> {
    for (let stored = 0; stored < count; await new Promise((resolve) => setTimeout(resolve, 20))) {
      const headers = { "x-admin-token": TOKEN };
      const text = await (await fetch(`http://127.0.0.1:${http}/metrics`, { headers })).text();
      stored = Number(/trivet_reports_total\{result="stored"\} (\d+)/u.exec(text)?.[1] ?? 0);
    }
  }

  async function assertNothingLost(
    http: number,
    result: Awaited<ReturnType<typeof runFleet>>,
  ): Promise<void> {
    const url = `http://127.0.0.1:${http}`;
    assert.deepEqual([result.lost, result.waiting], [0, 0]);
    const { checked, missing, surplus } = await verifyFleet({
      url,
      adminToken: TOKEN,
      accounts: result.accounts,
    });
    assert.deepEqual({ checked, missing, surplus }, { checked: 12, missing: 0, surplus: 0 });
  }

  async function surviveKill(more: Record<string, string>): Promise<void> {
    const env = { ADMIN_TOKEN: TOKEN, LOG_LEVEL: "warn", ...more };
    const first = run(env);
    const places = await ports(first);
    const stop = new AbortController();
    const fleet = load(places, stop.signal);
    await reach(places.http, 100);
    first.child.kill("SIGKILL");
    await first.ended;
    await ports(run({ ...env, MONITOR_PORT: String(places.http), GRPC_PORT: String(places.grpc) }));
    await reach(places.http, 150);
    stop.abort();
    const result = await fleet;
    assert.ok(result.acknowledged >= 250);
    await assertNothingLost(places.http, result);
  }

  it("killed with -9 under load loses nothing that it acknowledged, and takes the rest once", () =>
    surviveKill({}));

  it("killed with -9 under load loses nothing with its records in PostgreSQL either", async () => {
    const database = await createTestDatabase();
    try {
      await surviveKill({ DATABASE_URL: database.url });
    } finally {
      await programs.dispose();
      await database.drop();
    }
  });

  // Only there the gRPC listener is a process of its own.
  if ("deno" in process.versions) {
    it("goes on when its gRPC process is killed under load: HTTP answers, agents come back, nothing is lost", async () => {
      const program = run({ ADMIN_TOKEN: TOKEN });
      const places = await ports(program);
      const pid = Number((await program.find(/The gRPC process (\d+) listens/u))[1]);
      const stop = new AbortController();
      const fleet = load(places, stop.signal);
      await reach(places.http, 100);
      process.kill(pid, "SIGABRT");
      assert.equal((await fetch(`http://127.0.0.1:${places.http}/api/servers`)).status, 200);
      await program.find(/The gRPC process \d+ listens[\s\S]*The gRPC process \d+ listens/u);
      await reach(places.http, 300);
      stop.abort();
      const result = await fleet;
      assert.ok(result.disconnects >= 12);
      await assertNothingLost(places.http, result);
    });
  }
});
