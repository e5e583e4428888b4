/** The checks of the dashboard: who sees which, and when there is news. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ShownCheck, ShownChecks, ShownUptimes } from "../../../src/monitor/checks/shown-schema.ts";
import { REFUSED, createCheckBench, tcp } from "./check-bench.ts";

const SECRET = "vault.internal.example";

async function createShown() {
  const bench = await createCheckBench();
  const { app } = bench;
  const read = async (isAdmin = false): Promise<readonly ShownCheck[]> => {
    const answer = await (isAdmin ? app.admin("GET", "/api/checks") : app.fetch("/api/checks"));
    assert.equal(answer.status, 200);
    return ((await answer.json()) as ShownChecks).items;
  };
  const uptime = async (query: string, isAdmin = false): Promise<ShownUptimes["items"]> => {
    const path = `/api/checks/uptime?${query}`;
    const answer = await (isAdmin ? app.admin("GET", path) : app.fetch(path));
    assert.equal(answer.status, 200, await answer.clone().text());
    return ((await answer.json()) as ShownUptimes).items;
  };
  const revisions = (): readonly number[] =>
    (["public", "administrators"] as const).map((audience) => app.monitor.shownChecks.revision(audience));
  return { ...bench, read, uptime, revisions };
}

describe("GET /api/checks", () => {
  it("shows visitors the checks that are public, and nothing of their targets", async () => {
    const { app, make, targets, pass, read } = await createShown();
    targets.answers.set("192.0.2.1", { ...REFUSED, detail: `refused by ${SECRET}` });
    const shown = await make("Shop", { public: true, failures: 1, tags: ["web"], note: SECRET });
    const secret = await make("Vault", tcp(SECRET));
    await pass(5);
    const items = await read();
    assert.deepEqual(
      items.map(({ id, name, state, kind, tags }) => ({ id, name, state, kind, tags })),
      [{ id: shown.id, name: "Shop", state: "down", kind: "tcp", tags: ["web"] }],
    );
    const text = await (await app.fetch("/api/checks")).text();
    for (const word of [SECRET, secret.id, "192.0.2.1", "Vault", "fault", "detail", "address"])
      assert.ok(!text.includes(word), word);
    const all = await read(true);
    assert.deepEqual(
      all.map(({ name, hidden, address, fault }) => [name, hidden, address, fault]),
      [
        ["Shop", undefined, "192.0.2.1:80", "refused"],
        ["Vault", true, `${SECRET}:80`, undefined],
      ],
    );
  });

  it("says how many members of a group are down to administrators alone", async () => {
    const { app, make, targets, pass, read, revisions } = await createShown();
    targets.answers.set("192.0.2.9", REFUSED);
    await make("Shop", { group: "Web", failures: 1 });
    const group = { kind: "group", group: "Web", downWhen: "all" };
    await make("Web", { public: true, target: group });
    const look = async (isAdmin: boolean): Promise<unknown> => {
      await pass(1);
      app.monitor.groups.tick();
      return (await read(isAdmin)).find(({ name }) => name === "Web")?.members;
    };
    assert.deepEqual(await look(true), { total: 1, down: 0 });
    const before = revisions();
    await make("Blog", { ...tcp("192.0.2.9"), group: "Web", failures: 1 });
    assert.deepEqual(await look(true), { total: 2, down: 1 });
    assert.equal(await look(false), undefined);
    assert.notEqual(revisions()[1], before[1]);
  });

  it("is the same for caches until a result comes, but not that of administrators", async () => {
    const { app, make, pass } = await createShown();
    await make("Shop", { public: true });
    await pass(5);
    const first = await app.fetch("/api/checks");
    const headers = { "if-none-match": first.headers.get("etag") ?? "" };
    assert.equal((await app.fetch("/api/checks", { headers })).status, 304);
    const own = await app.admin("GET", "/api/checks");
    assert.equal(own.headers.get("cache-control"), "private, no-cache");
  });

  it("says that a check is in planned maintenance", async () => {
    const { app, make, read, clock } = await createShown();
    await make("Shop", { public: true });
    const from = new Date(clock.now() - 60_000).toISOString();
    const to = new Date(clock.now() + 3_600_000).toISOString();
    const body = {
      name: "Move",
      schedule: { type: "once", from, to },
      scope: { type: "all" },
    };
    const made = await app.admin("POST", "/api/admin/maintenances", body);
    assert.equal(made.status, 201, await made.clone().text());
    assert.equal(Date.parse((await read())[0]?.maintenanceUntil ?? ""), Date.parse(to));
  });
});

describe("the number of the feed's frames", () => {
  it("increases for who sees a change, and not with each result", async () => {
    const { app, make, targets, pass, revisions } = await createShown();
    const shown = await make("Shop", { public: true, failures: 1 });
    const secret = await make("Vault", { ...tcp(SECRET), failures: 1 });
    await pass(5);
    const [visitors = 0, administrators = 0] = revisions();
    await pass(180);
    assert.deepEqual(revisions(), [visitors, administrators]);
    // What is not public changes nothing for visitors.
    targets.answers.set(SECRET, REFUSED);
    await pass(60);
    const [stillVisitors, laterAdministrators = 0] = revisions();
    assert.equal(stillVisitors, visitors);
    assert.ok(laterAdministrators > administrators);
    await app.admin("PATCH", `/api/admin/checks/${shown.id}`, { note: "for us alone" });
    assert.equal(revisions()[0], visitors);
    targets.answers.set("192.0.2.1", REFUSED);
    await pass(60);
    const [afterDown = 0] = revisions();
    assert.ok(afterDown > visitors);
    await app.admin("POST", "/api/admin/checks/bulk", { action: "hide", ids: [shown.id, secret.id] });
    assert.ok((revisions()[0] ?? 0) > afterDown);
    assert.deepEqual(app.monitor.shownChecks.list("public"), []);
  });
});

describe("GET /api/checks/uptime", () => {
  it("has hours and days of what the visitor sees, read from the history once for a while", async () => {
    const { app, make, targets, pass, uptime } = await createShown();
    const shown = await make("Shop", { public: true, failures: 1 });
    const secret = await make("Vault", tcp(SECRET));
    await pass(1_800);
    targets.answers.set("192.0.2.1", REFUSED);
    await pass(1_800);
    const query = `id=${shown.id}&id=${secret.id}&id=chk_none`;
    const [day, ...others] = await uptime(query);
    assert.deepEqual(others, []);
    assert.deepEqual([day?.id, day?.upPercents.length], [shown.id, 24]);
    assert.ok(Math.abs((day?.upPercent ?? 0) - 50) < 3, JSON.stringify(day));
    assert.equal(Date.parse(day?.knownSince ?? ""), shown.createdAt);
    assert.deepEqual((await uptime(`span=90d&${query}`))[0]?.upPercents.length, 90);
    assert.equal((await uptime(query, true)).length, 2);
    // Within a minute the answer is kept.
    const { spans } = app.monitor.checkHistory;
    let reads = 0;
    app.monitor.checkHistory.spans = (ids, span) => {
      reads += ids.length;
      return spans.call(app.monitor.checkHistory, ids, span);
    };
    await uptime(query);
    await uptime(query);
    assert.equal(reads, 0);
    app.clock.advance(61_000);
    await uptime(query);
    await uptime(query);
    assert.equal(reads, 1);
    for (const wrong of ["", "span=1y&id=a"])
      assert.equal((await app.fetch(`/api/checks/uptime?${wrong}`)).status, 422);
  });
});
