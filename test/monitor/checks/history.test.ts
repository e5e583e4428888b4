import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OK, REFUSED, createCheckBench, tcp } from "./check-bench.ts";
import { createTestSampleLog } from "../app-fixture.ts";
import { checkEvents } from "../../../src/monitor/checks/records.ts";
import { StoreError } from "../../../src/store/store.ts";
import { actor, createTestStore, fields as serverFields } from "../fixtures.ts";

const PATH = "/api/admin/checks";

describe("the history of checks", () => {
  it("has uptime, of which what is not known is left out and said", async () => {
    const { app, make, targets, pass, clock } = await createCheckBench();
    const { id } = await make("one", { failures: 1 });
    await pass(1_800);
    targets.answers.set("192.0.2.1", REFUSED);
    await pass(1_800);
    const uptime = async () => (await app.admin("GET", `${PATH}/${id}/uptime`)).json() as Promise<Uptime>;
    const first = await uptime();
    const { createdAt } = (await (await app.admin("GET", `${PATH}/${id}`)).json()) as { createdAt: string };
    assert.equal(first.knownSince, createdAt);
    assert.equal(first.windows.map(({ period }) => period).join(), "24h,7d,30d,90d");
    assert.ok(Math.abs((first.windows[0]?.upPercent ?? 0) - 50) < 3, JSON.stringify(first.windows));
    assert.equal(first.windows[0]?.knownPercent, 100);
    assert.deepEqual([first.days.length, first.days[0]?.upPercent], [90, null]);
    // Ten hours without a check.
    clock.advance(10 * 3_600_000);
    const later = await uptime();
    assert.equal(later.windows[0]?.upPercent, first.windows[0]?.upPercent);
    assert.ok((later.windows[0]?.knownPercent ?? 100) < 30, JSON.stringify(later.windows));
  });

  it("counts the time of a heartbeat and not its pings", async () => {
    const { app, make, pass, clock } = await createCheckBench();
    const { id } = await make("job", { target: { kind: "heartbeat" } });
    const judge = (state: "up" | "down", latencyMs?: number) =>
      app.monitor.checkIntake.judge(id, { state, detail: "", at: clock.now(), latencyMs });
    for (let ping = 0; ping < 72; ping += 1) {
      judge("up", 40);
      await pass(5);
    }
    judge("down");
    await pass(54 * 60);
    const answer = await app.admin("GET", `${PATH}/${id}/uptime`);
    const { windows } = (await answer.json()) as Uptime;
    // Up for 6 minutes of 60; a minute is left to the steps of the rows.
    assert.ok(Math.abs((windows[0]?.upPercent ?? 0) - 10) < 2, JSON.stringify(windows));
    const from = new Date(clock.now() - 7_200_000).toISOString();
    const history = await app.admin("GET", `${PATH}/${id}/history?from=${from}`);
    const { items } = (await history.json()) as { items: { metric: string; points: { avg: number }[] }[] };
    const latency = items.find(({ metric }) => metric === "check.latencyMs");
    assert.equal(latency?.points.at(-1)?.avg, 40);
  });

  it("has the last day of many checks at once, hour by hour", async () => {
    const { app, make, targets, pass } = await createCheckBench();
    const one = await make("one", { failures: 1 });
    const two = await make("two", { failures: 1, paused: true });
    await pass(1_800);
    targets.answers.set("192.0.2.1", REFUSED);
    await pass(1_800);
    const answer = await app.admin("GET", `${PATH}/hours?id=${one.id}&id=${two.id}&id=chk_none`);
    const { items } = (await answer.json()) as { items: { id: string; upPercents: (number | null)[] }[] };
    assert.deepEqual(
      items.map(({ id, upPercents }) => [id, upPercents.length]),
      [
        [one.id, 24],
        [two.id, 24],
      ],
    );
    assert.ok(items[0]?.upPercents.some((percent) => percent !== null && percent < 100));
    assert.ok(items[1]?.upPercents.every((percent) => percent === null));
    assert.equal((await app.admin("GET", `${PATH}/hours`)).status, 422);
  });

  it("has response times, and those of a place apart", async () => {
    const { app, make, pass, clock } = await createCheckBench();
    await app.monitor.servers.create(serverFields("fra"), { id: "fra", actor });
    const places = { center: true, serverIds: ["fra"] };
    const { id, revision } = await make("one", { places });
    await pass(120);
    const result = { ...OK, latencyMs: 80 };
    await app.monitor.checkIntake.takePlaceResult("fra", [
      { checkId: id, revision, at: clock.now(), result },
    ]);
    const averages = async (query: string) => {
      const answer = await app.admin("GET", `${PATH}/${id}/history${query}`);
      assert.equal(answer.status, 200, await answer.clone().text());
      const { items } = (await answer.json()) as { items: { metric: string; points: { avg: number }[] }[] };
      return items.map(({ metric, points }) => [metric, points.at(-1)?.avg]);
    };
    assert.deepEqual(await averages(""), [
      ["check.latencyMs", 12],
      ["check.upPercent", 100],
    ]);
    assert.deepEqual(await averages("?place=fra"), [
      ["check.latencyMs", 80],
      ["check.upPercent", 100],
    ]);
    assert.equal((await app.admin("GET", `${PATH}/${id}/history?place=muc`)).status, 404);
    // Servers' charts and rules know nothing of it.
    assert.equal((await app.fetch(`/api/servers/fra/history?metric=check.latencyMs`)).status, 422);
  });

  it("has a timeline with ends and reasons", async () => {
    const { app, make, targets, pass } = await createCheckBench();
    const { id } = await make("one", { failures: 1 });
    await pass(2);
    targets.answers.set("192.0.2.1", REFUSED);
    await pass(60);
    targets.answers.clear();
    await pass(120);
    const answer = await app.admin("GET", `${PATH}/${id}/events`);
    const { items } = (await answer.json()) as { items: Event[] };
    assert.deepEqual(
      items.map(({ state, fault, places, until }) => [state, fault, places, until !== undefined]),
      [
        ["up", undefined, [], false],
        ["down", "refused", ["center"], true],
        ["up", undefined, [], true],
      ],
    );
    const paged = await app.admin("GET", `${PATH}/${id}/events?limit=1`);
    const { nextCursor } = (await paged.json()) as { nextCursor: string };
    const second = await app.admin("GET", `${PATH}/${id}/events?limit=1&cursor=${nextCursor}`);
    const [down] = ((await second.json()) as { items: Event[] }).items;
    assert.deepEqual([down?.state, down?.until], ["down", items[1]?.until]);
  });

  it("goes with its check", async () => {
    const { app, make, pass } = await createCheckBench();
    const { id } = await make("one");
    await pass(120);
    await app.admin("DELETE", `${PATH}/${id}`);
    assert.equal((await app.admin("GET", `${PATH}/${id}/uptime`)).status, 404);
    assert.equal((await app.admin("GET", `${PATH}/${id}/events`)).status, 404);
    await app.monitor.checkTimeline.sweep();
    assert.equal(await app.store.read((tx) => tx.count(checkEvents)), 0);
  });

  it("is restored after a restart, and so are the states of checks", async () => {
    const store = createTestStore();
    const samples = createTestSampleLog();
    const before = await createCheckBench({ store, samples });
    before.targets.answers.set("192.0.2.2", REFUSED);
    const up = await before.make("up");
    const down = await before.make("down", { ...tcp("192.0.2.2"), failures: 1 });
    await before.pass(120);
    const since = before.app.monitor.checkDirectory.findStanding(down.id)?.since;
    await before.app.monitor.checkWatch.close();
    const { clock } = before;
    clock.advance(3_600_000);
    const after = await createCheckBench({ store, samples, clock });
    assert.deepEqual([after.stateOf(up.id), after.stateOf(down.id)], ["up", "down"]);
    const seen: string[] = [];
    after.app.monitor.checkDirectory.onChange((id) => seen.push(String(after.stateOf(id))));
    after.targets.answers.set("192.0.2.2", REFUSED);
    await after.pass(120);
    assert.deepEqual([...new Set(seen)].toSorted(), ["down", "up"]);
    assert.equal(after.app.monitor.checkDirectory.findStanding(down.id)?.since, since);
    const answer = await after.app.admin("GET", `${PATH}/${down.id}/uptime`);
    const { windows } = (await answer.json()) as Uptime;
    assert.equal(windows[0]?.upPercent, 0);
  });
});

