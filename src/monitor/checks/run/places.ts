/** The state of a location after each attempt, and the state of all locations together. Pure. */
import type { CheckFault, CheckState, PlaceResult, Places } from "../schema.ts";

/** One try, seen from its check. */
export interface Outcome {
  readonly place: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Undefined: all is as it should be. */
  readonly fault: CheckFault | undefined;
  readonly detail: string;
  readonly latencyMs?: number | undefined;
  /**
   * Whether it says how the target is; not where the place could not look, its own network is away, or what was read
   * of the answer leaves it open.
   */
  readonly isTelling: boolean;
}

/**
 * A location after an attempt. It reports "down" after `wanted` failures in a row. Until then it keeps its earlier
 * result, if any. An inconclusive attempt leaves "down" as it is: only a response ends that. A response that could not
 * be judged counts as one: the target is no longer known to be down.
 */
export function toNextPlace(before: PlaceResult | undefined, outcome: Outcome, wanted: number): PlaceResult {
  const { place, at, fault, detail, latencyMs, isTelling } = outcome;
  const wasDown = before?.isDown ?? false;
  const known = {
    place,
    at,
    detail,
    ...(fault === undefined ? {} : { fault }),
    ...(latencyMs === undefined ? {} : { latencyMs }),
  };
  const failed = before?.failures ?? 0;
  if (fault === "not_judged") return { ...known, isDown: false, counts: false, failures: 0 };
  if (!isTelling) return { ...known, isDown: wasDown, counts: wasDown, failures: failed };
  if (fault === undefined) return { ...known, isDown: false, counts: true, failures: 0 };
  const failures = failed + 1;
  const isDown = wasDown || failures >= wanted;
  return { ...known, isDown, counts: isDown || (before?.counts ?? false), failures };
}

/** How many of so many places must say "down". Places that are silent must not make the others blind. */
function toNeeded(quorum: Places["quorum"], reporting: number): number {
  if (quorum === "majority") return Math.floor(reporting / 2) + 1;
  return quorum === "all" ? reporting : Math.min(quorum, reporting);
}

/** The state of the locations that count. */
export function toState(
  places: readonly PlaceResult[],
  quorum: Places["quorum"],
): Exclude<CheckState, "paused"> {
  const counting = places.filter(({ counts }) => counts);
  if (counting.length === 0) return "unknown";
  const down = counting.filter(({ isDown }) => isDown).length;
  if (down === 0) return "up";
  return down >= toNeeded(quorum, counting.length) ? "down" : "partial";
}
