/** Keyboard navigation in a list with rows. */

/**
 * The index that a key moves to from `index`; undefined if none. `tops` are the offsets of all items in order: items
 * with equal offsets share a row. `page` is the number of rows on a screen.
 */
export function findNext(
  tops: readonly number[],
  { index, key, page }: { index: number; key: string; page: number },
): number | undefined {
  const last = tops.length - 1;
  const clamp = (at: number): number => Math.min(last, Math.max(0, at));
  const rowOf = (at: number): { start: number; end: number } => {
    const top = tops[at] ?? Number.NaN;
    return { start: tops.indexOf(top), end: tops.lastIndexOf(top) };
  };
  const { start, end } = rowOf(index);
  /** The same column in the row of the item `at`, or its last one when that row is shorter. */
  const enterRow = (at: number): number | undefined => {
    const row = rowOf(at);
    return at < 0 || at > last ? undefined : Math.min(row.end, row.start + index - start);
  };
  switch (key) {
    case "ArrowDown":
      return enterRow(end + 1);
    case "ArrowUp":
      return enterRow(start - 1);
    case "ArrowRight":
      return index < last ? index + 1 : undefined;
    case "ArrowLeft":
      return index > 0 ? index - 1 : undefined;
    case "PageDown":
      return clamp(index + page * (end - start + 1));
    case "PageUp":
      return clamp(index - page * (end - start + 1));
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}
