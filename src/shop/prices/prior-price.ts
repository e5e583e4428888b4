/**
 * The price that must be shown next to a reduction: the lowest of the 30 days before it (Article 6a of Directive
 * 98/6/EC). Pure and independent of today: it depends on when the reduction began.
 */
import type { PricePoint } from "./schema.ts";

const DAY_MS = 86_400_000;
const WINDOW_MS = 30 * DAY_MS;
/** How long points are kept that no reduction needs. */
const KEEP_MS = 400 * DAY_MS;
const MAX_POINTS = 200;

function isReduced({ price, compareAtPrice }: PricePoint): boolean {
  return price !== undefined && compareAtPrice !== undefined && compareAtPrice > price;
}

/** Where the unbroken run of points at the end begins that all pass. */
function findRun(points: readonly PricePoint[], passes: (point: PricePoint) => boolean): number {
  let at = points.length;
  while (at > 0) {
    const before = points[at - 1];
    if (before === undefined || !passes(before)) break;
    at -= 1;
  }
  return at;
}

/**
 * When the current reduction began: at the last price change, or, if that price had applied for the whole 30 days
 * before the compare-at price, when the latter was first shown. Undefined without a reduction.
 */
function findReductionStart(points: readonly PricePoint[]): number | undefined {
  const last = points.at(-1);
  if (last === undefined || !isReduced(last)) return undefined;
  const announcedAt = points[findRun(points, isReduced)]?.at ?? last.at;
  const changed = findRun(points, ({ price }) => price === last.price);
  const changedAt = changed === 0 ? undefined : points[changed]?.at;
  return changedAt !== undefined && changedAt > announcedAt - WINDOW_MS ? changedAt : announcedAt;
}

/**
 * The lowest price of the 30 days before the current reduction; for a product that was never sold before, the reduced
 * price. Undefined without a reduction.
 */
export function findPriorPrice(points: readonly PricePoint[]): number | undefined {
  const startMs = findReductionStart(points);
  if (startMs === undefined) return undefined;
  const lowest = points.reduce((least, { at, price }, index) => {
    const endsAt = points[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    const counts = price !== undefined && at < startMs && endsAt > startMs - WINDOW_MS;
    return counts ? Math.min(least, price) : least;
  }, Number.POSITIVE_INFINITY);
  return Number.isFinite(lowest) ? lowest : points.at(-1)?.price;
}

/** Two points as one with the lower price, so that nothing is ever shown as cheaper than it was. */
function joinPoints(first: PricePoint, second: PricePoint): PricePoint {
  const prices = [first.price, second.price].filter((price) => price !== undefined);
  return { ...second, at: first.at, price: prices.length === 0 ? undefined : Math.min(...prices) };
}

/** The points that are still needed: those of 400 days and of the current reduction, at most 200. */
function prune(points: readonly PricePoint[], nowMs: number): PricePoint[] {
  const startMs = findReductionStart(points) ?? nowMs;
  const keepFrom = Math.min(nowMs - KEEP_MS, startMs - WINDOW_MS);
  const first = points.findIndex((_, index) => (points[index + 1]?.at ?? nowMs) > keepFrom);
  const kept = points.slice(Math.max(0, first));
  while (kept.length > MAX_POINTS) {
    const [oldest, next] = kept;
    if (oldest === undefined || next === undefined) break;
    kept.splice(0, 2, joinPoints(oldest, next));
  }
  return kept;
}

/** The points with the current one, if it differs; the same list otherwise. */
export function addPoint(points: readonly PricePoint[], point: PricePoint): readonly PricePoint[] {
  const last = points.at(-1);
  if (last?.price === point.price && last?.compareAtPrice === point.compareAtPrice && last !== undefined)
    return points;
  // Two changes in one millisecond: the last one counts.
  const before = last?.at === point.at ? points.slice(0, -1) : points;
  // A clock was wrong: what came before stays before.
  const past = before.map((known) => (known.at > point.at ? { ...known, at: point.at - 1 } : known));
  return prune([...past, point], point.at);
}
