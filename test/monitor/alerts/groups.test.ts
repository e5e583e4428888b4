/** Groups: one state and one alert for servers and checks of one name. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import fc from "fast-check";
import { type GroupWatchDeps, GroupWatch, judgeGroup } from "../../../src/monitor/alerts/group-watch.ts";
import { type GroupTarget, groupTargetSchema } from "../../../src/monitor/checks/schema.ts";
import type { CheckView } from "../../../src/monitor/checks/view-schema.ts";
import { REFUSED, createCheckBench, settle } from "../checks/check-bench.ts";
import { type AlertsBench, createAlertsBench } from "./alerts-bench.ts";
import { found } from "./fake-checks.ts";

const rules = { check: { kind: "check", name: "Outage" }, server: { kind: "offline", name: "Gone" } };
/** From the start until servers of a group count. */
const SETTLED = 61;

const target = (more: Partial<GroupTarget> = {}): GroupTarget =>
  groupTargetSchema.parse({ kind: "group", group: "Web", ...more });

describe("the verdict on a group", () => {
  type State = Parameters<typeof judgeGroup>[1][number]["state"];
  const toMembers = (states: readonly State[]) => states.map((state, at) => ({ name: `m${at}`, state }));

  it("holds whatever members of unknown state turn out to be, and is unknown otherwise", () => {
    const states = fc.array(fc.constantFrom<State>("up", "down", "unknown"), { minLength: 1, maxLength: 7 });
    const rule = fc.record({
      downWhen: fc.constantFrom<GroupTarget["downWhen"]>("any", "all", "atLeast"),
      count: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(states, rule, (members, { downWhen, count }) => {
        const isDown = (all: readonly State[]): boolean => {
          const down = all.filter((state) => state === "down").length;
          if (downWhen === "any") return down > 0;
          return downWhen === "all" ? down === all.length : down >= Math.min(count, all.length);
        };
        const possible = new Set<boolean>();
        for (let bits = 0; bits < 2 ** members.length; bits += 1)
          possible.add(
            isDown(
              members.map((state, at) => {
                if (state !== "unknown") return state;
                return Math.floor(bits / 2 ** at) % 2 === 1 ? "down" : "up";
              }),
            ),
          );
        const expected = possible.size > 1 ? "unknown" : possible.has(true) ? "down" : "up";
        assert.equal(judgeGroup(target({ downWhen, count }), toMembers(members)).state, expected);
      }),
    );
  });

  it("names who is down, in one line of 200 characters", () => {
    assert.deepEqual(judgeGroup(target({ downWhen: "all" }), toMembers(["down", "up", "down"])), {
      state: "up",
      detail: "2 of 3 down: m0, m2",
      members: { total: 3, down: 2, names: ["m0", "m2"] },
    });
    const many = Array.from({ length: 99 }, (): State => "down");
    const { detail, members } = judgeGroup(target(), toMembers(many));
    assert.equal(detail.length, 200);
    assert.deepEqual([members?.total, members?.down, members?.names.length], [99, 99, 10]);
    assert.equal(judgeGroup(target(), []).state, "unknown");
  });
});

describe("a group", () => {
  let bench: AlertsBench;
  let watch: GroupWatch;
  let isLeader: boolean;
  let maintained: string | undefined;

  beforeEach(async () => {
    bench = await createAlertsBench();
    isLeader = true;
    maintained = undefined;
    restartWatch();
  });

  function restartWatch(seen: Partial<GroupWatchDeps> = {}): void {
    watch = new GroupWatch({
      clock: bench.clock,
      watched: bench.alerts.watched,
      dependencies: bench.alerts.dependencies,
      checkIntake: {
        judge: (id, { state, members, ...result }) =>
          bench.checks.stand(id, state, { places: [found(result)], ...(members && { members }) }),
      },
      nodes: {
        get isLeader() {
          return isLeader;
        },
      },
      isInMaintenance: ({ id }) => id === maintained,
      ...seen,
    });
  }

  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      await bench.pass(1);
      watch.tick();
    }
  }

  const stateOf = (id = "web"): string | undefined => bench.checks.findStanding(id)?.state;

  /** Two servers and a check in the group, all up. */
  async function fill(more: Partial<GroupTarget> = {}): Promise<void> {
    bench.server("web-1", { group: "Web" });
    bench.server("web-2", { group: "Web" });
    bench.server("other", { group: "Lab" });
    bench.up("web-1", "web-2", "other");
    bench.checks.add("shop", { group: "Web" });
    bench.checks.up("shop");
    bench.checks.add("web", { target: target(more) });
    await bench.rule(rules.check);
    await bench.rule(rules.server);
    await pass(SETTLED);
    assert.equal(stateOf(), "up");
  }

  it("is down by its rule, and alerts once with who is down", async () => {
    await fill({ downWhen: "atLeast", count: 2, alertsForMembers: true });
    bench.checks.down("shop");
    await pass(300);
    assert.equal(stateOf(), "up");
    assert.deepEqual(await bench.takeTitles(), []);
    bench.down("web-1");
    await pass(300);
    assert.equal(stateOf(), "down");
    const [told, ...more] = await bench.takeTold();
    assert.deepEqual(more, []);
    assert.match(told?.title ?? "", /web down: too many members of the group are down/u);
    assert.match(told?.text ?? "", /2 of 3 down: web-1, shop/u);
    bench.up("web-1");
    await pass(2);
    assert.deepEqual(await bench.takeTitles(), ["web up again"]);
  });

  it("leaves alerts of members alone unless its owner wants so", async () => {
    await fill({ downWhen: "all" });
    bench.checks.down("shop");
    await pass(2);
    assert.deepEqual(await bench.takeTitles(), ["shop down: connection refused"]);
    bench.down("other");
    await pass(300);
    assert.deepEqual(await bench.takeTitles(), ["other offline"]);
  });

  it("never keeps an open alert of a member from ending, and measures on", async () => {
    await fill();
    bench.checks.down("shop");
    await pass(2);
    await bench.takeTold();
    bench.checks.add("web", { target: target({ alertsForMembers: true }) });
    await pass(1);
    bench.checks.up("shop");
    await pass(2);
    assert.deepEqual(new Set(await bench.takeTitles()), new Set(["shop up again", "web up again"]));
  });

  it("suppresses nothing while it is paused, or while no rule watches it", async () => {
    await fill({ alertsForMembers: true });
    bench.checks.add("web", { paused: true });
    bench.checks.down("shop");
    await pass(2);
    assert.deepEqual(await bench.takeTitles(), ["shop down: connection refused"]);
    bench.checks.up("shop");
    await pass(2);
    await bench.takeTold();
    bench.checks.add("web", { paused: false });
    for (const { id, rule } of await bench.alerts.rules.list())
      if (rule.kind === "check")
        await bench.replaceRule(id, { ...rule, scope: { type: "ids", ids: ["shop"] } });
    bench.checks.down("shop");
    await pass(2);
    assert.deepEqual(await bench.takeTitles(), ["shop down: connection refused"]);
  });

  it("does not count members that are paused, in maintenance, or never reported", async () => {
    await fill({ downWhen: "all" });
    bench.server("new", { group: "Web" });
    bench.server("web-1", { disabled: true });
    maintained = "web-2";
    bench.checks.down("shop");
    await pass(2);
    assert.equal(stateOf(), "down");
    maintained = undefined;
    await pass(2);
    assert.equal(stateOf(), "up");
  });

  it("keeps its state over a restart until agents have connected again", async () => {
    await fill({ alertsForMembers: true });
    bench.down("web-1");
    await pass(300);
    assert.deepEqual(await bench.takeTitles(), ["web down: too many members of the group are down"]);
    await bench.restart();
    // For a while, what is known of servers is from before the restart.
    restartWatch({ dependencies: { stateOf: () => "up" } });
    await pass(59);
    assert.equal(stateOf(), "down");
    bench.clock.advance(10_000);
    await pass(59);
    assert.equal(stateOf(), "down");
    restartWatch();
    await pass(120);
    assert.deepEqual([stateOf(), await bench.takeTitles()], ["down", []]);
  });

  it("is judged by the node that leads alone", async () => {
    await fill();
    isLeader = false;
    bench.checks.down("shop");
    await pass(120);
    assert.equal(stateOf(), "up");
  });

  it("can be what others depend on: both uplinks must be down", async () => {
    await fill({ downWhen: "all", alertsForMembers: true });
    bench.checks.add("behind", { dependsOn: ["web"] });
    bench.checks.up("behind");
    await pass(200);
    bench.checks.down("shop");
    bench.down("web-1", "web-2");
    bench.checks.down("behind");
    await pass(300);
    assert.deepEqual(await bench.takeTitles(), ["web down: too many members of the group are down"]);
    bench.up("web-1");
    await pass(1);
    for (let round = 0; round < 12; round += 1) {
      bench.checks.down("behind");
      await pass(30);
    }
    assert.deepEqual(await bench.takeTitles(), ["web up again", "behind down: connection refused"]);
    bench.checks.up("behind");
    await pass(300);
    await bench.takeTold();
    // The group is known to be up after each of its verdicts, not only when its state changes.
    bench.checks.down("behind");
    await pass(25);
    bench.checks.down("behind");
    await pass(1);
    assert.deepEqual(await bench.takeTitles(), ["behind down: connection refused"]);
  });

  it("of groups, and of itself, is none", async () => {
    bench.checks.add("a", { group: "B", target: target({ group: "A" }) });
    bench.checks.add("b", { group: "A", target: target({ group: "B" }) });
    await pass(SETTLED);
    assert.deepEqual([stateOf("a"), stateOf("b")], ["unknown", "unknown"]);
  });
});

