import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import { StoreError } from "../../../src/store/store.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { createTestStore } from "../fixtures.ts";
import { heartbeatFields, RID } from "./heartbeat-fixture.ts";

const madeSchema = z.object({ id: z.string(), pingKey: z.string() });
const pingsSchema = z.object({
  items: z.array(
    z.object({
      number: z.number(),
      at: z.string(),
      signal: z.string(),
      exitStatus: z.number().optional(),
      rid: z.string().optional(),
      runMs: z.number().optional(),
      method: z.string(),
      clientAddress: z.string(),
      userAgent: z.string(),
      text: z.string(),
      isCut: z.boolean(),
    }),
  ),
  nextCursor: z.string().optional(),
});
const checkSchema = z.object({
  standing: z.object({ state: z.string(), places: z.array(z.object({ fault: z.string().optional() })) }),
  heartbeat: z.object({ pings: z.number(), nextDueAt: z.string().optional() }).optional(),
});

async function makeHeartbeat(app: TestApp, target = {}): Promise<{ id: string; pingKey: string }> {
  const { name, target: given } = heartbeatFields(target);
  const made = await app.admin("POST", "/api/admin/checks", { name, target: given });
  assert.equal(made.status, 201);
  return madeSchema.parse(await made.json());
}

async function readPings(app: TestApp, id: string) {
  return pingsSchema.parse(await (await app.admin("GET", `/api/admin/checks/${id}/pings`)).json()).items;
}

async function readCheck(app: TestApp, id: string) {
  await app.monitor.checkWatch.tick();
  // Whether it is judged at once or a little later.
  for (let tick = 0; tick < 12; tick += 1) await app.monitor.heartbeats.watch.tick();
  return checkSchema.parse(await (await app.admin("GET", `/api/admin/checks/${id}`)).json());
}

