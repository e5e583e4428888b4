import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OK, REFUSED, TIMEOUT, createCheckBench, settle, tcp } from "./check-bench.ts";
import { toNextPlace, toState } from "../../../src/monitor/checks/run/places.ts";
import type { PlaceResult } from "../../../src/monitor/checks/schema.ts";
import { actor, fields } from "../fixtures.ts";

const place = (isDown: boolean, counts = true): PlaceResult => ({
  place: "p",
  at: 0,
  detail: "",
  failures: 0,
  isDown,
  counts,
});
const [up, down, silent] = [place(false), place(true), place(true, false)];
const outcome = { place: "p", at: 0, fault: undefined, detail: "", isTelling: true };
const failed = { ...outcome, fault: "timeout" as const };

describe("places of a check", () => {
  for (const [places, quorum, state] of [
    [[], "majority", "unknown"],
    [[silent], "majority", "unknown"],
    [[up, down], "majority", "partial"],
    [[up, down, down], "majority", "down"],
    [[down, silent, silent], "majority", "down"],
    [[up, down, down], "all", "partial"],
    [[down, down], "all", "down"],
    [[up, up, down], 1, "down"],
    [[up, down], 2, "partial"],
    [[down, silent], 2, "down"],
    [[up, up], 1, "up"],
  ] as const)
    it(`come to ${state} with ${quorum} of ${JSON.stringify(places.map((one) => one.isDown))}`, () => {
      assert.equal(toState(places, quorum), state);
    });

  it("say nothing before they have decided, and stay down until an answer says otherwise", () => {
    const first = toNextPlace(undefined, failed, 2);
    assert.deepEqual([first.counts, first.isDown, first.failures], [false, false, 1]);
    const second = toNextPlace(first, failed, 2);
    assert.deepEqual([second.counts, second.isDown], [true, true]);
    const nothing = toNextPlace(second, { ...failed, isTelling: false }, 2);
    assert.deepEqual([nothing.counts, nothing.isDown], [true, true]);
    const fine = toNextPlace(nothing, outcome, 2);
    assert.deepEqual([fine.counts, fine.isDown, fine.failures], [true, false, 0]);
    const away = toNextPlace(fine, { ...failed, isTelling: false }, 2);
    assert.deepEqual([away.counts, away.isDown], [false, false]);
  });

  it("say nothing after an answer that cannot be judged, whatever they said before", () => {
    const open = { ...outcome, fault: "not_judged", isTelling: false } as const;
    const down = toNextPlace(toNextPlace(undefined, failed, 1), open, 1);
    assert.deepEqual([down.counts, down.isDown, down.failures, down.fault], [false, false, 0, "not_judged"]);
    const up = toNextPlace(toNextPlace(undefined, outcome, 1), open, 1);
    assert.deepEqual([up.counts, up.isDown], [false, false]);
    assert.equal(toState([down, up], "majority"), "unknown");
    assert.equal(toState([down, toNextPlace(undefined, outcome, 1)], "all"), "up");
  });
});

describe("agents as places", () => {
  async function bench() {
    const all = await createCheckBench();
    const { app, make, clock } = all;
    for (const id of ["fra", "nyc"]) await app.monitor.servers.create(fields(id), { id, actor });
    const record = await make("one", { places: { center: false, serverIds: ["fra", "nyc"] }, failures: 1 });
    const { id: checkId, revision } = record;
    const report = (serverId: string, result = OK, more: object = {}) =>
      app.monitor.checkIntake.takePlaceResult(serverId, [
        { checkId, revision, at: clock.now(), result, ...more },
      ]);
    return { ...all, record, report };
  }

  it("make it down together, and partial alone", async () => {
    const { record, report, pass, stateOf } = await bench();
    await report("fra");
    await report("nyc", REFUSED);
    assert.equal(stateOf(record.id), "partial");
    await pass(20);
    await report("fra", REFUSED);
    assert.equal(stateOf(record.id), "down");
  });

  it("do not count while they are silent, and unknown is what is left without any", async () => {
    const { record, report, pass, stateOf } = await bench();
    await report("fra");
    await report("nyc", REFUSED);
    for (let minute = 0; minute < 4; minute += 1) {
      await pass(60);
      await report("nyc", REFUSED);
    }
    assert.equal(stateOf(record.id), "down");
    await pass(240);
    assert.equal(stateOf(record.id), "unknown");
  });

  it("are left out when they are not named, know another definition, come late or twice", async () => {
    const { app, record, report, pass, stateOf, clock } = await bench();
    const say = (more: object) => report("fra", REFUSED, more);
    await app.monitor.servers.create(fields("muc"), { id: "muc", actor });
    await report("muc", REFUSED);
    await say({ revision: 9 });
    await say({ checkId: "chk_other" });
    await pass(600);
    await say({ at: clock.now() - 400_000 });
    assert.equal(stateOf(record.id), "unknown");
    await report("fra");
    await say({ at: clock.now() });
    assert.equal(stateOf(record.id), "up");
    await report("fra", { fault: "unsupported", detail: "No ping" }, { at: clock.now() + 1 });
    assert.equal(stateOf(record.id), "unknown");
  });
});

