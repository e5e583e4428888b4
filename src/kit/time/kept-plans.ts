/** Plans of due times that were read before: reading one costs as much as using it, and using it a hundred times this look-up. */

const MAX_KEPT = 2_000;

/** A plan, and a span in which nothing is due: from a time on, until the first one after it. */
interface Kept<Plan> {
  readonly plan: Plan;
  from: number;
  next: number | undefined;
}

/** How plans of a kind are read, and when one is due after a time, epoch milliseconds. */
interface PlanKind<Plan> {
  readonly read: (expression: string, timeZone: string) => Plan;
  readonly next: (plan: Plan, afterMs: number) => number | undefined;
}

/** Finds due times of a kind of plans: pure but for what it keeps. Throws what `read` throws. */
export function keepPlans<Plan>({ read, next }: PlanKind<Plan>) {
  const kept = new Map<string, Kept<Plan>>();
  return (expression: string, timeZone: string, afterMs: number): number | undefined => {
    const key = `${timeZone} ${expression}`;
    let found = kept.get(key);
    if (found === undefined) {
      found = { plan: read(expression, timeZone), from: Infinity, next: undefined };
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(key, found);
    }
    if (afterMs < found.from || afterMs >= (found.next ?? Infinity)) {
      found.from = afterMs;
      found.next = next(found.plan, afterMs);
    }
    return found.next;
  };
}
