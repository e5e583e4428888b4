/** Putting things in order: moves within a list, and what a pointer over a list means. */

/** The list with the item at `from` standing at `to`; places outside are the nearest ones inside. */
export function moveItem<T>(items: readonly T[], { from, to }: { from: number; to: number }): readonly T[] {
  const place = Math.max(0, Math.min(items.length - 1, to));
  const moved = items[from];
  if (moved === undefined || place === from) return items;
  const rest = items.filter((_, index) => index !== from);
  return [...rest.slice(0, place), moved, ...rest.slice(place)];
}

/**
 * The place at which an item lands when its own middle is held at `y`: the nearest of all places. `middles` are
 * those of the places in order, in pixels.
 */
export function findLanding(middles: readonly number[], y: number): number {
  let nearest = 0;
  for (const [place, middle] of middles.entries())
    if (Math.abs(middle - y) < Math.abs((middles[nearest] ?? middle) - y)) nearest = place;
  return nearest;
}

/** Pixels to scroll in a frame while a pointer is held at `y` of a view that is `height` high. */
export function toScrollStep(y: number, height: number): number {
  const edge = Math.min(72, height / 4);
  if (y < edge) return -Math.ceil((edge - Math.max(0, y)) / 5);
  if (y > height - edge) return Math.ceil((Math.min(height, y) - (height - edge)) / 5);
  return 0;
}

/** My order with what is there now: gone ones left out, new ones in the places that they have. */
export function reconcileOrder(mine: readonly string[], present: readonly string[]): readonly string[] {
  const there = new Set(present);
  const kept = mine.filter((id) => there.has(id));
  const known = new Set(kept);
  const result = [...kept];
  for (const [index, id] of present.entries()) if (!known.has(id)) result.splice(index, 0, id);
  return result;
}