describe("the monitor's own network", () => {
  const hosts = ["a.example.org", "b.example.org", "c.example.org", "d.example.org"];
  const real = ["93.184.216.34", "1.1.1.1", "9.9.9.9", "8.8.4.4"];

  async function bench(addresses: readonly string[], count = 3) {
    const resolve = async (host: string) => [addresses[hosts.indexOf(host)] ?? host];
    const all = await createCheckBench({ checking: { resolve } });
    const ids: string[] = [];
    const named = hosts.slice(0, count);
    for (const host of named) ids.push((await all.make(host, { ...tcp(host), failures: 2 })).id);
    await all.pass(60);
    return { ...all, ids, fail: () => named.forEach((host) => all.targets.answers.set(host, TIMEOUT)) };
  }

  it("is down when hosts in unrelated networks stop responding: unknown, and no target is down", async () => {
    const { ids, fail, pass, stateOf, targets, app, centerOf } = await bench(real);
    fail();
    const seen = new Set<string | undefined>();
    app.monitor.checkDirectory.onChange((id) => seen.add(stateOf(id)));
    await pass(180);
    assert.deepEqual(ids.map(stateOf), ["unknown", "unknown", "unknown"]);
    assert.equal(seen.has("down"), false);
    assert.equal(centerOf(ids[0] ?? "")?.detail, "The monitor's own network is down");
    assert.equal(app.monitor.isNetworkAway(), true);
    targets.answers.clear();
    await pass(60);
    assert.deepEqual(ids.map(stateOf), ["up", "up", "up"]);
  });

  it("is there when one of them answers", async () => {
    const { ids, pass, stateOf, targets } = await bench(real);
    targets.answers.set("a.example.org", TIMEOUT);
    targets.answers.set("b.example.org", TIMEOUT);
    await pass(120);
    assert.deepEqual(ids.map(stateOf), ["down", "down", "up"]);
  });

  it("cannot be judged by one check, or by one network: they are down", async () => {
    for (const [addresses, count] of [
      [real, 1],
      [["93.184.216.34", "93.184.216.35", "93.184.216.36"], 3],
    ] as const) {
      const { ids, fail, pass, stateOf } = await bench(addresses, count);
      fail();
      await pass(120);
      assert.deepEqual([...new Set(ids.map(stateOf))], ["down"]);
    }
  });

  it("does not matter to what is down already, nor to a refusal", async () => {
    const { ids, fail, pass, stateOf, targets } = await bench(real, 4);
    targets.answers.set("a.example.org", REFUSED);
    await pass(120);
    fail();
    await pass(120);
    assert.deepEqual(ids.map(stateOf), ["down", "unknown", "unknown", "unknown"]);
  });

  it("is judged by anchors that have answered, where there are some", async () => {
    const asked: string[] = [];
    let isThere = true;
    const { targets, make, pass, stateOf } = await createCheckBench({
      checking: {
        anchors: [{ host: "8.8.8.8", port: 53 }],
        probe: async (target, options) => {
          if ("host" in target && target.host === "8.8.8.8") {
            asked.push(target.kind);
            return isThere ? REFUSED : TIMEOUT;
          }
          return targets.probe(target, options);
        },
      },
    });
    const { id } = await make("one", { ...tcp("1.1.1.1"), failures: 1 });
    await pass(60);
    assert.deepEqual(asked, ["ping"]);
    targets.answers.set("1.1.1.1", TIMEOUT);
    isThere = false;
    await pass(60);
    assert.equal(stateOf(id), "unknown");
    isThere = true;
    await pass(70);
    await settle();
    assert.equal(stateOf(id), "down");
  });
});
