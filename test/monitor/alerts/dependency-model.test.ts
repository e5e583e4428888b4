/**
 * Dependencies against a model: random trees of checks over a network that breaks, flaps and comes back, with restarts
 * in between. The model knows what is broken; checks find out by their own schedules, as they would outside.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type AlertsBench, createAlertsBench } from "./alerts-bench.ts";
import { found } from "./fake-checks.ts";

const RUNS = Number(process.env["DEPENDENCY_RUNS"] ?? 25);
const SEED = 43;
const INTERVAL = 60;
const RETRY = 20;
/** Within so many seconds a check finds out what is broken, with its retry. */
const FINDS_OUT = INTERVAL + RETRY + 1;

interface Node {
  readonly id: string;
  readonly parents: readonly string[];
  /** The second of its interval in which it runs. */
  readonly phase: number;
}

type Happening =
  /** Breaks for so long, again and again, with `up` seconds in between. */
  | {
      readonly type: "break";
      readonly node: number;
      readonly down: number;
      readonly up: number;
      readonly times: number;
    }
  | { readonly type: "restart" }
  | { readonly type: "wait"; readonly seconds: number };

const tree: fc.Arbitrary<readonly Node[]> = fc
  .array(
    fc.record({
      parents: fc.array(fc.nat(), { maxLength: 2 }),
      phase: fc.integer({ min: 0, max: INTERVAL - 1 }),
    }),
    { minLength: 3, maxLength: 12 },
  )
  .map((nodes) =>
    nodes.map(({ parents, phase }, index) => ({
      id: `n${index}`,
      phase,
      // Only earlier ones: no circle.
      parents: index === 0 ? [] : [...new Set(parents.map((one) => `n${one % index}`))],
    })),
  );

const story: fc.Arbitrary<readonly Happening[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        type: fc.constant("break" as const),
        node: fc.nat(),
        // Long enough for its own check to find out; what no check of a parent can see, no dependency can explain.
        down: fc.integer({ min: 2 * FINDS_OUT, max: 400 }),
        up: fc.integer({ min: 5, max: 300 }),
        times: fc.integer({ min: 1, max: 4 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ type: fc.constant("restart" as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({ type: fc.constant("wait" as const), seconds: fc.integer({ min: 1, max: 200 }) }),
    },
  ),
  { minLength: 2, maxLength: 6 },
);

class Network {
  readonly #nodes: readonly Node[];
  readonly #bench: AlertsBench;
  #second = 0;
  readonly #broken = new Set<string>();
  /** The last second in which a node itself was broken. */
  readonly #lastBroken = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  readonly #dueAt = new Map<string, number>();
  readonly #seen = new Set<string>();
  /** Runs of checks so far. */
  runs = 0;

  constructor(nodes: readonly Node[], bench: AlertsBench) {
    this.#nodes = nodes;
    this.#bench = bench;
    for (const { id, parents, phase } of nodes) {
      bench.checks.add(id, {
        intervalSeconds: INTERVAL,
        retrySeconds: RETRY,
        failures: 2,
        ...(parents.length === 0 ? {} : { dependsOn: [...parents] }),
      });
      this.#dueAt.set(id, phase);
    }
  }

  async happen(event: Happening): Promise<void> {
    switch (event.type) {
      case "restart":
        return this.#bench.restart();
      case "wait":
        return this.pass(event.seconds);
      case "break": {
        const { id = "" } = this.#nodes[event.node % this.#nodes.length] ?? {};
        for (let time = 0; time < event.times; time += 1) {
          this.#broken.add(id);
          await this.pass(event.down);
          this.#broken.delete(id);
          await this.pass(event.up);
        }
      }
    }
  }

  async pass(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 1) {
      for (const id of this.#broken) this.#lastBroken.set(id, this.#second);
      for (const node of this.#nodes) if (this.#dueAt.get(node.id) === this.#second) this.#run(node);
      await this.#bench.pass(1);
      await this.#assertInvariants();
      this.#second += 1;
    }
  }

  #isReachable({ id, parents }: Node): boolean {
    return (
      !this.#broken.has(id) &&
      parents.every((parent) => {
        const node = this.#nodes.find((one) => one.id === parent);
        return node !== undefined && this.#isReachable(node);
      })
    );
  }

  #run(node: Node): void {
    const { checks, clock } = this.#bench;
    this.runs += 1;
    const isUp = this.#isReachable(node);
    const failures = isUp ? 0 : (this.#failures.get(node.id) ?? 0) + 1;
    this.#failures.set(node.id, failures);
    this.#dueAt.set(node.id, this.#second + (failures === 1 ? RETRY : INTERVAL));
    const before = checks.findStanding(node.id)?.state ?? "unknown";
    const state = isUp ? "up" : failures >= 2 ? "down" : before;
    const place = found({
      at: clock.now(),
      detail: "",
      isDown: state === "down",
      failures,
      ...(isUp ? {} : { fault: "refused" }),
    });
    checks.stand(node.id, state, { places: [{ ...place, isDown: state === "down" }] });
  }

  async #assertInvariants(): Promise<void> {
    const { checks, alerts } = this.#bench;
    const open = new Set(alerts.firing().map(({ checkId = "" }) => checkId));
    const pending = new Set(alerts.pending().map(({ watched }) => watched.record.id));
    for (const node of this.#nodes) {
      const { id } = node;
      const state = checks.findStanding(id)?.state;
      // Resolving is never suppressed.
      if (state === "up") assert.ok(!open.has(id), `${id} is up, but its incident is open`);
      // Measuring is not either: what is down is evaluated, and either open or waiting.
      if (state === "down") assert.ok(open.has(id) || pending.has(id), `${id} is down, but not evaluated`);
      if (!open.has(id)) {
        this.#seen.delete(id);
        continue;
      }
      if (this.#seen.has(id)) continue;
      this.#seen.add(id);
      const down = node.parents.filter((parent) => checks.findStanding(parent)?.state === "down");
      assert.deepEqual(down, [], `${id} opened an incident while a parent is down`);
      // Parents that broke or flapped never make a notification of a child.
      const since = this.#lastBroken.get(id) ?? -Infinity;
      assert.ok(
        this.#second - since <= 2 * FINDS_OUT,
        `${id} opened an incident, but was never broken itself`,
      );
    }
  }
}

async function run(nodes: readonly Node[], happenings: readonly Happening[]): Promise<void> {
  const bench = await createAlertsBench();
  await bench.rule({ kind: "check", name: "A check is down" });
  const network = new Network(nodes, bench);
  await network.pass(2 * INTERVAL);
  for (const event of happenings) await network.happen(event);
  await network.pass(5 * INTERVAL);
  assert.deepEqual(bench.alerts.firing(), [], "all is well again, and nothing is open");
  assert.deepEqual(bench.alerts.pending(), []);
  // Each "down" has its "up", and there is nothing else.
  const told = await bench.takeTold();
  const downs = told.filter(({ kind }) => kind === "firing").length;
  const ups = told.filter(({ kind }) => kind === "resolved").length;
  assert.equal(downs, ups);
  assert.ok(network.runs > nodes.length, "checks ran");
}

describe("whatever happens to a network", () => {
  it("keeps the invariants of dependencies", async () => {
    await fc.assert(
      fc.asyncProperty(tree, story, (nodes, happenings) => run(nodes, happenings)),
      { numRuns: RUNS, seed: SEED },
    );
  });
});
