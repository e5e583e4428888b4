import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startTimers } from "../../src/service/jobs.ts";
import { createLog, silentLog } from "../../src/kit/observe/log.ts";

describe("startTimers", () => {
  it("runs a job again only after its run has ended", async () => {
    let atOnce = 0;
    let most = 0;
    let runs = 0;
    const seen = new Promise<void>((resolve) => {
      const stop = startTimers(
        [
          {
            name: "job",
            everyMs: () => 0,
            run: async () => {
              atOnce += 1;
              most = Math.max(most, atOnce);
              await new Promise((done) => setTimeout(done, 1));
              atOnce -= 1;
              runs += 1;
              if (runs === 3) void stop().then(resolve);
            },
          },
        ],
        silentLog,
      );
    });
    await seen;
    assert.deepEqual([most, runs], [1, 3]);
  });

  it("goes on after a failure and logs it", async () => {
    const lines: string[] = [];
    const log = createLog({ level: "warn", write: (line) => lines.push(line) });
    let runs = 0;
    await new Promise<void>((resolve) => {
      const stop = startTimers(
        [
          {
            name: "job",
            everyMs: () => 0,
            run: () => {
              runs += 1;
              if (runs === 1) throw new Error("no");
              void stop().then(resolve);
            },
          },
        ],
        log,
      );
    });
    assert.equal(runs, 2);
    assert.match(lines[0] ?? "", /"job":"job"/u);
  });

  it("stops before the first run, and waits for one that runs", async () => {
    let isDone = false;
    const stopUnstarted = startTimers(
      [{ name: "later", everyMs: () => 60_000, run: () => assert.fail("ran") }],
      silentLog,
    );
    await stopUnstarted();
    let stop: () => Promise<void> = () => Promise.resolve();
    const started = new Promise<void>((resolve) => {
      stop = startTimers(
        [
          {
            name: "slow",
            everyMs: () => 0,
            run: async () => {
              resolve();
              await new Promise((done) => setTimeout(done, 5));
              isDone = true;
            },
          },
        ],
        silentLog,
      );
    });
    await started;
    await stop();
    assert.equal(isDone, true);
  });
});
