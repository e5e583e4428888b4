import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { createTestHeartbeats, heartbeatFields, OTHER_RID, RID } from "./heartbeat-fixture.ts";

const MINUTE = 60;

describe("A heartbeat with a period", () => {
  it("is unknown until its first sign, however long that takes", async () => {
    const test = await createTestHeartbeats();
    await test.make(heartbeatFields());
    await test.pass(10 * MINUTE);
    assert.deepEqual(test.verdicts, []);
    await test.ping();
    assert.equal(test.last()?.state, "up");
  });

  it("is late after period and grace, told once, and up with the next sign", async () => {
    const test = await createTestHeartbeats();
    await test.make(heartbeatFields());
    await test.ping();
    await test.pass(89);
    assert.equal(test.last()?.state, "up");
    await test.pass(1);
    const { fault, detail, dueAt = 0 } = test.last() ?? {};
    assert.deepEqual([fault, detail, test.clock.now() - dueAt], ["late", "", 30_000]);
    await test.pass(10 * MINUTE);
    // The same word since the same time, again and again.
    assert.equal(countFaults(test, "late"), 1);
    await test.ping();
    assert.equal(test.last()?.state, "up");
  });

  it("is down at once when a job fails, by word or by exit status, and stays so until it succeeds", async () => {
    const test = await createTestHeartbeats();
    await test.make(heartbeatFields());
    await test.ping("fail", { text: "\n disk full\nmore", exitStatus: 3 });
    assert.deepEqual(
      { ...test.last(), at: 0 },
      {
        state: "down",
        fault: "failed",
        detail: "exit status 3: disk full",
        dueAt: undefined,
        at: 0,
        latencyMs: undefined,
      },
    );
    await test.ping("start");
    await test.ping("log", { text: "working" });
    assert.equal(test.last()?.fault, "failed");
    await test.ping();
    assert.equal(test.last()?.state, "up");
  });

  it("is not changed by what is only for the log", async () => {
    const test = await createTestHeartbeats();
    await test.make(heartbeatFields());
    await test.ping();
    await test.pass(80);
    await test.ping("log");
    await test.pass(10);
    assert.equal(test.last()?.fault, "late");
  });
});

describe("Runs", () => {
  it("are measured from their start to their end", async () => {
    const test = await createTestHeartbeats();
    await test.make(heartbeatFields());
    await test.ping("start");
    await test.pass(7);
    await test.ping();
    assert.equal(test.last()?.latencyMs, 7_000);
  });

  it("overlap where rid tells them apart", async () => {
    const test = await createTestHeartbeats();
    await test.make(heartbeatFields({ schedule: { type: "period", seconds: 3_600 } }));
    await test.ping("start", { rid: RID });
    await test.pass(5);
    await test.ping("start", { rid: OTHER_RID });
    await test.pass(5);
    await test.ping("success", { rid: RID });
    assert.equal(test.last()?.latencyMs, 10_000);
    assert.equal(test.heartbeats.watch.findFacts("chk_1")?.openRuns.length, 1);
    await test.pass(5);
    await test.ping("success", { rid: OTHER_RID });
    assert.equal(test.last()?.latencyMs, 10_000);
    assert.deepEqual(test.heartbeats.watch.findFacts("chk_1")?.openRuns, []);
  });

  it("are overrun after the time that was set, also before the first end", async () => {
    const test = await createTestHeartbeats();
    await test.make(heartbeatFields({ maxRunSeconds: 20 }));
    await test.ping("start");
    await test.pass(19);
    assert.equal(test.last()?.state, "unknown");
    await test.pass(1);
    assert.equal(test.last()?.fault, "overrun");
    await test.ping();
    assert.equal(test.last()?.state, "up");
    assert.equal(test.last()?.latencyMs, 20_000);
  });

  it("are overrun when the next is due where no time was set, and are no lateness before", async () => {
    const test = await createTestHeartbeats();
    await test.make(heartbeatFields());
    await test.ping();
    await test.pass(60);
    await test.ping("start");
    // Without the start it would be late after 30 seconds more.
    await test.pass(89);
    assert.equal(test.last()?.state, "up");
    await test.pass(1);
    assert.equal(test.last()?.fault, "overrun");
  });

  it("that never ended are given up when a later one ends well", async () => {
    const test = await createTestHeartbeats();
    await test.make(heartbeatFields({ maxRunSeconds: 20, schedule: { type: "period", seconds: 600 } }));
    await test.ping("start", { rid: RID });
    await test.pass(21);
    assert.equal(test.last()?.fault, "overrun");
    await test.ping("start", { rid: OTHER_RID });
    await test.ping("success", { rid: OTHER_RID });
    assert.equal(test.last()?.state, "up");
    await test.pass(60);
    assert.equal(test.last()?.state, "up");
  });

  it("have a bound", async () => {
    const test = await createTestHeartbeats();
    await test.make(heartbeatFields());
    for (let run = 0; run < 30; run += 1)
      await test.ping("start", { rid: `00000000-0000-4000-8000-0000000000${run + 10}` });
    assert.equal(test.heartbeats.watch.findFacts("chk_1")?.openRuns.length, 20);
  });
});

