/**
 * Usage in several processes on one store: an agent that moves between them, kills, late flushes, a bus
 * that is away. Whatever came when, the days are those of one process that saw every report once.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type LocalHub, createLocalHub } from "../../support/local-hub.ts";
import { toDay } from "../../../src/kit/time/zone-days.ts";
import { type UsageCheckpoint, usageCheckpointSchema } from "../../../src/monitor/usage/schema.ts";
import type { Usage, StoredReport } from "../../../src/monitor/usage/usage.ts";
import type { ServerRecord } from "../../../src/monitor/base/schema.ts";
import { StoreError } from "../../../src/store/store.ts";
import {
  type BookWorld,
  type FaultMode,
  type FaultyStore,
  arrive,
  createBookWorld,
  createFaultyStore,
  report,
} from "./usage-fixture.ts";

const ID = "a";
const HOUR = 3_600_000;
const MINUTE = 60_000;
const NAMES = ["n0", "n1", "n2"] as const;
/** How far the clock of each node is ahead. */
const AHEAD_MS = [0, -MINUTE, 2 * MINUTE] as const;

type Step =
  | { readonly kind: "report"; readonly afterMs: number; readonly rx: number; readonly tx: number }
  | { readonly kind: "reboot"; readonly rx: number; readonly tx: number }
  | { readonly kind: "move"; readonly node: number; readonly again: number }
  | { readonly kind: "flush"; readonly node: number; readonly how: FaultMode }
  | { readonly kind: "checkpoint" | "kill" | "start" | "cut" | "mend" | "catchUp"; readonly node: number }
  | { readonly kind: "minute" };

const bytes = fc.integer({ min: 0, max: 1_000_000 });
const node = fc.nat(NAMES.length - 1);
const steps = fc.array(
  fc.oneof(
    {
      weight: 10,
      arbitrary: fc.record({
        kind: fc.constant("report" as const),
        afterMs: fc.integer({ min: 1, max: 5 * HOUR }),
        rx: bytes,
        tx: bytes,
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("reboot" as const), rx: bytes, tx: bytes }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("move" as const), node, again: fc.nat(3) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("flush" as const),
        node,
        how: fc.constantFrom("calm" as const, "calm" as const, "refused" as const, "unsure" as const),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constantFrom("checkpoint", "kill", "start", "cut", "mend", "catchUp"),
        node,
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("minute" as const) }) },
  ),
  // Without it, few are longer than ten.
  { maxLength: 50, size: "max" },
);

/** A node: what its sample log holds lives on when it is killed. */
class TestNode {
  readonly #world: BookWorld;
  readonly #hub: LocalHub;
  readonly #name: string;
  readonly #store: FaultyStore;
  readonly #rows: StoredReport[] = [];
  #kept: { readonly part: UsageCheckpoint | undefined; readonly from: number } = { part: undefined, from: 0 };
  #starts = 0;
  /** Minutes that are in no checkpoint and not in the store. */
  unsafeMinutes = 0;
  book: Usage | undefined;

  constructor(world: BookWorld, hub: LocalHub, name: string) {
    this.#world = world;
    this.#hub = hub;
    this.#name = name;
    this.#store = createFaultyStore(world.store);
  }

  async start(): Promise<void> {
    if (this.book !== undefined) return;
    this.#starts += 1;
    const bus = this.#hub.join(`${this.#name}-${this.#starts}`);
    const book = await this.#world.start({ store: this.#store, bus, origin: this.#name });
    if (this.#kept.part !== undefined) book.restore(ID, this.#kept.part);
    for (const row of this.#rows.slice(this.#kept.from)) book.count(ID, row);
    this.book = book;
  }

  setConnected(isConnected: boolean): void {
    this.#hub.setConnected(`${this.#name}-${this.#starts}`, isConnected);
  }

  take(row: StoredReport): void {
    this.#rows.push(row);
    this.book?.count(ID, row);
  }

  checkpoint(): void {
    const part = this.book?.snapshot(ID);
    if (part === undefined) return;
    this.#kept = {
      part: usageCheckpointSchema.parse(JSON.parse(JSON.stringify(part))),
      from: this.#rows.length,
    };
    this.unsafeMinutes = 0;
  }

  async flush(how: FaultMode): Promise<void> {
    this.#store.mode = how;
    await this.book?.flush().catch((error: unknown) => assert.ok(error instanceof StoreError));
    this.#store.mode = "calm";
    if (this.book !== undefined && how !== "refused") this.unsafeMinutes = 0;
  }

  /** Gives the minutes that are lost. */
  kill(): number {
    if (this.book === undefined) return 0;
    this.setConnected(false);
    this.book.close();
    this.book = undefined;
    const lost = this.unsafeMinutes;
    this.unsafeMinutes = 0;
    return lost;
  }
}

class Fleet {
  readonly #world: BookWorld;
  readonly nodes: readonly TestNode[];
  readonly reports: StoredReport[] = [];
  minutes = 0;
  #holder = 0;
  #rx = 5_000;
  #tx = 7_000;