describe("/ping/<key>", () => {
  it("takes every ending and method, and says OK", async () => {
    const app = await createTestApp();
    const { id, pingKey } = await makeHeartbeat(app);
    const endings = ["", "/start", "/fail", "/log", "/0", "/1", "/255"];
    for (const method of ["GET", "POST", "PUT"]) {
      for (const ending of endings) {
        const answer = await app.fetch(`/ping/${pingKey}${ending}`, { method });
        assert.equal(answer.status, 200);
        assert.equal(await answer.text(), "OK");
        assert.equal(answer.headers.get("ping-body-limit"), "10000");
        assert.equal(answer.headers.get("cache-control"), "no-store");
        assert.equal(answer.headers.get("set-cookie"), null);
      }
    }
    const head = await app.raw(`/ping/${pingKey}/start`, { method: "HEAD" });
    assert.deepEqual([head.status, await head.text()], [200, ""]);
    const pings = await readPings(app, id);
    assert.equal(pings.length, 22);
    assert.deepEqual([pings[0]?.method, pings[0]?.signal], ["HEAD", "start"]);
    assert.deepEqual(
      pings.slice(1, 8).map(({ signal, exitStatus }) => [signal, exitStatus]),
      [
        ["fail", 255],
        ["fail", 1],
        ["success", 0],
        ["log", undefined],
        ["fail", undefined],
        ["start", undefined],
        ["success", undefined],
      ],
    );
  });

  it("keeps body, run, sender and time", async () => {
    const app = await createTestApp();
    const { id, pingKey } = await makeHeartbeat(app);
    await app.fetch(`/ping/${pingKey}/start?rid=${RID.toUpperCase()}`);
    app.clock.advance(2_500);
    const headers = { "user-agent": "backup/1", "content-type": "application/x-www-form-urlencoded" };
    const body = Uint8Array.from([...new TextEncoder().encode("Größe=1&x\n"), 0xff, 0]);
    await app.fetch(`/ping/${pingKey}?rid=${RID}&create=1`, {
      method: "POST",
      headers,
      body,
      from: "198.51.100.7",
    });
    const [ping] = await readPings(app, id);
    assert.deepEqual(ping, {
      number: 2,
      at: "2026-01-31T12:00:02.500+00:00",
      signal: "success",
      rid: RID,
      runMs: 2_500,
      method: "POST",
      clientAddress: "198.51.100.7",
      userAgent: "backup/1",
      text: "Größe=1&x\n\\xff\\x00",
      isCut: false,
    });
  });

  it("keeps 10 kB of a body, whatever is sent", async () => {
    const app = await createTestApp();
    const { id, pingKey } = await makeHeartbeat(app);
    await app.fetch(`/ping/${pingKey}`, { method: "POST", body: "x".repeat(10_000) });
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (let part = 0; part < 300; part += 1)
          controller.enqueue(new TextEncoder().encode("y".repeat(9_999)));
        controller.close();
      },
    });
    // `duplex` is required for streams (Fetch standard) and missing in the DOM types.
    const init: RequestInit & { duplex: "half" } = { method: "POST", body: stream, duplex: "half" };
    assert.equal((await app.fetch(`/ping/${pingKey}`, init)).status, 200);
    const pings = await readPings(app, id);
    assert.deepEqual(
      pings.map(({ text, isCut }) => [text.length, isCut]),
      [
        [10_000, true],
        [10_000, false],
      ],
    );
  });

  it("takes the same addresses with a slash at the end, by every method that peers take", async () => {
    const app = await createTestApp();
    const { id, pingKey } = await makeHeartbeat(app);
    const paths = ["/ping/{}/", "/ping/{}/start/", "/ping/{}/0/", "/ping/{}/?rid=" + RID, "/ping/{}"];
    const pushes = ["/api/push/{}/", "/api/push/{}/?status=up&msg=OK&ping=", "/api/push/{}?status=up"];
    const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
    for (const method of methods)
      for (const path of [...paths, ...pushes]) {
        const answer = await app.raw(path.replace("{}", pingKey), { method });
        const said = method === "HEAD" ? "" : path.startsWith("/ping") ? "OK" : '{"ok":true}';
        assert.deepEqual([answer.status, await answer.text()], [200, said], `${method} ${path}`);
      }
    const pings = await readPings(app, id);
    assert.equal(pings.length, methods.length * (paths.length + pushes.length));
    assert.equal(pings.filter(({ signal }) => signal === "start").length, methods.length);
    for (const path of [`/ping/${pingKey}//`, `/ping/${pingKey}/0/x`, `/ping/wrong-key/`, "/ping/"])
      assert.equal((await app.raw(path)).status, 404, path);
  });

  it("refuses what it cannot count, and says why", async () => {
    const app = await createTestApp();
    const { id, pingKey } = await makeHeartbeat(app);
    for (const [path, status, code] of [
      ["/ping/wrong-key", 404, "not_found"],
      [`/ping/${id}`, 404, "not_found"],
      [`/ping/${pingKey}/begin`, 404, "not_found"],
      [`/ping/${pingKey}/256`, 400, "bad_request"],
      [`/ping/${pingKey}?rid=1`, 400, "bad_request"],
      [`/ping/${pingKey}?rid=%`, 400, "bad_request"],
      [`/ping/${"x".repeat(200)}`, 422, "invalid"],
    ] as const) {
      const answer = await app.fetch(path);
      const said = z.object({ code: z.string() }).parse(await answer.json());
      assert.deepEqual([answer.status, said.code], [status, code], path);
    }
    const huge = await app.fetch(`/ping/${pingKey}`, {
      method: "POST",
      headers: { "content-length": "99999999999" },
      body: "x",
    });
    assert.equal(huge.status, 413);
    assert.equal((await app.raw(`/ping/${pingKey}`, { method: "PROPFIND" })).status, 405);
    assert.deepEqual(await readPings(app, id), []);
  });

  it("answers 429 with Retry-After to floods and guesses, and 503 while the store is away", async () => {
    let isAway = false;
    const memory = createTestStore();
    const store = {
      read: memory.read.bind(memory),
      check: memory.check.bind(memory),
      close: memory.close.bind(memory),
      transact: async <R>(work: Parameters<typeof memory.transact<R>>[0]): Promise<R> => {
        if (isAway) throw new StoreError("store_unavailable", "The disk is full");
        return memory.transact(work);
      },
    };
    const app = await createTestApp({ store });
    const { id, pingKey } = await makeHeartbeat(app);
    isAway = true;
    for (const path of [`/ping/${pingKey}`, `/api/push/${pingKey}`]) {
      const away = await app.fetch(path);
      assert.deepEqual([away.status, away.headers.get("retry-after")], [503, "5"]);
      assert.doesNotMatch(await away.text(), /OK|true/u);
    }
    isAway = false;
    for (let ping = 0; ping < 58; ping += 1) await app.raw(`/ping/${pingKey}`);
    const flooded = await app.fetch(`/ping/${pingKey}`);
    assert.equal(flooded.status, 429);
    assert.ok(Number(flooded.headers.get("retry-after")) > 0);
    for (let guess = 0; guess < 30; guess += 1) await app.raw(`/ping/guess-${guess}`);
    assert.equal((await app.fetch("/ping/guess")).status, 429);
    assert.equal((await app.fetch("/api/push/guess")).status, 429);
    app.clock.advance(120_000);
    assert.equal((await app.fetch(`/ping/${pingKey}`)).status, 200);
    assert.equal((await readPings(app, id)).length, 50);
    assert.equal((await readCheck(app, id)).heartbeat?.pings, 59);
  });

  it("works on a private site, from pages of any origin, without a credential", async () => {
    const app = await createTestApp();
    const { pingKey } = await makeHeartbeat(app);
    assert.equal(
      (await app.admin("PATCH", "/api/admin/settings", { access: { isPrivate: true } })).status,
      200,
    );
    const headers = { origin: "https://elsewhere.example", cookie: "x=y" };
    const answer = await app.fetch(`/ping/${pingKey}`, { headers });
    assert.equal(answer.status, 200);
    assert.equal((await app.fetch(`/api/push/${pingKey}`)).status, 200);
    assert.equal((await app.fetch("/api/servers")).status, 401);
  });

  it("shows in the check, and is its standing", async () => {
    const app = await createTestApp();
    const { id, pingKey } = await makeHeartbeat(app);
    assert.equal((await readCheck(app, id)).heartbeat, undefined);
    await app.fetch(`/ping/${pingKey}`);
    const up = await readCheck(app, id);
    assert.deepEqual([up.standing.state, up.heartbeat?.nextDueAt], ["up", "2026-01-31T12:01:00.000+00:00"]);
    await app.fetch(`/ping/${pingKey}/3`);
    const down = await readCheck(app, id);
    assert.deepEqual([down.standing.state, down.standing.places[0]?.fault], ["down", "failed"]);
  });
});

