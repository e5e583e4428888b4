/**
 * Data folders that older programs left (test/upgrade/*.tar.gz, made by make-fixture.ts), opened by this one. Each was
 * stopped once in good order and killed later, with a torn end in its journals; what it had answered is noted beside.
 */
import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { z } from "zod";
import { createLocalBus } from "../../src/bus/local.ts";
import type { RunningService, StartService } from "../../src/service/service.ts";
import { startAuth } from "../../src/auth/service.ts";
import { startMonitor } from "../../src/monitor/service.ts";
import { startShop } from "../../src/shop/service.ts";
import { loadConfig } from "../../src/config.ts";
import { hashSecret } from "../../src/kit/secrets/admin-token.ts";
import { silentLog } from "../../src/kit/observe/log.ts";
import { serveGrpcInProcess } from "../../src/runtime/grpc/grpc.ts";
import { createRuntime } from "../../src/runtime/shell.ts";
import { projectFolder, runProcess } from "../support/process.ts";
import { type TestDatabase, createTestDatabase } from "../support/postgres.ts";
import { createFixedClock } from "../support/fixed-clock.ts";
import { assertHolds } from "./holds.ts";
import { type Notes, type Service, ADMIN_TOKEN, headersFor, notesSchema } from "./notes.ts";

const fixtures = join(projectFolder, "test", "upgrade");
const names = (await readdir(fixtures))
  .filter((name) => name.endsWith(".json"))
  .map((name) => name.slice(0, -5));
/** In the order in which they need each other: the shop asks the auth center. */
const starters: readonly (readonly [Service, StartService])[] = [
  ["auth", startAuth],
  ["monitor", startMonitor],
  ["shop", startShop],
];
// One runtime for both: Node's gRPC also works under Deno as long as no call is canceled, and no agent connects here.
const runtime = createRuntime({ name: "node", version: "0", serveGrpc: serveGrpcInProcess });

let folder = "";
let database: TestDatabase | undefined;
const running: RunningService[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-upgrade-"));
  await chmod(folder, 0o700);
});
afterEach(async () => {
  await stop();
  await database?.drop();
  database = undefined;
  await rm(folder, { recursive: true, force: true });
});

async function stop(): Promise<void> {
  for (const service of running.splice(0).reverse()) await service.stop({ graceMs: 1_000 });
}

async function unpack(name: string): Promise<Notes> {
  const args = ["-C", folder, "-xzf", join(fixtures, `${name}.tar.gz`), "--no-same-owner"];
  const { code, output } = await runProcess({ command: "tar", args });
  assert.equal(code, 0, output);
  return notesSchema.parse(JSON.parse(await readFile(join(fixtures, `${name}.json`), "utf8")));
}

/** The database of a fixture that has one, filled. */
async function fillDatabase(name: string): Promise<string | undefined> {
  const packed = await readFile(join(fixtures, `${name}.sql.gz`)).catch(() => undefined);
  if (packed === undefined) return undefined;
  database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  for (const line of gunzipSync(packed).toString("utf8").trimEnd().split("\n"))
    await client.query(z.string().parse(JSON.parse(line)));
  await client.end();
  return database.url;
}

/** Starts all services on the folder, and on the database where there is one, at a time just after the notes. */
async function start(notes: Notes, databaseUrl?: string): Promise<Record<Service, string>> {
  const clock = createFixedClock(notes.notedAt + 1_000);
  const urls: Record<Service, string> = { auth: "", monitor: "", shop: "" };
  for (const [name, starter] of starters) {
    const ports = { MONITOR_PORT: "0", GRPC_PORT: "0", AUTH_PORT: "0", SHOP_PORT: "0" };
    const config = loadConfig({
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl,
      ...ports,
      ...(urls.auth === "" ? {} : { AUTH_URL: urls.auth }),
    });
    const bus = createLocalBus("upgraded");
    const service = await starter({
      config,
      runtime,
      clock,
      log: silentLog,
      bus,
      services: [],
      tokenHashes: [hashSecret(ADMIN_TOKEN)],
    });
    running.push(service);
    urls[name] = /http:\/\/127\.0\.0\.1:\d+/u.exec(service.addresses.join(" "))?.[0] ?? "";
  }
  return urls;
}

const siteSchema = z.looseObject({
  version: z.number(),
  paymentProviders: z.array(z.looseObject({ word: z.string() })),
  /** Their sentences may change. */
  warnings: z.array(z.object({ code: z.string() })),
});

