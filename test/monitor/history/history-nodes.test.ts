/**
 * Charts over several nodes: what one has not flushed yet is shown by all, once. Reports, flushes, flushes between
 * the question and the answer, kills and moves against a sum over all reports.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type LocalHub, createLocalHub } from "../../support/local-hub.ts";
import type { History, HistorySeries } from "../../../src/monitor/history/history.ts";
import { type Others, createOthers } from "../../../src/monitor/history/others.ts";
import { createTiers } from "../../../src/monitor/history/tiers.ts";
import { retentionSchema } from "../../../src/monitor/base/schema.ts";
import { addValues, createStats } from "../../../src/store/series/rollups/bucket.ts";
import {
  type MemoryTables,
  createMemoryRollups,
  createMemoryTables,
} from "../../../src/store/series/rollups/memory-rollups.ts";
import type { RollupStore } from "../../../src/store/series/rollups/rollups.ts";
import { type FixedClock, createFixedClock, START } from "../../support/fixed-clock.ts";
import { createTestHistory, makeRow } from "./history-fixture.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SERVER = "a";
/** A machine that is busy must not look like a node that has nothing to tell. */
const ANSWER_MS = 30_000;
const tiers = createTiers(retentionSchema.parse({}));

interface Row {
  readonly at: number;
  readonly value: number;
  readonly seq: number;
}

/** A node with rows in a log that outlives it. */
class TestNode {
  readonly rollups: RollupStore;
  readonly #clock: FixedClock;
  readonly #hub: LocalHub;
  readonly #alive: Set<string>;
  readonly #name: string;
  readonly #rows: Row[] = [];
  #starts = 0;
  #seq = 1;
  servers = [{ id: SERVER, createdAt: 0 }];
  history: History;
  /** Called when the rollups are read, before they answer. */
  onRead: () => Promise<void> = async () => undefined;

  constructor(name: string, world: Pick<World, "clock" | "hub" | "alive"> & { tables: MemoryTables }) {
    this.#name = name;
    this.#clock = world.clock;
    this.#hub = world.hub;
    this.#alive = world.alive;
    const real = createMemoryRollups({ tiers, clock: world.clock, origin: name, tables: world.tables });
    this.rollups = {
      ...real,
      get flushedSeq() {
        return real.flushedSeq;
      },
      read: async (query) => {
        await this.onRead();
        return real.read(query);
      },
    };
    this.history = this.#start();
  }