describe("a group of checks that retry", () => {
  it("is down once a member is down after its last attempt, and names it", async () => {
    const { app, make, targets, pass, stateOf, centerOf } = await createCheckBench();
    const shop = await make("shop", { group: "Web", failures: 3, retrySeconds: 5 });
    const web = await make("web", { target: target({ downWhen: "any" }) });
    /** Lets time pass until an attempt of the member is through, and judges. */
    const step = async (seconds: number, failures: number): Promise<string | undefined> => {
      await pass(seconds);
      for (let turn = 0; turn < 1_000 && centerOf(shop.id)?.failures !== failures; turn += 1) await settle();
      assert.equal(centerOf(shop.id)?.failures, failures);
      app.monitor.groups.tick();
      return stateOf(web.id);
    };
    assert.equal(await step(1, 0), "up");
    targets.answers.set("192.0.2.1", REFUSED);
    assert.equal(await step(44, 1), "up");
    assert.equal(await step(5, 2), "up");
    assert.equal(await step(5, 3), "down");
    const [said] = app.monitor.checkDirectory.findStanding(web.id)?.places ?? [];
    assert.equal(said?.detail, "1 of 1 down: shop");
  });

  it("says how many members are down, also while its rule holds, and counts new members at once", async () => {
    const { app, make, targets, pass } = await createCheckBench();
    targets.answers.set("192.0.2.2", REFUSED);
    const down = { kind: "tcp", host: "192.0.2.2", port: 80 };
    await make("Shop", { group: "Web", failures: 1 });
    const web = await make("web", { target: target({ downWhen: "atLeast", count: 2 }) });
    const read = async (): Promise<unknown> => {
      await settle();
      app.monitor.groups.tick();
      const response = await app.admin("GET", `/api/admin/checks/${web.id}`);
      // `as`: answers are checked against the OpenAPI document.
      const { state, members } = ((await response.json()) as CheckView).standing;
      return { state, ...members };
    };
    await pass(1);
    assert.deepEqual(await read(), { state: "up", total: 1, down: 0, names: [] });
    await make("Docs", { group: "Web", failures: 1 });
    await pass(1);
    assert.deepEqual(await read(), { state: "up", total: 2, down: 0, names: [] });
    await make("Blog", { group: "Web", failures: 1, target: down });
    await pass(1);
    assert.deepEqual(await read(), { state: "up", total: 3, down: 1, names: ["Blog"] });
    await make("News", { group: "Web", failures: 1, target: down });
    await pass(1);
    assert.deepEqual(await read(), { state: "down", total: 4, down: 2, names: ["Blog", "News"] });
  });
});