describe("A heartbeat with a crontab's line", () => {
  const nightly = {
    schedule: { type: "cron", expression: "30 2 * * *", timeZone: "Europe/Berlin" },
    graceSeconds: 600,
  };

  it("is late after the time that its zone shows, in summer and in winter", async () => {
    for (const [day, utc] of [
      ["2026-07-01", "00:30"],
      ["2026-12-01", "01:30"],
    ]) {
      const clock = createFixedClock(Date.parse(`${day}T${utc}:05Z`));
      const test = await createTestHeartbeats({ clock });
      await test.make(heartbeatFields(nightly));
      await test.ping();
      const dueAt = test.heartbeats.watch.findFacts("chk_1")?.nextDueAt ?? 0;
      assert.equal(dueAt, Date.parse(`${day}T${utc}:00Z`) + 86_400_000);
      await passTo(test, dueAt + 599_000);
      assert.equal(test.last()?.state, "up");
      await passTo(test, dueAt + 600_000);
      assert.equal(test.last()?.fault, "late");
    }
  });

  it("of a systemd timer is late after its time, and not on days that it leaves out", async () => {
    const clock = createFixedClock(Date.parse("2026-07-03T00:30:05Z"));
    const test = await createTestHeartbeats({ clock });
    const schedule = { type: "onCalendar", calendar: "Mon..Fri 02:30", timeZone: "Europe/Berlin" };
    await test.make(heartbeatFields({ schedule, graceSeconds: 600 }));
    await test.ping();
    const dueAt = test.heartbeats.watch.findFacts("chk_1")?.nextDueAt ?? 0;
    // From Friday to Monday.
    assert.equal(dueAt, Date.parse("2026-07-06T00:30:00Z"));
    await passTo(test, dueAt + 599_000);
    assert.equal(test.last()?.state, "up");
    await passTo(test, dueAt + 600_000);
    assert.equal(test.last()?.fault, "late");
  });

  it("says that a ping came too early to count, when it came closer to the missed time than to the one before", async () => {
    for (const [before, detail] of [
      [1, "The last ping came at 02:29, 1 minute before it was due"],
      [4, "The last ping came at 02:26, 4 minutes before it was due"],
      [11 * 60, "The last ping came at 15:30 on 2026-07-01, 11 hours before it was due"],
      [13 * 60, ""],
    ] as const) {
      const dueAt = Date.parse("2026-07-02T00:30:00Z");
      const test = await createTestHeartbeats({ clock: createFixedClock(dueAt - before * 60_000) });
      await test.make(heartbeatFields(nightly));
      await test.ping();
      await passTo(test, dueAt + 600_000);
      assert.deepEqual([test.last()?.fault, test.last()?.detail], ["late", detail]);
    }
  });

  it("says so of a timer too, in the zone that its expression names", async () => {
    const dueAt = Date.parse("2026-07-02T00:30:00Z");
    const test = await createTestHeartbeats({ clock: createFixedClock(dueAt - 240_000) });
    const calendar = "*-*-* 06:00 Asia/Kolkata";
    await test.make(heartbeatFields({ ...nightly, schedule: { type: "onCalendar", calendar } }));
    await test.ping();
    await passTo(test, dueAt + 600_000);
    assert.equal(test.last()?.detail, "The last ping came at 05:56, 4 minutes before it was due");
  });

  it("takes the night on which its time is skipped and the one that has it twice as one night each", async () => {
    for (const [before, due, next] of [
      ["2026-03-28T01:30:05Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"],
      ["2026-10-24T00:30:05Z", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"],
    ]) {
      const test = await createTestHeartbeats({ clock: createFixedClock(Date.parse(before ?? "")) });
      await test.make(heartbeatFields(nightly));
      await test.ping();
      const dueAt = Date.parse(due ?? "");
      assert.equal(test.heartbeats.watch.findFacts("chk_1")?.nextDueAt, dueAt);
      await passTo(test, dueAt + 2_000);
      await test.ping();
      assert.equal(test.heartbeats.watch.findFacts("chk_1")?.nextDueAt, Date.parse(next ?? ""));
      await passTo(test, dueAt + 7_200_000);
      assert.equal(test.last()?.state, "up");
    }
  });

  it("counts times that were missed in a row once", async () => {
    const test = await createTestHeartbeats();
    await test.make(
      heartbeatFields({ schedule: { type: "cron", expression: "* * * * *" }, graceSeconds: 0 }),
    );
    await test.ping();
    await test.pass(10 * MINUTE);
    // The same word since the same time, again and again.
    assert.equal(countFaults(test, "late"), 1);
  });
});

describe("Pausing and changing a heartbeat", () => {
  it("keeps pings of a paused one, finds none missed, and starts over when it resumes", async () => {
    const test = await createTestHeartbeats();
    await test.make(heartbeatFields());
    await test.ping();
    await test.change("chk_1", { paused: true });
    await test.pass(5 * MINUTE);
    assert.equal(test.last()?.state, "up");
    await test.ping("log");
    // The state of a check that was paused is unknown again.
    test.verdicts.length = 0;
    await test.change("chk_1", { paused: false });
    await test.pass(1);
    assert.equal(test.last()?.state, "unknown");
    await test.pass(89);
    assert.equal(test.last()?.state, "unknown");
    await test.pass(1);
    assert.equal(test.last()?.fault, "late");
    assert.equal((await test.heartbeats.pings.list("chk_1", { limit: 10 })).items.length, 2);
  });

  it("expects by the new schedule from the change on", async () => {
    const test = await createTestHeartbeats();
    await test.make(heartbeatFields({ schedule: { type: "period", seconds: 86_400 } }));
    await test.ping();
    await test.pass(5 * MINUTE);
    await test.change("chk_1", heartbeatFields());
    await test.pass(80);
    assert.equal(test.last()?.state, "unknown");
    await test.pass(11);
    assert.equal(test.last()?.fault, "late");
  });
});

/** How often a fault began. */
function countFaults(test: Awaited<ReturnType<typeof createTestHeartbeats>>, fault: string): number {
  const told = test.verdicts.filter(({ verdict }) => verdict.fault === fault);
  return new Set(told.map(({ verdict }) => verdict.at)).size;
}

/** Lets time pass in steps that are no absence. */
async function passTo(test: Awaited<ReturnType<typeof createTestHeartbeats>>, atMs: number): Promise<void> {
  while (test.clock.now() < atMs) {
    test.clock.advance(Math.min(50_000, atMs - test.clock.now()));
    await test.heartbeats.watch.tick();
  }
}
