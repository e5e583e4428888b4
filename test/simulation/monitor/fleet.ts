/** The machines with agents, and what the monitor must have of them. */
import { Violation } from "../world/client.ts";
import type { AgentMachine, SentReport } from "./agent-machine.ts";

/** Counts and sums of the reports of one minute. */
export interface MinuteSum {
  readonly count: number;
  readonly least: number;
  readonly greatest: number;
  readonly sum: number;
}

const MINUTE = 60_000;
/** By how much wall clocks are wrong at most, both of them together. */
const WRONG_MS = 130_000;

function addUp(values: readonly number[]): MinuteSum {
  return {
    count: values.length,
    least: Math.min(...values),
    greatest: Math.max(...values),
    sum: values.reduce((sum, value) => sum + value, 0),
  };
}

/** Bytes that counters moved: from the first report of all on, and from 0 after each restart of the machine. */
function countBytes(reports: readonly SentReport[], name: "rx" | "tx"): number {
  let bytes = 0;
  let before: SentReport | undefined;
  for (const report of reports) {
    if (before !== undefined) bytes += report[name] - (before.boot === report.boot ? before[name] : 0);
    before = report;
  }
  return bytes;
}

function sorted(machine: AgentMachine, isIn: (at: number) => boolean): SentReport[] {
  return [...machine.reports]
    .filter(([at]) => isIn(at))
    .toSorted(([a], [b]) => a - b)
    .map(([, report]) => report);
}

/**
 * Every acknowledged report is counted once in its minute, and nothing that was not sent. `mayRepeat`: whether a report
 * that was under way between two moments may have been stored by two nodes. @throws Violation
 */
export function checkMinutes(
  machine: AgentMachine,
  found: ReadonlyMap<number, MinuteSum>,
  mayRepeat: (fromMs: number, toMs: number) => boolean,
): void {
  const minutes = new Map<number, [at: number, report: SentReport][]>();
  for (const [at, report] of machine.reports) {
    const minute = Math.floor(at / MINUTE) * MINUTE;
    minutes.set(minute, [...(minutes.get(minute) ?? []), [at, report]]);
  }
  for (const minute of found.keys())
    if (!minutes.has(minute)) throw new Violation(`${machine.name}: a minute without reports has some`);
  for (const [minute, reports] of minutes) {
    const values = reports.map(([, { usedBytes }]) => usedBytes);
    const acknowledged = reports.filter(([at]) => machine.acknowledged.has(at)).length;
    const isLoose = reports.some(([at, { takenMs }]) =>
      mayRepeat(takenMs, machine.acknowledged.get(at) ?? Infinity),
    );
    const { count = 0, least = 0, greatest = 0, sum } = found.get(minute) ?? {};
    const what = `${machine.name}: the minute ${new Date(minute).toISOString()} has`;
    if (count < acknowledged || (count > reports.length && !isLoose))
      throw new Violation(`${what} ${count} reports; ${acknowledged} of ${reports.length} were acknowledged`);
    const expected = addUp(values);
    if (isLoose && count > 0 && (least < expected.least || greatest > expected.greatest))
      throw new Violation(`${what} ${least} to ${greatest}, not ${JSON.stringify(expected)}`);
    if (count !== reports.length || isLoose) continue;
    if (least !== expected.least || greatest !== expected.greatest || sum !== expected.sum)
      throw new Violation(
        `${what} ${JSON.stringify({ least, greatest, sum })}, not ${JSON.stringify(expected)}`,
      );
  }
}

/** The bytes of all days are those that the counters moved. @throws Violation */
export function checkTraffic(
  machine: AgentMachine,
  found: Readonly<Record<"rx" | "tx", number>>,
  { isClockRight }: { readonly isClockRight: boolean },
): void {
  const lastOfBoot = new Map<number, number>();
  for (const [at, { boot }] of machine.reports) lastOfBoot.set(boot, Math.max(at, lastOfBoot.get(boot) ?? 0));
  const isLate = (at: number): boolean => {
    const { boot = 0 } = machine.reports.get(at) ?? {};
    return boot < machine.boots && at > (lastOfBoot.get(boot) ?? 0) - WRONG_MS;
  };
  // A clock that was set back makes late reports look as if they were known; only counters of that life are lost.
  const isSure = (at: number): boolean => machine.acknowledged.has(at) && (isClockRight || !isLate(at));
  for (const name of ["rx", "tx"] as const) {
    const least = countBytes(sorted(machine, isSure), name);
    const most = countBytes(
      sorted(machine, () => true),
      name,
    );
    if (found[name] < least || found[name] > most)
      throw new Violation(`${machine.name}: ${found[name]} bytes (${name}); ${least} to ${most} were moved`);
  }
}

/** The longest time without an acknowledgement between two moments, in milliseconds. */
export function findLongestGap(machine: AgentMachine, from: number, to: number): number {
  const times = [...machine.acknowledged.values()]
    .filter((at) => at > from && at < to)
    .toSorted((a, b) => a - b);
  return Math.max(...[...times, to].map((at, index) => at - (times[index - 1] ?? from)));
}
