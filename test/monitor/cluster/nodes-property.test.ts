/** Whatever nodes, wires and agents do: when all is healed, there is one stream a server and one list for all. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type BenchNode, NodesBench } from "./nodes-bench.ts";

const SERVERS = ["s1", "s2", "s3"] as const;

const server = fc.constantFrom(...SERVERS);
const place = fc.integer({ min: 0, max: 2 });
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("connect" as const), place, server }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("disconnect" as const), place, server }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("pass" as const), seconds: fc.integer({ min: 1, max: 12 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom("cut", "heal", "pause", "resume", "replace"), place }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** What went wrong once: who is to speak for a node that died knows less than others, takes it for alive, has not heard when a server was gone, or learns of a later sign of life afterwards. */
const EXAMPLES: readonly [Step[]][] = [
  [
    [
      { do: "cut", place: 0 },
      { do: "connect", place: 2, server: "s1" },
      { do: "connect", place: 0, server: "s1" },
      { do: "pass", seconds: 2 },
      { do: "replace", place: 2 },
    ],
  ],
  [
    [
      { do: "connect", place: 1, server: "s1" },
      { do: "cut", place: 0 },
      { do: "pass", seconds: 1 },
      { do: "replace", place: 1 },
      { do: "pass", seconds: 2 },
    ],
  ],
  [
    [
      { do: "cut", place: 0 },
      { do: "connect", place: 2, server: "s1" },
      { do: "pass", seconds: 2 },
      { do: "replace", place: 2 },
      { do: "pass", seconds: 14 },
    ],
  ],
  [
    [
      { do: "connect", place: 0, server: "s2" },
      { do: "disconnect", place: 0, server: "s2" },
      { do: "replace", place: 1 },
      { do: "cut", place: 1 },
      { do: "pass", seconds: 4 },
      { do: "replace", place: 0 },
    ],
  ],
  [
    [
      { do: "connect", place: 0, server: "s3" },
      { do: "replace", place: 1 },
      { do: "cut", place: 1 },
      { do: "pass", seconds: 1 },
      { do: "disconnect", place: 0, server: "s3" },
      { do: "pass", seconds: 5 },
      { do: "connect", place: 0, server: "s1" },
      { do: "disconnect", place: 0, server: "s1" },
      { do: "replace", place: 0 },
    ],
  ],
];

async function play(bench: NodesBench, steps: readonly Step[]): Promise<void> {
  let made = 3;
  const places: BenchNode[] = [];
  for (const name of ["n1", "n2", "n3"]) places.push(await bench.start(name));
  for (const each of steps) {
    if (each.do === "pass") {
      await bench.pass(each.seconds);
      continue;
    }
    const node = places[each.place];
    assert.ok(node !== undefined);
    if ("server" in each) {
      if (node.isPaused) continue;
      if (each.do === "connect") await bench.connect(node, each.server);
      else bench.disconnect(node, each.server);
    } else if (each.do === "replace") {
      bench.kill(node);
      made += 1;
      places[each.place] = await bench.start(`n${made}`);
    } else if (each.do === "pause") bench.pause(node);
    else if (each.do === "resume" || !node.isPaused) {
      if (each.do === "resume") bench.resume(node);
      else bench.hub.setConnected(node.name, each.do === "heal");
    }
  }
  for (const node of places) bench.resume(node);
}

function check(bench: NodesBench): void {
  const [first, ...others] = bench.running;
  assert.ok(first !== undefined);
  for (const id of SERVERS) {
    const open = bench.open(id);
    assert.ok(open.length <= 1, `${id} is open on ${open.join(" and ")}`);
    assert.equal(first.live.get(id).state === "online", open.length === 1, `${id} is shown as it is`);
  }
  for (const other of others) assert.deepEqual(bench.list(other), bench.list(first), other.name);
  assert.equal(bench.running.filter(({ nodes }) => nodes.isLeader).length, 1);
  assert.deepEqual(bench.failures, []);
}

describe("nodes, whatever happens to them", () => {
  it("agree when all faults are over, on one stream a server and on what is online", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
        const bench = new NodesBench();
        await bench.servers(...SERVERS);
        await play(bench, steps);
        await bench.pass(20);
        check(bench);
      }),
      { numRuns: 25, examples: [...EXAMPLES] },
    );
  });

  it("announce each outage of a server once, and its end once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
        const bench = new NodesBench();
        await bench.servers(...SERVERS);
        await bench.rule(8);
        await play(bench, steps);
        await bench.pass(40);
        check(bench);
        for (const id of SERVERS) {
          const titles = bench.titles.filter((title) => title.startsWith(id));
          const pairs = titles.map((_, index) => (index % 2 === 0 ? `${id} offline` : `${id} back online`));
          assert.deepEqual(titles, pairs);
        }
      }),
      { numRuns: 20, examples: [...EXAMPLES] },
    );
  });
});
