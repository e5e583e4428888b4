import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toIsoTime } from "../../src/kit/text/iso-time.ts";
import { toServerAnswer } from "../../src/monitor/fleet/server-view.ts";
import type { ServerDetail } from "../../src/monitor/fleet/view-schema.ts";
import { toLevel, toUptimePaths } from "../../src/web/ui/uptime-levels.ts";
import { type Day, toRatios, toSpanRatio, toDayName, toTrafficBars } from "../../src/web/server/days.ts";
import { readCores, readGpus, readSensors } from "../../src/web/server/detail.ts";
import { makeLatest, makeServer } from "./public-server.ts";

function day(upMinutes: number, knownMinutes: number, bytes = 0): Day {
  return { date: "2026-11-21", rxBytes: bytes, txBytes: bytes, upMinutes, knownMinutes };
}

describe("days of a server", () => {
  it("are unknown without data", () => {
    assert.deepEqual(toRatios([day(0, 0), day(30, 60)]), [null, 0.5]);
    assert.equal(toSpanRatio([day(0, 0)], 1), undefined);
  });

  it("weigh by the minutes that were watched", () => {
    assert.equal(toSpanRatio([day(0, 100), day(300, 300)], 2), 0.75);
    assert.equal(toSpanRatio([day(0, 100), day(300, 300)], 1), 1);
  });

  it("are bars on a round scale, also when there was no traffic", () => {
    const { top, bars } = toTrafficBars([day(1, 1, 50_000), day(1, 1, 150_000), day(1, 1, 0)], 2);
    assert.equal(top, 400_000);
    assert.deepEqual(
      bars.map(({ rx }) => rx),
      [0.375, 0],
    );
    assert.deepEqual(toTrafficBars([day(1, 1)], 5).bars[0]?.rx, 0);
  });

  it("are called by the date of the server's zone, wherever the reader is", () => {
    assert.match(toDayName({ date: "2026-11-21" }), /21/u);
  });

  it("have a level each, and one path a level", () => {
    assert.deepEqual([1, 0.98, 0.5, 0, null, undefined].map(toLevel), [
      "good",
      "warn",
      "bad",
      "bad",
      "unknown",
      "unknown",
    ]);
    const paths = toUptimePaths([1, null, 1]);
    assert.deepEqual(
      paths.map(({ level }) => level),
      ["good", "unknown"],
    );
    assert.equal(paths[0]?.path.match(/M/gu)?.length, 2);
  });
});

describe("details of a server", () => {
  function detail(sample: Record<string, unknown>): ServerDetail {
    return {
      ...toServerAnswer(makeServer("a", { latest: makeLatest(sample) })),
      traffic: {
        mode: "sum",
        limitBytes: 0,
        usedBytes: 0,
        rxBytes: 0,
        txBytes: 0,
        cycleFrom: toIsoTime(0),
        cycleTo: toIsoTime(1),
        resetDay: 1,
        timeZone: "UTC",
        usedOffsetBytes: 0,
      },
    };
  }

  it("are read where they are reported", () => {
    const full = detail({
      cpu: { perCorePercent: [1, 2] },
      temperatures: [{ name: "cpu", celsius: 40 }, { name: "broken" }],
      gpus: [{ name: "T4", usagePercent: 3 }],
    });
    assert.deepEqual(readCores(full), [1, 2]);
    assert.deepEqual(readSensors(full), [{ name: "cpu", celsius: 40 }]);
    assert.equal(readGpus(full)[0]?.usagePercent, 3);
    assert.equal(readGpus(full)[0]?.celsius, undefined);
  });

  it("are empty in a report of another shape", () => {
    for (const sample of [{}, { cpu: 1, temperatures: 2, gpus: [3] }, { cpu: [], gpus: {} }]) {
      assert.deepEqual(readCores(detail(sample)), []);
      assert.deepEqual(readSensors(detail(sample)), []);
      assert.deepEqual(readGpus(detail(sample)), []);
    }
  });
});
