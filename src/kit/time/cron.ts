/** When a crontab's line is due. Pure but for what it keeps of expressions that were read before. */
import { Cron } from "croner";

const MAX_KEPT = 2_000;
/** Some day from which every expression that ever comes has come within the eight years between two leap years. */
const ANY_DAY = new Date(0);

/** An expression, and a span in which nothing is due: from a time on, until the first one after it. */
interface Read {
  readonly cron: Cron;
  from: number;
  next: number | undefined;
}

/** Read expressions by zone: reading one costs as much as using it, and using it a hundred times this look-up. */
const kept = new Map<string, Read>();

function read(expression: string, timeZone: string): Read {
  const key = `${timeZone} ${expression}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  // Paused: only computes run times, runs nothing.
  const cron = new Cron(expression, { mode: "5-part", timezone: timeZone, paused: true });
  const made: Read = { cron, from: Infinity, next: undefined };
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(key, made);
  return made;
}

/** Whether a text is five fields as in a crontab, or "@daily" and its like, and comes at all: not on 30 February. */
export function isCron(expression: string): boolean {
  // The reader takes single dates too, which no crontab has.
  if (!expression.startsWith("@") && expression.trim().split(/\s+/u).length !== 5) return false;
  try {
    return read(expression, "UTC").cron.nextRun(ANY_DAY) !== null;
  } catch {
    return false;
  }
}

/**
 * The first time after `afterMs` at which a line of a crontab is due in a zone, epoch milliseconds; undefined when it
 * never comes. As cron does it: what is fixed to a time that clocks skip is due right after, what is fixed to one that
 * they show twice is due the first time; what is due every hour or more often follows the hours that pass.
 * Throws for an expression that {@link isCron} refuses.
 */
export function findNextCron(expression: string, timeZone: string, afterMs: number): number | undefined {
  const found = read(expression, timeZone);
  if (afterMs < found.from || afterMs >= (found.next ?? Infinity)) {
    found.from = afterMs;
    found.next = found.cron.nextRun(new Date(afterMs))?.getTime();
  }
  return found.next;
}