  constructor(world: BookWorld) {
    this.#world = world;
    const hub = createLocalHub((_topic, error) => assert.fail(String(error)));
    this.nodes = NAMES.map((name) => new TestNode(world, hub, name));
  }

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case "report":
        return this.#report(step);
      case "reboot":
        this.#rx = step.rx;
        this.#tx = step.tx;
        return;
      case "move":
        return this.#move(step.node, step.again);
      case "flush":
        return this.#at(step.node).flush(step.how);
      case "checkpoint":
        return this.#at(step.node).checkpoint();
      case "kill":
        this.minutes -= this.#at(step.node).kill();
        return;
      case "start":
        return this.#at(step.node).start();
      case "cut":
      case "mend":
        return this.#at(step.node).setConnected(step.kind === "mend");
      case "catchUp":
        return this.#at(step.node).book?.catchUp();
      case "minute":
        return this.#minute();
    }
  }

  #at(index: number): TestNode {
    const found = this.nodes[index];
    assert.ok(found !== undefined);
    return found;
  }

  #report({ afterMs, rx, tx }: { afterMs: number; rx: number; tx: number }): void {
    const holder = this.#at(this.#holder);
    // An agent without a monitor keeps its counters growing.
    this.#rx += rx;
    this.#tx += tx;
    this.#world.clock.advance(afterMs);
    if (holder.book === undefined) return;
    const at = this.#world.clock.now();
    const row = report({ at, receivedAt: this.#toArrival(this.#holder) }, this.#rx, this.#tx);
    this.reports.push(row);
    holder.take(row);
  }

  /** What was not acknowledged is sent again, with the time of its new arrival. */
  #move(index: number, again: number): void {
    const to = this.#at(index);
    if (to.book === undefined) return;
    this.#holder = index;
    to.book.begin(ID);
    for (const row of again === 0 ? [] : this.reports.slice(-again))
      to.take({ ...row, receivedAt: this.#toArrival(index) });
  }

  /** Now, by the clock of a node. */
  #toArrival(index: number): number {
    return this.#world.clock.now() + (AHEAD_MS[index] ?? 0);
  }

  #minute(): void {
    const leader = this.nodes.find(({ book }) => book !== undefined);
    this.#world.clock.advance(MINUTE);
    if (leader?.book === undefined) return;
    const before = leader.book.minutes;
    for (const { book } of this.nodes) book?.minute(book === leader.book);
    if (leader.book.minutes === before) return;
    this.minutes += 1;
    leader.unsafeMinutes += 1;
  }
}

/** What one process counts that sees every report once, in the order of time. */
function reckon(reports: readonly StoredReport[], timeZone: string): Map<string, [number, number]> {
  const days = new Map<string, [number, number]>();
  let last: { rx: number; tx: number } | undefined;
  for (const { at, values } of reports) {
    const [rx = 0, tx = 0] = Array.from(values).filter((value) => value !== undefined);
    const from = last === undefined ? { rx, tx } : rx < last.rx || tx < last.tx ? { rx: 0, tx: 0 } : last;
    const day = toDay(at, timeZone);
    const [rxBytes, txBytes] = days.get(day) ?? [0, 0];
    days.set(day, [rxBytes + rx - from.rx, txBytes + tx - from.tx]);
    last = { rx, tx };
  }
  return days;
}

async function assertDays(book: Usage, record: ServerRecord, fleet: Fleet): Promise<void> {
  const expected = reckon(fleet.reports, record.traffic.timeZone);
  let known = 0;
  for (const { date, rxBytes, txBytes, knownMinutes } of await book.days(record, 92)) {
    assert.deepEqual([rxBytes, txBytes], expected.get(date) ?? [0, 0], date);
    known += knownMinutes;
  }
  assert.equal(known, fleet.minutes);
}

/** Killed, a node forgets that another one had the stream between two of its rows, and writes before that one does. */
const forgotten: Step[] = [
  { kind: "report", afterMs: 4_083_541, rx: 0, tx: 0 },
  { kind: "move", node: 1, again: 0 },
  { kind: "report", afterMs: 2_255_152, rx: 0, tx: 1 },
  { kind: "report", afterMs: 16_161_307, rx: 0, tx: 0 },
  { kind: "move", node: 0, again: 1 },
  { kind: "kill", node: 0 },
];

/** The agent comes back to a node whose clock is behind, within the minute that it is behind. */
const behind: Step[] = [
  { kind: "report", afterMs: MINUTE, rx: 100, tx: 100 },
  { kind: "report", afterMs: MINUTE / 6, rx: 100, tx: 100 },
  { kind: "move", node: 1, again: 0 },
  { kind: "report", afterMs: MINUTE / 6, rx: 100, tx: 100 },
  { kind: "report", afterMs: MINUTE / 6, rx: 100, tx: 100 },
];

describe("usage on several nodes", () => {
  it("is that of one: moves, repeats, reboots, kills, late and refused flushes, a bus that is away, clocks that differ", async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom("UTC", "Asia/Kathmandu"), async (taken, timeZone) => {
        const world = createBookWorld();
        const record = await world.add(ID, { timeZone });
        world.states.set(ID, "online");
        const fleet = new Fleet(world);
        for (const one of fleet.nodes) await one.start();
        for (const step of taken) await fleet.take(step);
        for (const one of fleet.nodes) {
          await one.start();
          one.setConnected(true);
        }
        for (const one of fleet.nodes) await one.flush("calm");
        await arrive();
        for (const { book } of fleet.nodes) {
          // Each one knows, or looks now, what the others wrote.
          await book?.load();
          assert.ok(book !== undefined);
          await assertDays(book, record, fleet);
        }
        await assertDays(await world.start(), record, fleet);
      }),
      {
        numRuns: 80,
        examples: [
          [forgotten, "Asia/Kathmandu"],
          [behind, "UTC"],
        ],
      },
    );
  });
});
