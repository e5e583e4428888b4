/** When a crontab's line is due. Pure but for what it keeps of expressions that were read before. */
import { Cron } from "croner";
import { keepPlans } from "./kept-plans.ts";

/** Some day from which every expression that ever comes has come within the eight years between two leap years. */
const ANY_DAY = 0;

/**
 * The first time after `afterMs` at which a line of a crontab is due in a zone, epoch milliseconds; undefined when it
 * never comes. As cron does it: what is fixed to a time that clocks skip is due right after, what is fixed to one that
 * they show twice is due the first time; what is due every hour or more often follows the hours that pass.
 * Throws for an expression that {@link isCron} refuses.
 */
export const findNextCron: (expression: string, timeZone: string, afterMs: number) => number | undefined =
  keepPlans({
    // Paused: only computes run times, runs nothing.
    read: (expression, timezone) => new Cron(expression, { mode: "5-part", timezone, paused: true }),
    next: (cron, afterMs) => cron.nextRun(new Date(afterMs))?.getTime(),
  });

/** Whether a text is five fields as in a crontab, or "@daily" and its like, and comes at all: not on 30 February. */
export function isCron(expression: string): boolean {
  // The reader takes single dates too, which no crontab has.
  if (!expression.startsWith("@") && expression.trim().split(/\s+/u).length !== 5) return false;
  try {
    return findNextCron(expression, "UTC", ANY_DAY) !== undefined;
  } catch {
    return false;
  }
}
