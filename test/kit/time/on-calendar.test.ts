import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import process from "node:process";
import { describe, it } from "node:test";
import { findNextOnCalendar, isOnCalendar } from "../../../src/kit/time/on-calendar.ts";
import { findProgram, tellSkipped } from "../../support/missing.ts";

const COUNT = 6;
/** Before a spring in Europe, and before an autumn. */
const starts = ["2026-03-28 12:00:00 UTC", "2026-10-24 12:00:07 UTC"];

/** With the zone that each is due in. */
const good = [
  ..."minutely hourly daily monthly weekly yearly annually quarterly semiannually biannually DAILY".split(
    " ",
  ),
  ...["semi-annually", "daily UTC", "weekly Pacific/Auckland", "daily Europe/Berlin", "hourly Asia/Kolkata"],
  ...["Mon", "Sat,Thu,Mon..Wed,Sat..Sun", "mon-fri 9:00", "Wed..Wed,Wed *-1", "Wed, 17:48", "Fri..Sun 1:2:3"],
  ...["Sun", "Sun,Mon 5:00", "Mon..Sun 6:00", "monday *-12-* 17:00", "Mon,Fri *-*-3,1,2 *:30:45", "Mon,"],
  ...["12,14,13,12:20,10,30", "12..14:10,20,30", "mon,fri *-1/2-1,3 *:30:45", "03-05 08:05:40", "08:05:40"],
  ...["05:40", "Sat,Sun 12-05 08:05:40", "*-*-7 0:0:0", "10-15", "2027-03-05 05:40", "27-03-05", "*:2/3"],
  ...[
    "2027-02..04-05",
    "2027/2-1-1",
    "*-*~1",
    "*~1..3",
    "*~1..6/2",
    "*~5/2",
    "*-02~03",
    "Mon *-05~07/1",
    "*~28",
  ],
  ...[
    "*-*-1..31/30",
    "*-*-20/5",
    "*-*-31",
    "*-2-29",
    "*:0/15,7",
    "*:5..50/15",
    "*:0..4/5",
    "*:0/59",
    "*:*:*",
  ],
  ...[
    "1..5/2:00",
    "00:00..23:59",
    "*-*~*",
    "*-*",
    "*:*:0/20",
    "10..12/1:00",
    "001:00",
    "12:00 CET",
    "Fri *-*-13",
  ],
  ...["*-*-* 02:30 Europe/Berlin", "*:30 Europe/Berlin", "02,03:15 Europe/Berlin", "*:0/20 Europe/Berlin"],
  ...[
    "*:0/30 Australia/Lord_Howe",
    "01:45 America/New_York",
    "0:0 America/Santiago",
    "Sun 2:30:30 Europe/Paris",
  ],
];
const bad = [
  ..."* 12 24:00 *:60 0:0:60 *:0/90 *:1/59 0/0:00 5..1:00 */2:00 *:5/ *:5.. 12:00, ,12:00 1:2:3:4".split(" "),
  ..."*-02~29 *-*~31 *~3..1 *~7/7 *-*-30/5 *-*-01~1 2200-1-1 3000-1-1 1-1-1-1 *-*-*,1 *,1:00 -1:00".split(
    " ",
  ),
  ..."Fri..Mon Sun..Mon Mon.. mondays Mon-Wed..Fri UTC Europe/Berlin +1:00 0x1:00 @daily 2026-06-01T12:00".split(
    " ",
  ),
  ...["", "Mon 1", "*-1-1 1", "Mon Tue 1:00", "weekly 12:00", "daily Nowhere/Land", "1:00 Europe/Berlin UTC"],
  ...["12:00 Mon", "12:00 *-1-1", "0 3 * * *", "1..2..3:0", "*:0/15/2"],
];
const never = ["*-02-30", "*-04-31", "2027-02-29"];

function listNext(expression: string, from: number): readonly string[] {
  const found: string[] = [];
  for (let after: number | undefined = from; found.length < COUNT;) {
    after = findNextOnCalendar(expression, "UTC", after);
    if (after === undefined) break;
    found.push(new Date(after).toISOString().slice(0, 19).replace("T", " "));
  }
  return found;
}

describe("isOnCalendar", () => {
  it("takes calendar events of systemd that come", () => {
    for (const each of good) assert.equal(isOnCalendar(each), true, each);
  });

  it("refuses what is none, what never comes, and fractions of seconds", () => {
    for (const each of [...bad, ...never, "*:*:0.5", "0:0:0/0.25"])
      assert.equal(isOnCalendar(each), false, each);
  });
});

describe("findNextOnCalendar", () => {
  const next = (expression: string, timeZone: string, after: string): string | undefined => {
    const ms = findNextOnCalendar(expression, timeZone, Date.parse(after));
    return ms === undefined ? undefined : new Date(ms).toISOString();
  };

  it("is due in the zone, or in that of the expression, after the time that is named and never at it", () => {
    assert.equal(next("2:30", "Asia/Kolkata", "2026-01-31T12:00:00Z"), "2026-01-31T21:00:00.000Z");
    assert.equal(next("2:30 UTC", "Asia/Kolkata", "2026-01-31T12:00:00Z"), "2026-02-01T02:30:00.000Z");
    assert.equal(next("*:*", "UTC", "2026-01-31T12:00:00Z"), "2026-01-31T12:01:00.000Z");
    assert.equal(next("*:*", "UTC", "2026-01-31T12:00:59.999Z"), "2026-01-31T12:01:00.000Z");
    assert.equal(next("2025-1-1", "UTC", "2026-01-31T12:00:00Z"), undefined);
  });

  it("leaves out a time that the clocks skip, and takes one that they show twice the first time", () => {
    assert.equal(next("2:30", "Europe/Berlin", "2026-03-28T12:00:00Z"), "2026-03-30T00:30:00.000Z");
    assert.equal(next("2:30", "Europe/Berlin", "2026-10-24T12:00:00Z"), "2026-10-25T00:30:00.000Z");
    assert.equal(next("2:30", "Europe/Berlin", "2026-10-25T00:30:00Z"), "2026-10-26T01:30:00.000Z");
    assert.equal(next("*:30", "Europe/Berlin", "2026-10-25T01:10:00Z"), "2026-10-25T02:30:00.000Z");
  });

  const program = findProgram("systemd-analyze") ?? "";
  const skip = program === "" && tellSkipped("systemd-analyze is not in PATH");

  it("says what systemd says", { skip }, () => {
    const env = { PATH: process.env["PATH"] ?? "", TZ: "UTC", LC_ALL: "C", SYSTEMD_COLORS: "0" };
    for (const start of starts) {
      const args = ["calendar", `--base-time=${start}`, `--iterations=${COUNT}`, "--", ...good];
      const { stdout, status } = spawnSync(program, args, { env, encoding: "utf8" });
      assert.equal(status, 0, stdout);
      const told = stdout
        .trim()
        .split(/\n\n+/u)
        .map((block) =>
          [...block.matchAll(/(?:elapse|Iter\. #\d+): \w+ ([\d-]+ [\d:]+) UTC/gu)].map(([, at]) => at),
        );
      const from = Date.parse(`${start.slice(0, 19).replace(" ", "T")}Z`);
      const ours = good.map((each) => listNext(each, from));
      assert.deepEqual(
        ours.map((times, at) => [good[at], ...times]),
        told.map((times, at) => [good[at], ...times]),
      );
    }
    for (const each of bad) {
      const { status } = spawnSync(program, ["calendar", "--", each], { env });
      assert.notEqual(status, 0, each);
    }
  });
});
