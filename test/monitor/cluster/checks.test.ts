/** Checks and their alerts on two nodes: one of them tries and judges, and the other goes on when it dies. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { type LocalHub, createLocalHub } from "../../support/local-hub.ts";
import { type FixedClock, createFixedClock } from "../../support/fixed-clock.ts";
import { type CheckBench, OK, REFUSED, createCheckBench, settle, tcp } from "../checks/check-bench.ts";
import { monitorCollections } from "../../../src/monitor/app/records.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import type { Store } from "../../../src/store/store.ts";

const INTERVAL = 30;
const COUNT = 40;
/** Enough for the lease to end, and for another node to take it. */
const TAKEOVER = 30;

interface TestNode {
  readonly name: string;
  readonly bench: CheckBench;
  /** Suspended: it runs nothing and receives nothing. */
  isStill: boolean;
}

const hosts = Array.from({ length: COUNT }, (_, index) => `host-${index}.example`);

let hub: LocalHub;
let clock: FixedClock;
let store: Store;
let nodes: TestNode[];

async function start(name: string): Promise<TestNode> {
  const bench = await createCheckBench({ bus: hub.join(name), store, clock });
  const node = { name, bench, isStill: false };
  nodes.push(node);
  return node;
}

/** Lets seconds pass on every node that runs. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    clock.advance(1_000);
    for (const { bench, isStill } of nodes) {
      if (isStill) continue;
      const { monitor } = bench.app;
      await monitor.renewLease();
      monitor.tick();
      await monitor.follow();
      await monitor.checkWatch.tick();
      await settle();
      await monitor.checkWatch.keep();
      await settle();
      await monitor.alerts.tick();
    }
  }
}

function still(node: TestNode, isStill: boolean): void {
  node.isStill = isStill;
  hub.setConnected(node.name, !isStill);
}

function findLeader(): TestNode {
  const leaders = nodes.filter(({ isStill, bench }) => !isStill && bench.app.monitor.nodes.isLeader);
  assert.equal(leaders.length, 1, "one node leads");
  return leaders[0] ?? assert.fail();
}

function findOther(node: TestNode): TestNode {
  return nodes.find((one) => one !== node) ?? assert.fail();
}

/** How often each host was requested since the last call, on all nodes together. */
function countAsked(): number[] {
  const asked = nodes.flatMap(({ bench }) => bench.targets.take());
  return hosts.map((host) => asked.filter((one) => one === host).length);
}

function answer(host: string, what: typeof OK): void {
  for (const { bench } of nodes) bench.targets.answers.set(host, what);
}

/** Titles of notices without times, the oldest first. */
async function listTitles(): Promise<readonly string[]> {
  const running = nodes.find(({ isStill }) => !isStill) ?? assert.fail();
  const response = await running.bench.app.admin("GET", "/api/admin/notices");
  const { items } = (await response.json()) as { items: { title: string }[] };
  return items.map(({ title }) => title.replace(/ (?:since|after) .*$/u, "")).toReversed();
}

beforeEach(async () => {
  hub = createLocalHub((_topic, error) => assert.fail(String(error)));
  clock = createFixedClock();
  store = createMemoryStore({ collections: monitorCollections });
  nodes = [];
  const first = await start("a");
  await start("b");
  await pass(10);
  const channel = { type: "ntfy", name: "Phone", topic: "fleet" };
  assert.equal((await first.bench.app.admin("POST", "/api/admin/channels", channel)).status, 201);
  for (const host of hosts)
    await first.bench.make(host, { ...tcp(host), intervalSeconds: INTERVAL, failures: 2, retrySeconds: 5 });
  await pass(2 * INTERVAL);
  countAsked();
});

afterEach(() => {
  for (const { bench } of nodes) bench.targets.release();
});

describe("checks on two nodes", () => {
  it("are tried by one of them, each once in its interval, and shown by both", async () => {
    await pass(4 * INTERVAL);
    const counts = countAsked();
    assert.ok(
      counts.every((count) => count >= 3 && count <= 5),
      counts.join(" "),
    );
    const [a, b] = nodes;
    const statesOf = (node: TestNode | undefined): unknown =>
      node?.bench.app.monitor.checkDirectory.records().map(({ id, name }) => [name, node.bench.stateOf(id)]);
    assert.deepEqual(statesOf(a), statesOf(b));
    assert.deepEqual(await listTitles(), []);
  });

  it("go on when their owner is killed: none lost, none doubled, no false alarm", async () => {
    const owner = findLeader();
    still(owner, true);
    await pass(TAKEOVER + INTERVAL);
    const left = findLeader();
    assert.notEqual(left, owner);
    countAsked();
    await pass(4 * INTERVAL);
    const counts = countAsked();
    assert.ok(
      counts.every((count) => count >= 3 && count <= 5),
      counts.join(" "),
    );
    assert.deepEqual(await listTitles(), []);
  });

  it("alert once when they fail around the death of their owner, and so does their recovery", async () => {
    const [before = "", around = "", healed = "", after = ""] = hosts;
    const owner = findLeader();
    for (const host of [before, healed]) answer(host, REFUSED);
    await pass(2 * INTERVAL);
    assert.deepEqual((await listTitles()).toSorted(), [
      `🔴 ${before} down: connection refused`,
      `🔴 ${healed} down: connection refused`,
    ]);
    answer(around, REFUSED);
    await pass(1);
    still(owner, true);
    answer(healed, OK);
    await pass(TAKEOVER + 2 * INTERVAL);
    answer(after, REFUSED);
    await pass(2 * INTERVAL);
    // The old owner wakes up with what it knew, and must neither judge nor tell.
    still(owner, false);
    await pass(2 * INTERVAL);
    for (const host of [before, around, after]) answer(host, OK);
    await pass(2 * INTERVAL);
    const down = [before, around, healed, after].map((host) => `🔴 ${host} down: connection refused`);
    const up = [before, around, healed, after].map((host) => `🟢 ${host} up again`);
    assert.deepEqual((await listTitles()).toSorted(), [...down, ...up].toSorted());
    assert.deepEqual(findOther(owner).bench.app.monitor.alerts.firing(), []);
  });
});