  report(at: number, value: number): void {
    this.#rows.push({ at, value, seq: this.#seq });
    this.history.insert(SERVER, { at, values: makeRow({ processes: value }), seq: this.#seq });
  }

  flush(): Promise<void> {
    return this.history.flush((this.#seq += 1));
  }

  restart(): void {
    const before = `${this.#name}-${this.#starts}`;
    this.#hub.setConnected(before, false);
    this.#alive.delete(before);
    this.history = this.#start();
  }

  #start(): History {
    this.#starts += 1;
    const name = `${this.#name}-${this.#starts}`;
    const bus = this.#hub.join(name);
    this.#alive.add(name);
    const peers = (): string[] => [...this.#alive].filter((other) => other !== name);
    const history = createTestHistory({
      clock: this.#clock,
      rollups: this.rollups,
      nodes: { bus, peers, timeoutMs: ANSWER_MS, listServers: async () => this.servers },
    });
    for (const { at, value, seq } of this.#rows)
      history.restore(SERVER, { at, values: makeRow({ processes: value }), seq });
    history.restored();
    this.#seq = Math.max(this.#seq, this.rollups.flushedSeq) + 1;
    return history;
  }
}

interface World {
  readonly clock: FixedClock;
  readonly hub: LocalHub;
  /** Names of the nodes that wait for each other. */
  readonly alive: Set<string>;
  readonly a: TestNode;
  readonly b: TestNode;
}

function createWorld(): World {
  const clock = createFixedClock();
  const hub = createLocalHub((_topic, error) => assert.fail(String(error)));
  const tables = createMemoryTables(tiers);
  const alive = new Set<string>();
  const world = { clock, hub, alive, tables };
  return { clock, hub, alive, a: new TestNode("a", world), b: new TestNode("b", world) };
}

/** Node "a", which asks these, and node "b", which answers. */
function createTwo(hub: LocalHub, asked: { peers: readonly string[]; maxBytes?: number }): [Others, Others] {
  const { peers, ...options } = asked;
  const create = (name: string): Others =>
    createOthers({ bus: hub.join(name), origin: name, peers: () => peers, timeoutMs: ANSWER_MS, ...options });
  return [create("a"), create("b")];
}

async function query(node: TestNode, agoMs: number): Promise<HistorySeries> {
  const request = { serverId: SERVER, metrics: ["processes"] as const, from: START - agoMs, to: START + 1 };
  const [series] = await node.history.query({ ...request, points: 5_000 });
  assert.ok(series !== undefined);
  return series;
}

/** Every report once, in spans of this width; 0: each by itself. */
function reckon(rows: readonly { at: number; value: number }[], stepMs: number): HistorySeries["points"] {
  const byTime = new Map<number, number[]>();
  for (const { at, value } of rows) {
    const start = stepMs === 0 ? at : Math.floor(at / stepMs) * stepMs;
    byTime.set(start, [...(byTime.get(start) ?? []), value]);
  }
  return [...byTime]
    .toSorted(([left], [right]) => left - right)
    .map(([at, values]) => {
      const avg = Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 1_000) / 1_000;
      return { at, min: Math.min(...values), avg, max: Math.max(...values) };
    });
}

type Step =
  | { readonly kind: "report"; readonly node: "a" | "b"; readonly ago: number; readonly value: number }
  | { readonly kind: "flush" | "restart"; readonly node: "a" | "b" };

const node = fc.constantFrom("a" as const, "b" as const);
const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("report" as const),
      node,
      ago: fc.integer({ min: 0, max: 9_000 }).map((count) => count * 4_000),
      value: fc.nat(1_000),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("flush" as const), node }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart" as const), node }) },
);

describe("the history of two nodes", () => {
  it("equals a sum over all reports on both, also when one flushes while the other one reads", async () => {
    const property = fc.asyncProperty(
      fc.array(stepArbitrary, { maxLength: 40, size: "max" }),
      fc.boolean(),
      async (steps, isFlushedBetween) => {
        const world = createWorld();
        const rows: { at: number; value: number }[] = [];
        for (const step of steps) {
          const one = world[step.node];
          if (step.kind === "flush") await one.flush();
          if (step.kind === "restart") one.restart();
          if (step.kind !== "report") continue;
          const row = { at: START - step.ago, value: step.value };
          if (rows.some(({ at }) => at === row.at)) continue;
          rows.push(row);
          one.report(row.at, row.value);
        }
        for (const [one, other] of [
          [world.a, world.b],
          [world.b, world.a],
        ] as const) {
          if (isFlushedBetween)
            one.onRead = async () => {
              await other.flush();
              await one.flush();
            };
          for (const [agoMs, stepMs] of [
            [11 * HOUR, MINUTE],
            [5 * 24 * HOUR, 10 * MINUTE],
          ] as const)
            assert.deepEqual((await query(one, agoMs)).points, reckon(rows, stepMs));
          const recent = rows.filter(({ at }) => at >= START - 15 * MINUTE);
          assert.deepEqual((await query(one, 15 * MINUTE)).points, reckon(recent, 0));
        }
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });

  it("shows a report that two nodes have once in the raw tier", async () => {
    const { a, b } = createWorld();
    for (const one of [a, b]) one.report(START - 1_000, 5);
    b.report(START, 7);
    assert.deepEqual(
      (await query(a, MINUTE)).points,
      reckon(
        [
          { at: START - 1_000, value: 5 },
          { at: START, value: 7 },
        ],
        0,
      ),
    );
  });

  it("forgets what another one flushed of a server that was deleted, also an hour later", async () => {
    const { clock, a, b } = createWorld();
    for (const one of [a, b]) one.report(START, 5);
    await a.flush();
    a.servers = [];
    a.history.drop(SERVER, { createdAt: 0 });
    await b.flush();
    assert.deepEqual(await a.rollups.keys(), ["a.0"]);
    await a.history.maintain();
    assert.deepEqual(await a.rollups.keys(), []);
    b.report(START, 6);
    await b.flush();
    await a.history.maintain();
    assert.deepEqual(await a.rollups.keys(), ["a.0"]);
    clock.advance(HOUR);
    await a.history.maintain();
    assert.deepEqual(await a.rollups.keys(), []);
    // One that is there stays.
    b.report(START, 6);
    await b.flush();
    clock.advance(HOUR);
    await b.history.maintain();
    assert.deepEqual(await b.rollups.keys(), ["a.0"]);
  });

  it("goes on with what it has while the bus is away, and when an answer makes no sense", async () => {
    const { hub, alive, a, b } = createWorld();
    a.report(START - 1_000, 5);
    b.report(START, 7);
    const own = [{ at: START - 1_000, value: 5 }];
    hub.setConnected("b-1", false);
    alive.delete("b-1");
    alive.add("stranger");
    hub.join("stranger").answer("history", () => ({ origin: 1, parts: "?" }));
    assert.deepEqual((await query(a, MINUTE)).points, reckon(own, 0));
    hub.setConnected("a-1", false);
    assert.deepEqual((await query(a, MINUTE)).points, reckon(own, 0));
    assert.equal((await query(a, 2 * HOUR)).points.length, 1);
  });

  it("takes the other answers when the bytes of one are no spans, as of a later version", async () => {
    const hub = createLocalHub();
    const [asking, answering] = createTwo(hub, { peers: ["b", "later"] });
    const stats = createStats(1);
    addValues(stats, [7]);
    answering.answer(() => [{ seq: 1, buckets: [{ at: 0, stats }] }]);
    hub.join("later").answer("history", () => ({ origin: "c", parts: [{ seq: 0, data: "////" }] }));
    const question = { serverId: SERVER, key: "a.0", stepMs: MINUTE, from: 0, to: START, columns: [0] };
    assert.deepEqual(await asking.ask(question), [{ origin: "b", seq: 1, buckets: [{ at: 0, stats }] }]);
  });

  it("leaves the oldest spans out of an answer that would be too large", async () => {
    const hub = createLocalHub();
    const [asking, answering] = createTwo(hub, { peers: ["b"], maxBytes: 500 });
    const buckets = Array.from({ length: 1_000 }, (_, index) => {
      const stats = createStats(1);
      addValues(stats, [index * 7]);
      return { at: index * MINUTE, stats };
    });
    answering.answer(() => [{ seq: 1, buckets }]);
    const question = { serverId: SERVER, key: "a.0", stepMs: MINUTE, from: 0, to: START, columns: [0] };
    const [part] = await asking.ask(question);
    assert.ok(part !== undefined && part.buckets.length > 50 && part.buckets.length < 500);
    assert.deepEqual(part.buckets.at(-1), buckets.at(-1));
  });
});
