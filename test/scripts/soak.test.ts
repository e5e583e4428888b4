import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SoakErrors, SoakRow } from "../../scripts/soak/judge.ts";
import { judgeSoak } from "../../scripts/soak/judge.ts";
import { parseSoakSettings } from "../../scripts/soak/options.ts";

const MIB = 1024 * 1024;
const clean: SoakErrors = { lostReports: 0, rejectedReports: 0, failedRequests: 0, feedGaps: 0 };

/** Half an hour, a look each ten seconds. */
function toRows(
  at: (minute: number) => { mib: number; files?: number; lateMs?: number; records?: number },
  minutes = 30,
): SoakRow[] {
  return Array.from({ length: minutes * 6 }, (_, n) => {
    const { mib, files = 100, lateMs = 20, records = 0 } = at(n / 6);
    const one = { name: "all", rssBytes: mib * MIB, cpuPercent: 40, openFiles: files, loopDelayMs: lateMs };
    return { elapsedSeconds: n * 10, processes: [one], records };
  });
}

describe("judgeSoak", () => {
  it("passes a process that fills its rings and then stays", () => {
    const rows = toRows((minute) => ({
      mib: Math.min(400, 200 + minute * 15) + (Math.floor(minute) % 3) * 5,
    }));
    assert.deepEqual(judgeSoak(rows, clean).failures, []);
  });

  it("notices memory that leaks slowly", () => {
    const { failures } = judgeSoak(
      toRows((minute) => ({ mib: 300 + minute * 5 })),
      clean,
    );
    assert.equal(failures.length, 1);
    assert.match(failures[0] ?? "", /^all: memory grew by 4\d MiB/u);
  });

  it("allows what the records explain, and no more", () => {
    const records = (minute: number): number => Math.round(minute * 300);
    const asMuch = toRows((minute) => ({ mib: 300 + minute * 3, records: records(minute) }));
    assert.deepEqual(judgeSoak(asMuch, clean).failures, []);
    const more = toRows((minute) => ({ mib: 300 + minute * 12, records: records(minute) }));
    assert.equal(judgeSoak(more, clean).failures.length, 1);
  });

  it("notices files that stay open, and an event loop that gets later", () => {
    const files = judgeSoak(
      toRows((minute) => ({ mib: 300, files: 100 + minute * 10 })),
      clean,
    ).failures;
    assert.match(files.join(), /^all: open files grew/u);
    const late = judgeSoak(
      toRows((minute) => ({ mib: 300, lateMs: minute < 24 ? 20 : 400 })),
      clean,
    ).failures;
    assert.match(late.join(), /^all: the event loop's delay grew/u);
  });

  it("fails for each kind of error, however short the run", () => {
    const rows = toRows(() => ({ mib: 300 }), 2);
    for (const name of Object.keys(clean))
      assert.equal(judgeSoak(rows, { ...clean, [name]: 1 }).failures.length, 1, name);
  });

  it("says that a short run tells nothing of growth", () => {
    const { failures, remarks } = judgeSoak(
      toRows((minute) => ({ mib: 100 + minute * 20 }), 10),
      clean,
    );
    assert.deepEqual(failures, []);
    assert.match(remarks.join(), /was not judged/u);
  });
});

describe("parseSoakSettings", () => {
  it("has bounds, and says what is wrong with every value", () => {
    const parsed = parseSoakSettings(["--minutes", "0", "--agents", "9999", "--people", "none"]);
    assert.ok(!parsed.ok);
    assert.deepEqual(
      parsed.problems.map((problem) => problem.split(" ")[0]),
      ["--minutes", "--agents", "--people"],
    );
    assert.ok(!parseSoakSettings(["--hours", "3"]).ok);
  });

  it("takes half an hour by default", () => {
    const parsed = parseSoakSettings([]);
    assert.ok(parsed.ok);
    assert.equal(parsed.settings.minutes, 30);
  });
});