/** Where an administrator had switched the demo payment on: it stays on. */
const demoByChoice = new Set(["339a9f7", "c5e243f4ee6607eb98c1940a6e5d419c15a7f4a9", "5ca84a84"]);

/** Programs that had switched the demo payment on by themselves: the first start of this one switches it off. */
function withDemoClosed(body: unknown, commit: string): unknown {
  const site = siteSchema.parse(body);
  if (demoByChoice.has(commit)) return site;
  const isDemo = ({ word, enabled }: Record<string, unknown>): boolean => word === "demo" && enabled === true;
  if (!site.paymentProviders.some(isDemo)) return site;
  return {
    ...site,
    version: site.version + 1,
    paymentProviders: site.paymentProviders.map((one) => (isDemo(one) ? { ...one, enabled: false } : one)),
    warnings: site.warnings.filter(({ code }) => code !== "demo_provider_enabled"),
  };
}

const clientsSchema = z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) });

/** What an answer must still hold. */
function toKept(path: string, body: unknown, commit: string): unknown {
  if (path === "/api/admin/site") return withDemoClosed(body, commit);
  const clients = path === "/api/admin/clients" ? clientsSchema.safeParse(body) : undefined;
  if (clients?.success !== true) return body;
  // The shop keeps its own application up to date: its URL, and the name that it has by now.
  return { ...clients.data, items: clients.data.items.filter(({ id }) => id !== "shop") };
}

const verdictSchema = z.object({ valid: z.boolean(), entries: z.number() });

/** What the questions themselves do is in the audit too. */
function assertChainHolds(answer: unknown, body: unknown, where: string): void {
  const [now, then] = [verdictSchema.parse(answer), verdictSchema.parse(body)];
  assert.equal(now.valid, then.valid, where);
  assert.ok(now.entries >= then.entries, where);
}

async function assertAcknowledged(urls: Record<Service, string>, notes: Notes): Promise<void> {
  for (const { service, as, path, body } of notes.answers) {
    const response = await fetch(`${urls[service]}${path}`, { headers: headersFor(as, notes.people) });
    const answer: unknown = await response.json();
    assert.equal(response.status, 200, `${service} ${path}: ${JSON.stringify(answer)}`);
    const where = `${service} ${path}`;
    if (path === "/api/admin/audit/verify") assertChainHolds(answer, body, where);
    else assertHolds(answer, toKept(path, body, notes.commit), where);
  }
}

async function write(method: string, url: string, body: unknown): Promise<number> {
  const response = await fetch(url, {
    method,
    headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await response.body?.cancel();
  return response.status;
}

describe("data of older programs", () => {
  it("are there, of files and of a database", () => assert.ok(names.length >= 5, names.join(", ")));

  for (const name of names) {
    it(`${name}: everything acknowledged is there, and stays there when this program writes`, async () => {
      const notes = await unpack(name);
      const databaseUrl = await fillDatabase(name);
      const urls = await start(notes, databaseUrl);
      await assertAcknowledged(urls, notes);

      const server = { id: "new-1", name: "New 1" };
      assert.equal(await write("POST", `${urls.monitor}/api/admin/servers`, server), 201);
      const account = {
        username: "newcomer",
        email: "new@example.org",
        password: "correct horse battery staple",
      };
      assert.equal(await write("POST", `${urls.auth}/api/admin/users`, account), 201);
      const product = { title: "New", price: 100, deliveryType: "manual", status: "draft" };
      assert.equal(await write("POST", `${urls.shop}/api/admin/products`, product), 201);

      await stop();
      const again = await start(notes, databaseUrl);
      const response = await fetch(`${again.monitor}/api/admin/servers/new-1`, {
        headers: { "x-admin-token": ADMIN_TOKEN },
      });
      assert.equal(response.status, 200);
      const kept = notes.answers.find(({ path }) => path === "/api/admin/servers");
      const list: unknown = await (
        await fetch(`${again.monitor}/api/admin/servers`, { headers: { "x-admin-token": ADMIN_TOKEN } })
      ).json();
      assertHolds(list, kept?.body, "servers after a restart");
    });
  }

  it("a folder that a newer program wrote is refused, with the collection's name", async () => {
    const notes = await unpack("2026-11-21-monitor");
    const path = join(folder, "monitor", "monitor.json");
    const text = await readFile(path, "utf8");
    const newer = text
      .replace(/("revisions": \{"\w+":)\d+/u, "$1 999")
      .replace(/,\s*"checksum": "crc32:\w+"/u, "");
    assert.notEqual(newer, text);
    await writeFile(path, newer);
    await assert.rejects(start(notes), /in revision 999, newer than .*start the newer version/su);
  });
});
