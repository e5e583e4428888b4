import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type Schedule, createSchedule } from "../../../src/agent/checks/schedule.ts";
import { type FileCheck, checkFileSchema } from "../../../src/kit/check-files/check-file.ts";
import { type ManualTime, createManualTime } from "../support/manual-time.ts";

function check(id: string, more: object = {}): FileCheck {
  const target = { kind: "tcp", host: "db.example.org", port: 5432 };
  const [parsed] = checkFileSchema.parse({ v: 1, checks: [{ id, target, ...more }] }).checks;
  assert.ok(parsed !== undefined);
  return parsed;
}

describe("createSchedule", () => {
  let time: ManualTime;
  let schedule: Schedule;
  let tries: { id: string; atSeconds: number }[];
  let isGood: boolean;
  let takes: Promise<unknown>;

  beforeEach(() => {
    time = createManualTime();
    tries = [];
    isGood = true;
    takes = Promise.resolve();
    schedule = createSchedule({
      clock: time.clock,
      // In the middle: the interval without jitter, and a first try after half of 15 s.
      random: () => 0.5,
      attempt: async ({ id }) => {
        tries.push({ id, atSeconds: time.clock.monotonic() / 1_000 });
        await takes;
        return isGood;
      },
    });
    time.timers.every(1_000, schedule.tick);
  });
  const seconds = (): number[] => tries.map(({ atSeconds }) => atSeconds);

  it("tries soon after it got a check, then every interval", async () => {
    schedule.set([check("a")]);
    await time.advance(140_000);
    assert.deepEqual(seconds(), [8, 68, 128]);
  });

  it("tries sooner after a failure until it is one too many in a row, never later than the interval", async () => {
    isGood = false;
    schedule.set([check("a", { failures: 3, retrySeconds: 10 }), check("b", { retrySeconds: 600 })]);
    await time.advance(100_000);
    assert.deepEqual(
      tries.filter(({ id }) => id === "a").map(({ atSeconds }) => atSeconds),
      [8, 18, 28, 88],
    );
    assert.deepEqual(
      tries.filter(({ id }) => id === "b").map(({ atSeconds }) => atSeconds),
      [8, 68],
    );
    isGood = true;
    await time.advance(100_000);
    assert.equal(tries.filter(({ id }) => id === "a").at(-1)?.atSeconds, 148);
  });

  it("keeps the rhythm of what did not change when the file does", async () => {
    schedule.set([check("a"), check("b")]);
    await time.advance(20_000);
    schedule.set([check("a", { name: "Other name" }), check("b", { timeoutSeconds: 5 }), check("c")]);
    await time.advance(10_000);
    assert.deepEqual(
      tries.map(({ id, atSeconds }) => `${id} ${atSeconds}`),
      ["a 8", "b 8", "b 28", "c 28"],
    );
    await time.advance(45_000);
    assert.equal(tries.filter(({ id }) => id === "a").at(-1)?.atSeconds, 68);
    schedule.set([]);
    const before = tries.length;
    await time.advance(200_000);
    assert.equal(tries.length, before);
  });

  it("runs ten at once, and the longest overdue first", async () => {
    let finish: () => void = () => undefined;
    takes = new Promise<void>((resolve) => {
      finish = resolve;
    });
    schedule.set(Array.from({ length: 12 }, (_, index) => check(`c${index}`)));
    await time.advance(20_000);
    assert.equal(tries.length, 10);
    takes = Promise.resolve();
    finish();
    await time.advance(2_000);
    assert.deepEqual(
      tries.slice(10).map(({ id }) => id),
      ["c10", "c11"],
    );
  });
});
