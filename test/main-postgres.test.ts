/** The whole program on PostgreSQL: two processes on one database, and a database that goes and comes back. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import pg from "pg";
import { sealFrame } from "../src/store/series/samples/frames.ts";
import { startPostgresServer, type PostgresServer } from "./support/postgres-server.ts";
import { type Programs, createPrograms, terminate } from "./support/program.ts";
import { eventually } from "./support/eventually.ts";

const TOKEN = "a-token-for-this-suite";

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** Calls one process as administrator, or as a visitor, who does not see hidden servers. */
function createCaller(http: number) {
  return async (method: string, path: string, body?: unknown, as = "administrator"): Promise<Answer> => {
    const response = await fetch(`http://127.0.0.1:${http}${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        ...(as === "administrator" ? { "x-admin-token": TOKEN } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed: unknown = text === "" ? {} : JSON.parse(text);
    return { status: response.status, headers: response.headers, body: parsed as Record<string, unknown> };
  };
}

function publicNames({ body }: Answer): unknown[] {
  const servers = body["items"];
  return Array.isArray(servers) ? servers.map((server: { name: string }) => server.name) : [];
}

describe("the program on PostgreSQL", () => {
  let programs: Programs;
  let server: PostgresServer;

  beforeEach(async () => {
    programs = await createPrograms(["monitor"]);
    server = await startPostgresServer();
  });
  afterEach(async () => {
    await programs.dispose();
    await server.stop();
  });

  /** A process with a data folder of its own. */
  async function startNode(name: string): Promise<ReturnType<typeof createCaller>> {
    const program = programs.run({
      DATABASE_URL: server.url,
      ADMIN_TOKEN: TOKEN,
      MONITOR_SECRET: "one secret for all processes of the suite",
      DATA_DIR: join(programs.folder, name),
    });
    return createCaller((await programs.ports(program)).http);
  }

  it("shows what one process changes in the other: servers, order, settings, sessions, the audit", async () => {
    const [a, b] = await Promise.all([startNode("a"), startNode("b")]);
    const list = (): Promise<Answer> => b("GET", "/api/servers", undefined, "everybody");
    for (const id of ["one", "two"]) {
      assert.equal((await a("POST", "/api/admin/servers", { id, name: `Server ${id}` })).status, 201);
    }
    await eventually(async () => publicNames(await list()).join() === "Server one,Server two");
    await b("PUT", "/api/admin/servers/reorder", { ids: ["two", "one"] });
    await eventually(
      async () => publicNames(await a("GET", "/api/servers")).join() === "Server two,Server one",
    );
    await a("PUT", "/api/admin/servers/one", { name: "Server one", hidden: true });
    await eventually(async () => publicNames(await list()).join() === "Server two");
    assert.equal((await a("DELETE", "/api/admin/servers/two")).status, 204);
    await eventually(async () => publicNames(await list()).length === 0);
    await a("PUT", "/api/admin/settings", { siteTitle: "Ours" });
    assert.equal((await b("GET", "/api/admin/settings")).body["siteTitle"], "Ours");
    const session = await a("POST", "/api/admin/auth", { token: TOKEN });
    assert.ok(session.status < 300, JSON.stringify(session.body));
    const entries = (await b("GET", "/api/admin/audit")).body["items"];
    assert.ok(Array.isArray(entries) && entries.length >= 6);
  });

  it("refuses a data folder that another process uses: it holds reports that the database lacks", async () => {
    const env = { DATABASE_URL: server.url, ADMIN_TOKEN: TOKEN };
    const first = programs.run(env);
    await programs.ports(first);
    const second = programs.run(env);
    assert.equal(await second.ended, 1);
    assert.match(second.output(), new RegExp(`in use by process ${first.child.pid}. Stop it first`, "u"));
    assert.equal(first.child.exitCode, null);
    terminate(first);
    assert.equal(await first.ended, 0);
    await programs.ports(programs.run(env));
  });

  it("answers 503 with Retry-After while the database is away, goes on with what it has, and recovers by itself", async () => {
    const call = await startNode("a");
    assert.equal((await call("POST", "/api/admin/servers", { id: "one", name: "One" })).status, 201);
    await server.kill();
    const refused = await call("POST", "/api/admin/servers", { id: "two", name: "Two" });
    assert.equal(refused.status, 503);
    assert.equal(refused.body["code"], "store_unavailable");
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/u);
    assert.equal((await call("GET", "/api/health")).status, 503);
    // The public list is in memory.
    assert.deepEqual(publicNames(await call("GET", "/api/servers")), ["One"]);
    await server.start();
    const again = await call("POST", "/api/admin/servers", { id: "two", name: "Two" });
    assert.equal(again.status, 201, JSON.stringify(again.body));
    assert.deepEqual(publicNames(await call("GET", "/api/servers")), ["One", "Two"]);
    assert.equal((await call("GET", "/api/health")).status, 200);
  });

  it("is down while its tables are away, and up again with them", async () => {
    const call = await startNode("a");
    const rename = async (from: string, to: string): Promise<void> => {
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      await client.query(`alter table ${from} rename to ${to}`).finally(() => client.end());
    };
    await rename("monitor_servers", "elsewhere");
    const { status, body } = await call("GET", "/api/health");
    assert.deepEqual([status, body["status"]], [503, "failing"]);
    const refused = await call("POST", "/api/admin/servers", { id: "one", name: "One" });
    assert.deepEqual([refused.status, refused.body["code"]], [503, "store_unavailable"]);
    await rename("elsewhere", "monitor_servers");
    assert.equal((await call("GET", "/api/health")).status, 200);
    assert.equal((await call("POST", "/api/admin/servers", { id: "one", name: "One" })).status, 201);
  });

  it("waits for a database that answers too late while it starts", async () => {
    const before = programs.run({ DATABASE_URL: server.url, ADMIN_TOKEN: TOKEN });
    await programs.ports(before);
    terminate(before);
    await before.ended;
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query("begin");
    await client.query("lock table monitor_settings in access exclusive mode");
    const program = programs.run({ DATABASE_URL: server.url, ADMIN_TOKEN: TOKEN });
    await program.find(/Waiting for PostgreSQL/u);
    await client.query("rollback").finally(() => client.end());
    const { http } = await programs.ports(program);
    assert.equal((await createCaller(http)("GET", "/api/health")).status, 200);
    terminate(program);
    assert.equal(await program.ended, 0);
  });

  it("does not wait for the database when it is a file that is damaged", async () => {
    const samples = join(programs.folder, "data/monitor/samples");
    await mkdir(samples, { recursive: true });
    await writeFile(join(samples, "checkpoint"), sealFrame(Uint8Array.of(99)));
    const program = programs.run({ DATABASE_URL: server.url, ADMIN_TOKEN: TOKEN });
    assert.equal(await program.ended, 1);
    assert.match(program.output(), /cannot be read at byte 0: .*Restore the folder from a backup/u);
    assert.doesNotMatch(program.output(), /Waiting for PostgreSQL/u);
  });

  it("is checked by the command while it runs, and says which record no schema takes", async () => {
    const node = await startNode("a");
    assert.equal((await node("POST", "/api/admin/servers", { id: "one", name: "One" })).status, 201);
    const check = async (): Promise<{ code: number | null; output: string }> => {
      const program = programs.run({ DATABASE_URL: server.url }, ["check", "--database"]);
      return { code: await program.ended, output: program.output() };
    };
    assert.deepEqual((await check()).code, 0);
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client
      .query(`update monitor_servers set doc = jsonb_set(doc, '{name}', '5')`)
      .finally(() => client.end());
    const { code, output } = await check();
    assert.equal(code, 1);
    assert.match(output, /record "one" of "servers" is invalid at "name"/u);
  });

  it("waits for a database that starts a little later, and stops with 0", async () => {
    const { url } = server;
    await server.kill();
    const program = programs.run({ DATABASE_URL: url, ADMIN_TOKEN: TOKEN });
    await program.find(/Waiting for PostgreSQL/u);
    await server.start();
    const { http } = await programs.ports(program);
    assert.equal((await createCaller(http)("GET", "/api/health")).status, 200);
    terminate(program);
    assert.equal(await program.ended, 0);
  });
});
