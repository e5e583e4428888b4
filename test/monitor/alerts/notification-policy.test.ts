import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type AlertsBench, createAlertsBench } from "./alerts-bench.ts";

const offline = { kind: "offline", name: "Gone", graceSeconds: 60 };
/** The rule's wait, from the last sign of life, and a second more. */
const GONE = 61;
const HOUR = 3_600;

function ids(count: number, prefix = "s"): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`);
}

let bench: AlertsBench;

beforeEach(async () => {
  bench = await createAlertsBench();
});

describe("a mass failure", () => {
  it("is one message 30 s after its first, and its end is another", async () => {
    await bench.rule(offline);
    bench.up(...ids(60), "later");
    bench.down(...ids(60));
    await bench.pass(GONE + 28);
    assert.deepEqual(await bench.takeTold(), []);
    await bench.pass(2);
    const [down, ...more] = await bench.takeTold();
    assert.deepEqual(more, []);
    assert.equal(down?.title, "🟠 60 servers offline");
    const lines = down.text.split("\n");
    assert.deepEqual(lines.slice(0, 2), ["Still firing:", "- 🟠 s0 offline since 12:00 (1 min 31 s)"]);
    assert.equal(lines.filter((line) => line.startsWith("- ")).length, 50);
    assert.equal(lines.at(-1), "and 10 more");
    assert.equal(down.url, "https://status.example/");
    bench.up(...ids(60));
    await bench.pass(40);
    assert.deepEqual(await bench.takeTitles(), ["60 servers back online"]);
  });

  it("is sent at once up to 10, with nothing delayed", async () => {
    await bench.rule(offline);
    bench.up(...ids(10));
    bench.down(...ids(10));
    await bench.pass(GONE);
    assert.equal((await bench.takeTold()).length, 10);
    bench.up(...ids(10));
    await bench.pass(1);
    assert.equal((await bench.takeTold()).length, 10);
  });

  it("announces that a server is back before, or with, that it is gone again", async () => {
    await bench.rule({ ...offline, graceSeconds: 0 });
    bench.up(...ids(12));
    bench.down(...ids(12));
    await bench.pass(40);
    assert.deepEqual(await bench.takeTitles(), ["12 servers offline"]);
    bench.up("s0", "s1");
    await bench.pass(1);
    bench.down("s0");
    await bench.pass(10);
    // What waits is read in another order than it was written.
    await bench.restart();
    bench.up("s2");
    await bench.pass(19);
    assert.deepEqual(await bench.takeTold(), []);
    await bench.pass(1);
    const [told, ...more] = await bench.takeTold();
    assert.deepEqual(more, []);
    assert.equal(told?.title, "🟠 1 still firing, 3 resolved");
    const [heading, again, over, ...ends] = told.text.split("\n");
    assert.deepEqual([heading, again?.slice(0, 15), over], ["Still firing:", "- 🟠 s0 offline", "Resolved:"]);
    const names = ends.map((line) => /^- 🟢 (s\d) back online after /u.exec(line)?.[1] ?? line);
    assert.deepEqual(new Set(names), new Set(["s0", "s1", "s2"]));
    bench.up(...ids(12));
    await bench.pass(40);
    assert.equal(
      (await bench.takeTold()).flatMap(({ text }) => text.match(/\bs0 (?:back|offline)/gu) ?? []).length,
      1,
    );
  });

  it("is seen coming when its servers fail one after the other", async () => {
    await bench.rule(offline);
    bench.up(...ids(15));
    for (const id of ids(15)) {
      bench.down(id);
      await bench.pass(1);
    }
    await bench.pass(GONE + 30);
    assert.deepEqual(await bench.takeTitles(), ["15 servers offline"]);
  });

  it("gathers recoveries while many that were announced together are still gone", async () => {
    await bench.rule(offline);
    bench.up(...ids(12));
    bench.down(...ids(12));
    await bench.pass(GONE + 30);
    await bench.takeTold();
    bench.up("s0");
    await bench.pass(5);
    assert.deepEqual(await bench.takeTold(), []);
    bench.up("s1", "s2");
    await bench.pass(26);
    assert.deepEqual(await bench.takeTitles(), ["3 servers back online"]);
    await bench.pass(60);
    bench.up("s3");
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["s3 back online"]);
  });

  it("is one message a channel, each with what concerns it", async () => {
    bench.server("s0", { tags: ["b"] });
    bench.server("s1", { tags: ["b"] });
    await bench.rule(offline);
    await bench.rule({ ...offline, channelIds: ["b"], scope: { type: "ids", ids: ids(2) } });
    await bench.rule({ ...offline, channelIds: ["a", "b"], scope: { type: "ids", ids: ["s3"] } });
    bench.up(...ids(12));
    bench.down(...ids(12));
    await bench.pass(GONE);
    assert.deepEqual((await bench.takeTitles()).toSorted(), ["b: s0 offline", "b: s1 offline"]);
    await bench.pass(30);
    const titles = await bench.takeTitles();
    assert.deepEqual(titles.toSorted(), ["12 servers offline", "b: s3 offline"]);
  });

  it("announces both ends of what came and went while it was gathered", async () => {
    await bench.rule(offline);
    bench.up(...ids(12));
    bench.down(...ids(12));
    await bench.pass(GONE + 5);
    bench.up("s0");
    await bench.pass(25);
    const [told, ...more] = await bench.takeTold();
    assert.deepEqual(more, []);
    assert.equal(told?.title, "🟠 11 servers offline");
    assert.match(told.text, /^Fired and resolved:\n- 🟠 s0 offline since 12:00 \(1 min \d+ s\)$/mu);
    await bench.pass(100);
    assert.deepEqual(await bench.takeTold(), []);
    const incident = (await bench.listIncidents()).find(({ serverId }) => serverId === "s0");
    assert.deepEqual(incident?.told, { down: true, up: true });
  });

  it("stays one message over a restart in its midst", async () => {
    await bench.rule(offline);
    bench.up(...ids(12));
    bench.down(...ids(12));
    await bench.pass(GONE + 10);
    await bench.restart();
    await bench.pass(10);
    assert.deepEqual(await bench.takeTold(), []);
    await bench.pass(12);
    assert.deepEqual(await bench.takeTitles(), ["12 servers offline"]);
    await bench.restart();
    await bench.pass(200);
    assert.deepEqual(await bench.takeTold(), []);
  });

  it("does not wait for ever when the clock is set back in its midst", async () => {
    await bench.rule(offline);
    bench.up(...ids(12));
    bench.down(...ids(12));
    await bench.pass(GONE);
    bench.clock.jump(-3 * 24 * HOUR * 1_000);
    await bench.restart();
    await bench.pass(31);
    assert.deepEqual(await bench.takeTitles(), ["12 servers offline"]);
  });

  it("of more alerts than one transaction takes is one message all the same", async () => {
    await bench.rule(offline);
    bench.up(...ids(450));
    bench.down(...ids(450));
    await bench.pass(GONE + 30);
    assert.deepEqual(await bench.takeTitles(), ["450 servers offline"]);
  });
});

describe("a restart", () => {
  it("neither ends an outage nor announces it again, though servers count as online for a while", async () => {
    await bench.rule(offline);
    bench.up("web-1");
    await bench.pass(5);
    bench.down("web-1");
    await bench.pass(GONE);
    assert.deepEqual(await bench.takeTitles(), ["web-1 offline"]);
    for (let time = 0; time < 3; time += 1) {
      await bench.restart();
      await bench.pass(100);
    }
    assert.deepEqual(await bench.takeTold(), []);
    bench.up("web-1");
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ["web-1 back online"]);
  });

  it("right after an outage was announced does not take the last sign of life for a new one", async () => {
    await bench.rule({ ...offline, graceSeconds: 0 });
    bench.up("web-1");
    await bench.pass(5);
    bench.down("web-1");
    await bench.pass(6);
    assert.deepEqual(await bench.takeTitles(), ["web-1 offline"]);
    await bench.restart();
    assert.equal(bench.live.get("web-1").state, "online");
    await bench.pass(100);
    assert.deepEqual(await bench.takeTold(), []);
  });

  it("announces the recovery that happened meanwhile, once", async () => {
    await bench.rule(offline);
    bench.up("web-1");
    bench.down("web-1");
    await bench.pass(GONE);
    await bench.takeTold();
    bench.up("web-1");
    await bench.restart();
    await bench.pass(10);
    await bench.restart();
    await bench.pass(10);
    assert.deepEqual(await bench.takeTitles(), ["web-1 back online"]);
  });

  it("closes what changed rules and servers ended while it was down", async () => {
    const { id } = await bench.rule(offline);
    bench.up("web-1");
    bench.down("web-1");
    await bench.pass(GONE);
    await bench.takeTold();
    await bench.replaceRule(id, { ...offline, enabled: false });
    await bench.restart();
    await bench.pass(1);
    assert.deepEqual(await bench.takeTitles(), ['web-1: "Gone" closed, the rule was turned off']);
  });
});

describe("a store that refuses changes", () => {
  it("loses no alert and announces none twice", async () => {
    await bench.rule({ kind: "metric", metric: "load.one", op: ">", threshold: 1, forSeconds: 0 });
    bench.up("web-1");
    const pass = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second += 1)
        await assert.rejects(bench.pass(1), { code: "store_unavailable" });
    };
    bench.report("web-1", { "load.one": 2 });
    bench.failing = true;
    await pass(5);
    bench.failing = false;
    await bench.pass(2);
    assert.equal((await bench.takeTold()).length, 1);
    bench.report("web-1", { "load.one": 0 });
    bench.failing = true;
    await pass(5);
    bench.failing = false;
    await bench.pass(2);
    assert.deepEqual(await bench.takeTitles(), ["web-1: 1-minute load 0, back below 1"]);
  });
});
