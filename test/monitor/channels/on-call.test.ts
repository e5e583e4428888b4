/** On-call tables: who is notified when, across changes of the clocks, and who hears of an end. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import fc from "fast-check";
import { findOnCall } from "../../../src/monitor/channels/on-call.ts";
import type { Notices } from "../../../src/monitor/channels/notification.ts";
import { channelInputSchema, settingsSchema } from "../../../src/monitor/channels/schema.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { type AlertsBench, benchCollections, createAlertsBench } from "../alerts/alerts-bench.ts";
import { actor } from "../fixtures.ts";
import { type Bench, closeReceivers, createBench, gotify, openReceiver } from "./notice-bench.ts";

const workdays = ["mon", "tue", "wed", "thu", "fri"];
const all = [...workdays, "sat", "sun"];

function toTable(more: object): Parameters<typeof findOnCall>[0] {
  const settings = settingsSchema.parse({ type: "oncall", fallbackChannelId: "boss", ...more });
  assert.ok(settings.type === "oncall");
  return settings;
}

const at = (table: object, time: string): string => findOnCall(toTable(table), Date.parse(time)).join();

describe("who is on call", () => {
  const berlin = {
    timeZone: "Europe/Berlin",
    shifts: [
      { days: workdays, from: "08:00", to: "20:00", channelId: "day" },
      { days: workdays, from: "20:00", to: "08:00", channelId: "night" },
    ],
  };

  it("follows the wall clock before and after it changes", () => {
    // Summer time begins on 2026-03-29, and ends on 2026-10-25.
    assert.equal(at(berlin, "2026-03-27T06:59:59Z"), "night");
    assert.equal(at(berlin, "2026-03-27T07:00:00Z"), "day");
    assert.equal(at(berlin, "2026-03-30T05:59:59Z"), "boss");
    assert.equal(at(berlin, "2026-03-30T06:00:00Z"), "day");
    assert.equal(at(berlin, "2026-10-26T07:00:00Z"), "day");
    assert.equal(at(berlin, "2026-10-26T18:59:59Z"), "day");
    assert.equal(at(berlin, "2026-10-26T19:00:00Z"), "night");
  });

  it("has the fallback in every gap, such as the weekend", () => {
    assert.equal(at(berlin, "2026-01-31T11:00:00Z"), "boss");
    assert.equal(at(berlin, "2026-01-31T05:00:00Z"), "night");
    assert.equal(at({}, "2026-01-31T11:00:00Z"), "boss");
  });

  it("leaves no gap in the nights on which the clocks change, and overlaps only in an hour that comes twice", () => {
    const shifts = [
      { days: all, from: "02:30", to: "14:30", channelId: "a" },
      { days: all, from: "14:30", to: "02:30", channelId: "b" },
    ];
    const table = toTable({ timeZone: "Europe/Berlin", shifts });
    for (const [day, overlap] of [
      ["2026-03-28", 0],
      ["2026-10-24", 60],
    ] as const) {
      const minutes = new Map<string, number>();
      for (let minute = 0; minute < 48 * 60; minute += 1) {
        const who = findOnCall(table, Date.parse(`${day}T12:00:00Z`) + minute * 60_000).join();
        minutes.set(who, (minutes.get(who) ?? 0) + 1);
      }
      assert.deepEqual([minutes.get("boss"), minutes.get("a,b") ?? 0], [undefined, overlap], day);
    }
  });

  it("is everyone whose shifts overlap, and the day's 24 hours from a time to the same", () => {
    const shifts = [
      { days: ["sat"], from: "09:00", to: "09:00", channelId: "a" },
      { days: ["sat"], from: "10:00", to: "11:00", channelId: "b" },
    ];
    assert.equal(at({ shifts }, "2026-01-31T10:30:00Z"), "a,b");
    assert.equal(at({ shifts }, "2026-02-01T08:59:00Z"), "a");
    assert.equal(at({ shifts }, "2026-02-01T09:00:00Z"), "boss");
  });

  it("is an override while it lasts, and the later one of two", () => {
    const overrides = [
      { from: "2026-01-26T00:00:00Z", to: "2026-02-02T00:00:00Z", channelId: "bob" },
      { from: "2026-01-28T00:00:00Z", to: "2026-01-29T00:00:00Z", channelId: "eve" },
    ];
    assert.equal(at({ ...berlin, overrides }, "2026-01-25T23:59:59Z"), "boss");
    assert.equal(at({ ...berlin, overrides }, "2026-01-27T12:00:00Z"), "bob");
    assert.equal(at({ ...berlin, overrides }, "2026-01-28T12:00:00Z"), "eve");
    assert.equal(at({ ...berlin, overrides }, "2026-02-02T12:00:00Z"), "day");
  });

  it("is never no one", () => {
    const time = fc.integer({ min: 0, max: 1_439 }).map((minutes) => {
      const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
      return `${String(hours).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
    });
    const shift = fc.record({
      days: fc.subarray(all, { minLength: 1 }),
      from: time,
      to: time,
      channelId: fc.constantFrom("a", "b"),
    });
    const zone = fc.constantFrom("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia");
    fc.assert(
      fc.property(
        fc.array(shift, { maxLength: 4 }),
        zone,
        fc.integer({ min: 0, max: 6e12 }),
        (shifts, timeZone, now) => {
          assert.ok(findOnCall(toTable({ shifts, timeZone }), now).length > 0);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe("an on-call table", () => {
  let bench: AlertsBench;
  let outbox: Bench;
  let ids: Record<"alice" | "bob" | "boss" | "table", string>;
  const many = Array.from({ length: 13 }, (_, index) => `check ${index}`);

  beforeEach(async () => {
    const late: { log?: Notices } = {};
    const notices: Notices = {
      enqueue: async (tx, notice) => late.log?.enqueue(tx, notice),
      wake: () => undefined,
    };
    bench = await createAlertsBench(createMemoryStore({ collections: benchCollections }), { notices });
    outbox = createBench({ store: bench.store, clock: bench.clock });
    late.log = outbox.notices;
    const peer = await openReceiver();
    const [alice, bob, boss] = [
      await outbox.addChannel(gotify(peer)),
      await outbox.addChannel(gotify(peer)),
      await outbox.addChannel(gotify(peer)),
    ];
    // The clock starts on a Saturday at 12:00 UTC.
    const shifts = [
      { days: ["sat"], from: "08:00", to: "12:30", channelId: alice },
      { days: ["sat"], from: "12:30", to: "20:00", channelId: bob },
    ];
    const table = await outbox.addChannel({ type: "oncall", shifts, fallbackChannelId: boss });
    ids = { alice, bob, boss, table };
    bench.checks.add("shop");
    bench.checks.up("shop");
    for (const check of many) bench.checks.add(check);
    bench.checks.up(...many);
  });
  afterEach(closeReceivers);

  const rule = (more: object): Promise<unknown> =>
    bench.rule({ kind: "check", name: "Outage", channelIds: [ids.table], ...more });

  /** Who got what since the last call. */
  async function take(): Promise<readonly string[]> {
    const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    const stored = await outbox.stored();
    const fresh = stored.slice(taken);
    taken = stored.length;
    return fresh.map(({ channelId, kind }) => `${names.get(channelId)} ${kind}`).toSorted();
  }
  let taken = 0;
  beforeEach(() => {
    taken = 0;
  });

  it("notifies who is on call, reminds who is on call then, and tells both of the end", async () => {
    await rule({ remindEveryHours: 1 });
    bench.checks.down("shop");
    await bench.pass(1);
    assert.deepEqual(await take(), ["alice firing"]);
    await bench.pass(3_601);
    assert.deepEqual(await take(), ["bob reminder"]);
    bench.checks.up("shop");
    await bench.pass(1);
    assert.deepEqual(await take(), ["alice resolved", "bob resolved"]);
  });

  it("tells the end to who heard of the alert, although the shift is over", async () => {
    await rule({});
    bench.checks.down(...many);
    await bench.pass(40);
    assert.deepEqual(new Set(await take()), new Set(["alice firing"]));
    await bench.pass(1_800);
    bench.checks.up(...many);
    await bench.pass(40);
    assert.deepEqual(new Set(await take()), new Set(["alice resolved"]));
  });

  it("is a step of an escalation, by the hour of the step", async () => {
    await rule({ channelIds: [ids.boss], escalation: [{ afterMinutes: 40, channelIds: [ids.table] }] });
    bench.checks.down("shop");
    await bench.pass(2_402);
    assert.deepEqual(await take(), ["bob firing", "boss firing"]);
    bench.checks.up("shop");
    await bench.pass(1);
    assert.deepEqual(await take(), ["bob resolved", "boss resolved"]);
  });

  it("sends one notification where its channel is named beside it", async () => {
    await rule({ channelIds: [ids.alice, ids.table] });
    bench.checks.down("shop");
    await bench.pass(1);
    assert.deepEqual(await take(), ["alice firing"]);
  });

  it("is left out of rules for all channels, which notify everyone anyway", async () => {
    await rule({ allChannels: true, channelIds: [] });
    bench.checks.down("shop");
    await bench.pass(1);
    const told = await take();
    assert.equal(told.filter((line) => line === "alice firing").length, 1);
    assert.ok(told.includes("bob firing"));
  });

  it("names channels that exist and notify someone, which stay while it names them", async () => {
    const input = (fallbackChannelId: string) =>
      channelInputSchema.parse({ type: "oncall", name: "Second", fallbackChannelId });
    await assert.rejects(outbox.channels.create(input("chn_gone"), actor), /cannot be used/u);
    await assert.rejects(outbox.channels.create(input(ids.table), actor), /cannot be used/u);
    await assert.rejects(outbox.channels.remove(ids.alice, actor), /On-call tables use this channel: "one"/u);
    await outbox.channels.remove(ids.table, actor);
    await outbox.channels.remove(ids.alice, actor);
  });

  it("is tested by a message to who is on call now", async () => {
    const notice = { kind: "test", severity: "info", title: "Test", text: "" } as const;
    assert.equal((await outbox.channels.test(ids.table, { notice, actor })).ok, true);
  });
});
