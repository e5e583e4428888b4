import assert from "node:assert/strict";
import { createServer, type AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { clearDefaultDays } from "../../../src/monitor/checks/default-days.ts";
import { checkUpgrades, checks } from "../../../src/monitor/checks/records.ts";
import { createCheckOptions } from "../../../src/monitor/service-checks.ts";
import { findPrivateSetting } from "../../../src/monitor/site/private-networks.ts";
import { createSettings } from "../../../src/monitor/site/settings.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { actor, createTestStore } from "../fixtures.ts";
import { createCheckBench } from "./check-bench.ts";

const CHECKS = "/api/admin/checks";
const tcp = { kind: "tcp", host: "db.example.org", port: 5_432 };
const http = {
  kind: "http",
  url: "https://shop.example.org/health",
  headers: [{ name: "Authorization", value: "Bearer 0123456789" }],
};

interface Made {
  readonly id: string;
  readonly version: number;
  readonly revision: number;
  readonly pingKey?: string;
  readonly target: { readonly kind: string; readonly headers: unknown };
  readonly standing: { readonly state: string; readonly since: string };
}

async function make(app: TestApp, input: object = {}): Promise<Made> {
  const response = await app.admin("POST", CHECKS, { name: "one", target: tcp, ...input });
  assert.equal(response.status, 201, await response.clone().text());
  return response.json();
}

async function list(app: TestApp, query = ""): Promise<{ names: string[]; next?: string; counts: unknown }> {
  const response = await app.admin("GET", `${CHECKS}${query}`);
  assert.equal(response.status, 200, await response.clone().text());
  const page: { items: { name: string }[]; nextCursor?: string; counts: unknown } = await response.json();
  const next = page.nextCursor === undefined ? {} : { next: page.nextCursor };
  return { names: page.items.map(({ name }) => name), counts: page.counts, ...next };
}

describe("a refused private address", () => {
  const refusal = {
    fault: "forbidden" as const,
    detail: '"192.168.1.9" is a private address; allow checks of private networks in the settings',
  };

  it("names the setting that allows it, in tests and in the state of the check", async () => {
    const { app, make: makeCheck, targets } = await createCheckBench();
    targets.answers.set("192.0.2.1", refusal);
    const { id } = await makeCheck("one", { failures: 1 });
    const tested = await (await app.admin("POST", `${CHECKS}/${id}/test`)).json();
    assert.deepEqual([tested.fault, tested.setting], ["forbidden", "privateTargets"]);
    const { standing } = await (await app.admin("GET", `${CHECKS}/${id}`)).json();
    assert.equal(standing.places[0].setting, "privateTargets");
    targets.answers.set("192.0.2.1", {
      fault: "forbidden",
      detail: '"169.254.1.1" is a reserved address that Trivet never connects to',
    });
    assert.equal((await (await app.admin("POST", `${CHECKS}/${id}/test`)).json()).setting, undefined);
  });

  it("runs as soon as the setting allows it", async () => {
    const store = createTestStore();
    const clock = createFixedClock();
    const config = { checksPrivate: false, checkAnchors: [] };
    // `as`: all that it takes of a service's base.
    const { probe } = createCheckOptions({ config, store, clock } as unknown as Parameters<
      typeof createCheckOptions
    >[0]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const target = { kind: "tcp", host: "127.0.0.1", port } as const;
    const options = { timeoutMs: 5_000, signal: new AbortController().signal };
    const refused = await probe(target, options);
    assert.deepEqual([refused.fault, findPrivateSetting(refused.detail)], ["forbidden", "privateTargets"]);
    await createSettings({ store, clock }).change({ patch: { privateTargets: true }, actor });
    assert.equal((await probe(target, options)).fault, undefined);
    await new Promise((resolve) => server.close(resolve));
  });
});

describe("days of certificates that the console's form began with", () => {
  it("are cleared once, if no agent runs the check, and stay when they are set later", async () => {
    const store = createTestStore();
    const clock = createFixedClock();
    const first = await createTestApp({ store, clock });
    const set = async (name: string, days: number, more: object = {}): Promise<string> =>
      (await make(first, { name, target: { ...http, headers: [], certificateDays: days }, ...more })).id;
    const ids = [
      await set("a", 14),
      await set("b", 30),
      await set("c", 14, { places: { center: true, serverIds: ["web-1"] } }),
    ];
    const daysNow = async (): Promise<unknown[]> => {
      const all = await store.read((tx) => Promise.all(ids.map((id) => tx.get(checks, id))));
      return all.map((record) => record?.target.kind === "http" && record.target.certificateDays);
    };
    // As a store of before is.
    await store.transact((tx) => tx.remove(checkUpgrades, "default-days"));
    await clearDefaultDays({ store, clock });
    assert.deepEqual(await daysNow(), [0, 30, 14]);
    const audit = await (await first.admin("GET", "/api/admin/audit?limit=5")).text();
    assert.match(audit, /certificateDays: 14 → 0/u);
    await first.admin("PATCH", `${CHECKS}/${ids[0]}`, {
      target: { ...http, headers: [], certificateDays: 14 },
    });
    await clearDefaultDays({ store, clock });
    assert.deepEqual(await daysNow(), [14, 30, 14]);
  });
});

describe("checks of an administrator", () => {
  it("are made with defaults, changed by version, and deleted", async () => {
    const app = await createTestApp();
    const { id, standing, version } = await make(app);
    assert.deepEqual([standing.state, version], ["unknown", 1]);
    const stale = await app.admin("PATCH", `${CHECKS}/${id}`, { name: "two", version: 9 });
    assert.equal(stale.status, 409);
    const patched = await app.admin("PATCH", `${CHECKS}/${id}`, { places: { quorum: "all" }, version: 1 });
    const view = (await patched.json()) as { name: string; places: object; revision: number };
    assert.deepEqual(
      [view.name, view.places, view.revision],
      ["one", { center: true, serverIds: [], quorum: "all" }, 1],
    );
    const put = await app.admin("PUT", `${CHECKS}/${id}`, { name: "two", target: { ...tcp, port: 5 } });
    const replaced = (await put.json()) as { places: { quorum: string }; revision: number };
    assert.deepEqual([replaced.places.quorum, replaced.revision], ["majority", 2]);
    assert.equal((await app.admin("DELETE", `${CHECKS}/${id}`)).status, 204);
    assert.equal((await app.admin("GET", `${CHECKS}/${id}`)).status, 404);
  });

  it("show as paused at once, and unknown when they resume", async () => {
    const app = await createTestApp();
    const { id } = await make(app);
    const paused = (await (await app.admin("PATCH", `${CHECKS}/${id}`, { paused: true })).json()) as Made;
    assert.equal(paused.standing.state, "paused");
    assert.deepEqual((await list(app, "?state=paused")).names, ["one"]);
    const resumed = (await (await app.admin("PATCH", `${CHECKS}/${id}`, { paused: false })).json()) as Made;
    assert.equal(resumed.standing.state, "unknown");
  });

  it("keep header values sealed, and never show them", async () => {
    const app = await createTestApp();
    const made = await make(app, { target: http });
    assert.deepEqual(made.target.headers, [{ name: "Authorization", valueSet: true }]);
    const stored = JSON.stringify(await app.store.read((tx) => tx.get(checks, made.id)));
    const all = await (await app.admin("GET", CHECKS)).text();
    for (const text of [stored, all]) assert.doesNotMatch(text, /012345/u);
    const target = { ...http, headers: [{ name: "authorization" }] };
    const kept = await app.admin("PATCH", `${CHECKS}/${made.id}`, { target: { ...target, method: "HEAD" } });
    assert.equal(kept.status, 200, await kept.clone().text());
    const elsewhere = { ...target, url: "https://evil.example.org/health" };
    for (const [path, method, body] of [
      [`${CHECKS}/${made.id}`, "PATCH", { target: elsewhere }],
      [`${CHECKS}/${made.id}`, "PUT", { name: "one", target: elsewhere }],
      [`${CHECKS}/test?id=${made.id}`, "POST", { name: "one", target: elsewhere }],
    ] as const) {
      const refused = await app.admin(method, path, body);
      const problem = (await refused.json()) as { errors: { pointer: string }[] };
      assert.deepEqual([refused.status, problem.errors[0]?.pointer], [422, "/target/headers/0/value"]);
    }
  });

  it("give heartbeats a key, or keep the one that people have", async () => {
    const app = await createTestApp();
    const target = { kind: "heartbeat" };
    assert.match((await make(app, { target })).pingKey ?? "", /^[0-9a-z]{26}$/u);
    const pingKey = "5e1f7c1e-2a44-4a34-9d0e-5d3c1f0e9b7a";
    assert.equal((await make(app, { target, pingKey })).pingKey, pingKey);
    const taken = await app.admin("POST", CHECKS, { name: "two", target, pingKey });
    assert.equal(taken.status, 409);
  });

  it("are listed by page, and found by group, tag, kind and words", async () => {
    const app = await createTestApp();
    for (const name of ["c", "a", "b"])
      await make(app, { name, group: name === "b" ? "" : "g", tags: [name] });
    await make(app, { name: "d", group: "g", target: http });
    const first = await list(app, "?limit=2");
    assert.deepEqual(first.names, ["b", "a"]);
    assert.deepEqual((await list(app, `?limit=2&cursor=${first.next}`)).names, ["c", "d"]);
    assert.deepEqual(first.counts, { up: 0, down: 0, partial: 0, unknown: 4, paused: 0 });
    assert.deepEqual((await list(app, "?group=g")).names, ["a", "c", "d"]);
    assert.deepEqual((await list(app, "?group=")).names, ["b"]);
    assert.deepEqual((await list(app, "?tag=c")).names, ["c"]);
    assert.deepEqual((await list(app, "?kind=http")).names, ["d"]);
    assert.deepEqual((await list(app, "?q=SHOP.example")).names, ["d"]);
    assert.equal((await app.admin("GET", `${CHECKS}?cursor=x`)).status, 422);
    const names = await (await app.admin("GET", `${CHECKS}/names`)).json();
    assert.deepEqual(names, { groups: ["g"], tags: ["a", "b", "c"] });
  });

  it("are paused, grouped and deleted together", async () => {
    const app = await createTestApp();
    const ids = [(await make(app)).id, (await make(app, { name: "two" })).id, "chk_gone"];
    const bulk = async (body: object) => (await app.admin("POST", `${CHECKS}/bulk`, { ids, ...body })).json();
    assert.deepEqual(await bulk({ action: "pause" }), { changed: ids.slice(0, 2) });
    assert.deepEqual(await bulk({ action: "pause" }), { changed: [] });
    assert.deepEqual(await bulk({ action: "group", group: "g" }), { changed: ids.slice(0, 2) });
    assert.deepEqual((await list(app, "?group=g&state=paused")).names, ["one", "two"]);
    assert.deepEqual(await bulk({ action: "delete" }), { changed: ids.slice(0, 2) });
    assert.deepEqual((await list(app)).names, []);
    const wrong = await app.admin("POST", `${CHECKS}/bulk`, { ids, action: "pause", group: "g" });
    assert.equal(wrong.status, 422);
  });
});
