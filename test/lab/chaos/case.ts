/**
 * What a case of `npm run chaos` is: checks of one promise on the real thing, and a control on something that is
 * known to break it.
 */
import { textOf } from "../../../src/kit/thrown.ts";
import type { Runner } from "../../support/program.ts";
import type { PostgresServer } from "../../support/postgres-server.ts";

/** What was seen of the promise. */
export interface Found {
  /** Whether the promise was kept. */
  readonly isKept: boolean;
  /** What was done to it. */
  readonly done: string;
  /** What it had acknowledged before, with what is counted. */
  readonly acknowledged: string;
  /** What was found afterwards. */
  readonly found: string;
}

/** The promise was kept if there are no problems: then `found` is reported, otherwise the problems are. */
export function judge(problems: readonly string[], seen: Omit<Found, "isKept">): Found {
  const isKept = problems.length === 0;
  return { ...seen, isKept, found: isKept ? seen.found : problems.join("; ") };
}

/** What a part of a case gets. */
export interface Surroundings {
  /** A run of three minutes: fewer rounds, shorter outages. */
  readonly isQuick: boolean;
  /** How often: what --rounds says, or one of these. */
  rounds(quick: number, full: number): number;
  /** Of the cases "many": kills and power cuts in each part. */
  readonly kills: number;
  readonly cuts: number;
  /** A limit of time in milliseconds, longer by --slack where others want the same cores. */
  within(limitMs: number): number;
  /** Repeatable random numbers from 0 to 1, by --seed. */
  readonly random: () => number;
  /** How the programs are run: on Node or on Deno. */
  readonly runner: Runner;
  readonly isDeno: boolean;
  /** The program's file: a bundle on Node, which starts faster, the source on Deno. */
  readonly entry: string;
  /** Called when the part is over, last one first, however it went. */
  onEnd(clear: () => unknown): void;
  /** A shared PostgreSQL server that is never stopped. */
  postgres(): Promise<PostgresServer>;
}

export interface Part {
  readonly name: string;
  /** A control breaks the promise: the run fails when its check finds nothing. */
  readonly isControl?: boolean;
  /** Left out of a quick run: another part shows nearly the same. */
  readonly isLong?: boolean;
  readonly run: (around: Surroundings) => Promise<Found>;
  /** Seconds, times --slack, after which it has failed; default 240. */
  readonly limitSeconds?: number;
}

export interface ChaosCase {
  readonly name: string;
  /** The promise in one line. */
  readonly promise: string;
  /** Runs only when it is named: it takes hours. */
  readonly isAsked?: boolean;
  /** Mostly waits: may run beside others. */
  readonly isPatient?: boolean;
  readonly parts: readonly Part[];
}

/** This machine cannot do what a part needs; it is skipped, and says why. */
export class NotPossible extends Error {
  override readonly name = "NotPossible";
}

export type Outcome = "pass" | "fail" | "skipped";

/** A line of the result. */
export interface ChaosRow {
  readonly case: string;
  readonly part: string;
  readonly isControl: boolean;
  readonly done: string;
  readonly acknowledged: string;
  readonly found: string;
  readonly outcome: Outcome;
  readonly seconds: number;
}

const LIMIT_SECONDS = 240;

function startLimit(seconds: number): { over: Promise<never>; clear: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${seconds} s`)), seconds * 1_000);
  });
  return { over, clear: () => clearTimeout(timer) };
}

/** What clears up after the parts that run now. */
const underWay = new Set<(() => unknown)[]>();

/** Clears up after one part, last one first; tells what did not work. */
async function clearAll(clears: (() => unknown)[], name: string): Promise<void> {
  for (let clear = clears.pop(); clear !== undefined; clear = clears.pop())
    await Promise.resolve()
      .then(clear)
      .catch((error: unknown) => console.error(`${name}: clearing up failed: ${textOf(error)}`));
}

/** Clears up after all parts that run now: for a run that is broken off. */
export async function breakOff(): Promise<void> {
  await Promise.all([...underWay].map((clears) => clearAll(clears, "broken off")));
}

/** Runs a part to its end, its clearing up included. */
export async function runPart(
  part: Part,
  { caseName, around }: { caseName: string; around: Omit<Surroundings, "onEnd"> },
): Promise<ChaosRow> {
  const clears: (() => unknown)[] = [];
  underWay.add(clears);
  const startedMs = performance.now();
  const isControl = part.isControl === true;
  const toRow = (rest: Pick<ChaosRow, "done" | "acknowledged" | "found" | "outcome">): ChaosRow => ({
    case: caseName,
    part: part.name,
    isControl,
    ...rest,
    seconds: Math.round((performance.now() - startedMs) / 100) / 10,
  });
  const limit = startLimit(around.within(part.limitSeconds ?? LIMIT_SECONDS));
  try {
    const onEnd = (clear: () => unknown): void => void clears.push(clear);
    const { isKept, ...rest } = await Promise.race([part.run({ ...around, onEnd }), limit.over]);
    // A control has to be caught; whether it "works" is of no interest.
    return toRow({ ...rest, outcome: isKept === isControl ? "fail" : "pass" });
  } catch (error) {
    const outcome = error instanceof NotPossible ? "skipped" : "fail";
    const found = outcome === "skipped" ? `not possible here: ${textOf(error)}` : textOf(error);
    return toRow({ done: "", acknowledged: "", found, outcome });
  } finally {
    limit.clear();
    await clearAll(clears, caseName);
    underWay.delete(clears);
  }
}

/** Seconds with one digit, for people. */
export function toSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** Waits until `isSo`; gives the milliseconds that it took, or undefined when it was not so in time. */
export async function waitFor(
  isSo: () => boolean | Promise<boolean>,
  { limitMs, everyMs = 50 }: { limitMs: number; everyMs?: number },
): Promise<number | undefined> {
  const startedMs = performance.now();
  for (;;) {
    if (await isSo()) return performance.now() - startedMs;
    if (performance.now() - startedMs > limitMs) return undefined;
    await pause(everyMs);
  }
}

/** Waits, in milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