describe("checks while nothing can be stored", () => {
  it("go on, and what changed is stored later", async () => {
    const store = createTestStore();
    let isAway = false;
    const { transact } = store;
    const flaky = {
      ...store,
      read: store.read.bind(store),
      transact: async (work: Parameters<typeof transact>[0]) => {
        if (isAway) throw new StoreError("store_unavailable", "The disk is full");
        return store.transact(work);
      },
    } as typeof store; // `as`: generics of a method are lost in a spread
    const { app, make, targets, pass, stateOf } = await createCheckBench({ store: flaky });
    const { id, revision } = await make("one", {
      failures: 1,
      places: { center: true, serverIds: ["fra"] },
    });
    await pass(2);
    isAway = true;
    app.samples.failing = true;
    targets.answers.set("192.0.2.1", REFUSED);
    await assert.rejects(pass(60), /disk is full/u);
    assert.equal(stateOf(id), "down");
    isAway = false;
    await app.monitor.servers.create(serverFields("fra"), { id: "fra", actor });
    await assert.rejects(
      app.monitor.checkIntake.takePlaceResult("fra", [
        { checkId: id, revision, at: app.clock.now(), result: OK },
      ]),
      /disk is full/u,
    );
    app.samples.failing = false;
    await pass(2);
    const events = await app.store.read((tx) => tx.list(checkEvents, "byCheck", { prefix: [id], limit: 9 }));
    assert.ok(events.items.some(({ state }) => state === "down"));
  });
});

interface Uptime {
  knownSince?: string;
  windows: { period: string; upPercent: number | null; knownPercent: number }[];
  days: { day: string; upPercent: number | null }[];
}
interface Event {
  state: string;
  fault?: string;
  places: string[];
  until?: string;
}