describe("/api/push/<key>", () => {
  it("takes what Uptime Kuma's senders send", async () => {
    const app = await createTestApp();
    const { id, pingKey } = await makeHeartbeat(app);
    for (const [query, method] of [
      ["", "GET"],
      ["?status=up&msg=OK&ping=", "GET"],
      ["?status=up&msg=Gr%C3%B6%C3%9Fe%0A2&ping=12.5&other=1", "POST"],
      ["?status=down&msg=disk+full", "PUT"],
      ["?status=up&ping=soon", "GET"],
      ["?status=up&msg=disk at 90% %C3", "GET"],
    ] as const) {
      const answer = await app.fetch(`/api/push/${pingKey}${query}`, { method });
      assert.deepEqual([answer.status, await answer.json()], [200, { ok: true }], query);
    }
    const pings = await readPings(app, id);
    assert.deepEqual(
      pings.map(({ signal, text, runMs }) => [signal, text, runMs]),
      [
        ["success", "disk at 90% \\xc3", undefined],
        ["success", "", undefined],
        ["fail", "disk full", undefined],
        ["success", "Größe\n2", 12.5],
        ["success", "OK", undefined],
        ["success", "", undefined],
      ],
    );
  });

  it("says no in its own words", async () => {
    const app = await createTestApp();
    const answer = await app.fetch("/api/push/wrong");
    assert.equal(answer.status, 404);
    assert.deepEqual(await answer.json(), { ok: false, msg: "This ping URL does not belong to a heartbeat" });
  });
});

describe("/ping/<ping key of the monitor>/<slug>", () => {
  const pingKey = "fleet-key-of-this-monitor";
  const page = z.object({ items: z.array(madeSchema.extend({ name: z.string() })) });
  const readNames = async (app: TestApp): Promise<string[]> =>
    page.parse(await (await app.admin("GET", "/api/admin/checks")).json()).items.map(({ name }) => name);

  it("creates a heartbeat at its first ping with create=1, then takes each ending", async () => {
    const app = await createTestApp({ pingKey });
    const unknown = await app.fetch(`/ping/${pingKey}/srv01`);
    assert.equal(unknown.status, 404);
    assert.match(await unknown.text(), /No heartbeat has the slug \\"srv01\\"\. Add \?create=1/u);
    assert.deepEqual(await readNames(app), []);
    const first = await app.fetch(`/ping/${pingKey}/srv01/start?create=1`, { method: "POST" });
    assert.deepEqual([first.status, await first.text()], [201, "Created"]);
    for (const ending of ["", "?create=1", "/", "/fail", "/0", "/log?create=1"]) {
      const answer = await app.raw(`/ping/${pingKey}/srv01${ending}`);
      assert.deepEqual([answer.status, await answer.text()], [200, "OK"], ending);
    }
    const { items } = page.parse(await (await app.admin("GET", "/api/admin/checks")).json());
    assert.deepEqual(
      items.map(({ name }) => name),
      ["srv01"],
    );
    const pings = await readPings(app, items[0]?.id ?? "");
    const signals = pings.map(({ signal }) => signal).toReversed();
    assert.deepEqual(signals, ["start", "success", "success", "success", "fail", "success", "log"]);
    assert.equal((await app.fetch(`/ping/${items[0]?.pingKey}`)).status, 200);
  });

  it("takes words of endings as slugs, and creates one for pings at the same time", async () => {
    const app = await createTestApp({ pingKey });
    const all = await Promise.all(
      Array.from({ length: 5 }, () => app.fetch(`/ping/${pingKey}/start?create=1`)),
    );
    assert.deepEqual(
      [200, 201].map((status) => all.filter((each) => each.status === status).length),
      [4, 1],
    );
    assert.deepEqual(await readNames(app), ["start"]);
  });

  it("creates nothing with another key, without one, of a wrong slug, ending or run, and too much at once", async () => {
    const app = await createTestApp({ pingKey });
    for (const [path, status] of [
      ["/ping/other-key-of-a-monitor/a?create=1", 404],
      ["/ping/other-key-of-a-monitor/a/start?create=1", 404],
      [`/ping/${pingKey}?create=1`, 404],
      [`/ping/${pingKey}/A?create=1`, 400],
      [`/ping/${pingKey}/a.b?create=1`, 400],
      [`/ping/${pingKey}/a/soon?create=1`, 404],
      [`/ping/${pingKey}/a/256?create=1`, 400],
      [`/ping/${pingKey}/a?create=1&rid=1`, 400],
      [`/ping/${pingKey}/a?create=yes`, 404],
    ] as const)
      assert.equal((await app.fetch(path)).status, status, path);
    assert.deepEqual(await readNames(app), []);
    for (let made = 0; made < 100; made += 1)
      assert.equal((await app.fetch(`/ping/${pingKey}/job-${made}?create=1`)).status, 201);
    const refused = await app.fetch(`/ping/${pingKey}/one-more?create=1`);
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get("retry-after")) > 0);
    assert.equal((await app.fetch(`/ping/${pingKey}/job-1?create=1`)).status, 200);
    const without = await createTestApp();
    assert.equal((await without.fetch(`/ping/${pingKey}/a?create=1`)).status, 404);
  });
});

