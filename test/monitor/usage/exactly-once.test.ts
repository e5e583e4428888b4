/** Traffic over crashes: whatever was killed when, the days are those of a run that was never interrupted. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { toDay } from "../../../src/kit/time/zone-days.ts";
import { usageCheckpointSchema, type UsageCheckpoint } from "../../../src/monitor/usage/schema.ts";
import type { Usage, StoredReport } from "../../../src/monitor/usage/usage.ts";
import type { ServerRecord } from "../../../src/monitor/base/schema.ts";
import { StoreError } from "../../../src/store/store.ts";
import {
  type BookWorld,
  type FaultyStore,
  createBookWorld,
  createFaultyStore,
  report,
} from "./usage-fixture.ts";

const ID = "a";
const HOUR = 3_600_000;

type Step =
  | { readonly kind: "report"; readonly afterMs: number; readonly rx: number; readonly tx: number }
  | { readonly kind: "reboot"; readonly rx: number; readonly tx: number }
  | { readonly kind: "late"; readonly pick: number; readonly backMs: number }
  | { readonly kind: "again"; readonly pick: number }
  | { readonly kind: "checkpoint"; readonly keep: number }
  | { readonly kind: "flush"; readonly how: "calm" | "busy" | "refused" | "unsure" }
  | { readonly kind: "kill" };

const bytes = fc.integer({ min: 0, max: 1_000_000 });
const steps = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant("report" as const),
        afterMs: fc.integer({ min: 0, max: 9 * HOUR }),
        rx: bytes,
        tx: bytes,
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("reboot" as const), rx: bytes, tx: bytes }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("late" as const),
        pick: fc.nat(100),
        backMs: fc.integer({ min: 0, max: 60 * HOUR }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("again" as const), pick: fc.nat(100) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("checkpoint" as const), keep: fc.nat(10) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("flush" as const),
        how: fc.constantFrom("calm" as const, "busy" as const, "refused" as const, "unsure" as const),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("kill" as const) }) },
  ),
  // Without it, few are longer than ten.
  { maxLength: 60, size: "max" },
);

/** A monitor that is killed and started again, as far as traffic goes. */
class Service {
  readonly #world: BookWorld;
  readonly #store: FaultyStore;
  #book: Usage;
  /** What the sample log holds: every acknowledged report, and a checkpoint with the first row that it keeps. */
  readonly rows: StoredReport[] = [];
  #checkpoint: { readonly part: UsageCheckpoint | undefined; readonly keepFrom: number } = {
    part: undefined,
    keepFrom: 0,
  };
  #rx = 5_000;
  #tx = 7_000;

  constructor(world: BookWorld, store: FaultyStore, book: Usage) {
    this.#world = world;
    this.#store = store;
    this.#book = book;
  }

  get book(): Usage {
    return this.#book;
  }

  async take(step: Step): Promise<void> {
    const { clock } = this.#world;
    if (step.kind === "report") {
      clock.advance(step.afterMs);
      this.#rx += step.rx;
      this.#tx += step.tx;
      this.#keep(report({ at: clock.now() }, this.#rx, this.#tx));
    } else if (step.kind === "reboot") {
      this.#rx = step.rx;
      this.#tx = step.tx;
    } else if (step.kind === "late") {
      const old = this.rows[step.pick % Math.max(1, this.rows.length)];
      if (old !== undefined)
        this.#keep({ ...old, at: Math.max(0, old.at - step.backMs), receivedAt: clock.now() });
    } else if (step.kind === "again") {
      // A row whose first write failed may be there twice.
      const old = this.rows[step.pick % Math.max(1, this.rows.length)];
      if (old !== undefined) this.#keep({ ...old, receivedAt: clock.now() });
    } else if (step.kind === "checkpoint") this.#saveCheckpoint(step.keep);
    else if (step.kind === "flush") await this.#flush(step.how);
    else await this.kill();
  }

  /** Brings a new process up from what is durable. */
  async kill(): Promise<void> {
    this.#book = await this.#world.start({ store: this.#store });
    const { part, keepFrom } = this.#checkpoint;
    if (part !== undefined) this.#book.restore(ID, part);
    for (const row of this.rows.slice(keepFrom)) this.#book.count(ID, row);
  }

  #keep(row: StoredReport): void {
    this.rows.push(row);
    this.#book.count(ID, row);
  }

  /** Rows that the checkpoint has may still be in the log. */
  #saveCheckpoint(keep: number): void {
    const part = this.#book.snapshot(ID);
    this.#checkpoint = {
      part: part === undefined ? undefined : usageCheckpointSchema.parse(JSON.parse(JSON.stringify(part))),
      keepFrom: Math.max(0, this.rows.length - keep),
    };
  }

  async #flush(how: "calm" | "busy" | "refused" | "unsure"): Promise<void> {
    this.#store.mode = how === "busy" ? "calm" : how;
    const flushed = this.#book.flush().catch((error: unknown) => assert.ok(error instanceof StoreError));
    // Reports and a checkpoint may come while the store works.
    if (how !== "calm") {
      await this.take({ kind: "report", afterMs: 1, rx: 11, tx: 13 });
      this.#saveCheckpoint(0);
    }
    await flushed;
    this.#store.mode = "calm";
  }
}

/** What an uninterrupted run counts by day, reckoned in the plainest way. */
function reckon(rows: readonly StoredReport[], timeZone: string): Map<string, [number, number]> {
  const days = new Map<string, [number, number]>();
  let last: { at: number; rx: number; tx: number } | undefined;
  for (const { at, receivedAt, values } of rows) {
    const [rx = 0, tx = 0] = Array.from(values).filter((value) => value !== undefined);
    const order = Math.min(at, receivedAt);
    if (last !== undefined && order <= last.at) continue;
    const from = last === undefined ? { rx, tx } : rx < last.rx || tx < last.tx ? { rx: 0, tx: 0 } : last;
    const day = toDay(receivedAt - order > 48 * HOUR ? receivedAt : order, timeZone);
    const [rxBytes, txBytes] = days.get(day) ?? [0, 0];
    days.set(day, [rxBytes + rx - from.rx, txBytes + tx - from.tx]);
    last = { at: order, rx, tx };
  }
  return days;
}

async function assertSame(service: Service, record: ServerRecord): Promise<void> {
  const expected = reckon(service.rows, record.traffic.timeZone);
  for (const { date, rxBytes, txBytes } of await service.book.days(record, 92))
    assert.deepEqual([rxBytes, txBytes], expected.get(date) ?? [0, 0], date);
}

describe("traffic over crashes", () => {
  it("is what an uninterrupted run counts: reports, reboots, late ones, checkpoints, flushes, kills", async () => {
    const zones = fc.constantFrom("UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Kiritimati");
    await fc.assert(
      fc.asyncProperty(steps, zones, async (taken, timeZone) => {
        const world = createBookWorld();
        const record = await world.add(ID, { timeZone });
        const store = createFaultyStore(world.store);
        const service = new Service(world, store, await world.start({ store }));
        for (const step of taken) await service.take(step);
        await assertSame(service, record);
        await service.kill();
        await assertSame(service, record);
        // And from the store alone, when the folder of the sample log was lost after a last flush.
        await service.book.flush();
        const bare = await world.start();
        assert.deepEqual(await bare.days(record, 92), await service.book.days(record, 92));
      }),
      { numRuns: 60 },
    );
  });
});