describe("Administration of heartbeats", () => {
  it("refuses schedules that never come, and what no crontab has", async () => {
    const app = await createTestApp();
    for (const expression of ["0 0 30 2 *", "* * * * * *", "@reboot", "soon"]) {
      const target = { kind: "heartbeat", schedule: { type: "cron", expression } };
      const answer = await app.admin("POST", "/api/admin/checks", { name: "x", target });
      assert.equal(answer.status, 422, expression);
    }
    for (const calendar of ["*-02-30", "15 3 * * *", "*:0/90", "*:*:0.5"]) {
      const target = { kind: "heartbeat", schedule: { type: "onCalendar", calendar } };
      const answer = await app.admin("POST", "/api/admin/checks", { name: "x", target });
      assert.equal(answer.status, 422, calendar);
      assert.match(await answer.text(), /OnCalendar expression of systemd such as \\"Mon\.\.Fri 02:30/u);
    }
  });

  it("pages through the log, for administrators alone", async () => {
    const app = await createTestApp();
    const { id, pingKey } = await makeHeartbeat(app);
    for (let ping = 0; ping < 5; ping += 1) await app.fetch(`/ping/${pingKey}/log`);
    const path = `/api/admin/checks/${id}/pings`;
    const first = pingsSchema.parse(await (await app.admin("GET", `${path}?limit=3`)).json());
    const rest = await app.admin(
      "GET",
      `${path}?limit=3&cursor=${encodeURIComponent(first.nextCursor ?? "")}`,
    );
    const numbers = [...first.items, ...pingsSchema.parse(await rest.json()).items].map(
      ({ number }) => number,
    );
    assert.deepEqual(numbers, [5, 4, 3, 2, 1]);
    assert.equal((await app.fetch(path)).status, 401);
    assert.equal((await app.admin("GET", "/api/admin/checks/chk_none/pings")).status, 404);
  });

  it("gives new addresses, or those of elsewhere, and ends the old ones", async () => {
    const app = await createTestApp();
    const { id, pingKey } = await makeHeartbeat(app);
    const path = `/api/admin/checks/${id}/rotate-ping-key`;
    const rotated = await app.admin("POST", path, {});
    assert.equal(rotated.status, 200);
    const { pingKey: next } = z
      .object({ pingKey: z.string(), version: z.literal(2) })
      .parse(await rotated.json());
    assert.equal((await app.fetch(`/ping/${pingKey}`)).status, 404);
    assert.equal((await app.fetch(`/ping/${next}`)).status, 200);
    assert.equal((await app.admin("POST", path, { pingKey: RID })).status, 200);
    assert.equal((await app.fetch(`/ping/${RID}`)).status, 200);
    const other = await makeHeartbeat(app);
    const taken = `/api/admin/checks/${other.id}/rotate-ping-key`;
    assert.equal((await app.admin("POST", taken, { pingKey: RID })).status, 409);
    assert.equal((await app.admin("POST", taken, { pingKey: "a/b" })).status, 422);
    assert.equal((await app.admin("POST", "/api/admin/checks/chk_none/rotate-ping-key", {})).status, 404);
  });
});
