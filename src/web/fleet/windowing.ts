/**
 * Which part of a long list is drawn. All items of a view have one height, so that places are reckoned and never
 * measured.
 */
export interface Geometry {
  readonly columns: number;
  /** Height of a row of items with the gap below it, px. */
  readonly rowHeight: number;
  /** Height of a section's heading, px. */
  readonly headingHeight: number;
  /** Room below a section, px. */
  readonly sectionGap: number;
}

export interface SectionSize {
  readonly count: number;
  readonly hasHeading: boolean;
}

export interface PlacedSection {
  /** Of its heading, px from the top of the list. */
  readonly top: number;
  /** Of its first row. */
  readonly itemsTop: number;
  readonly height: number;
  /** Index of its first item in the whole list. */
  readonly first: number;
  readonly count: number;
}

export interface Layout {
  readonly sections: readonly PlacedSection[];
  readonly height: number;
  readonly count: number;
  readonly geometry: Geometry;
}

/** Places the sections one below the other. */
export function layOut(sizes: readonly SectionSize[], geometry: Geometry): Layout {
  let top = 0;
  let first = 0;
  const sections = sizes.map(({ count, hasHeading }) => {
    const heading = hasHeading ? geometry.headingHeight : 0;
    const height = heading + Math.ceil(count / geometry.columns) * geometry.rowHeight + geometry.sectionGap;
    const placed = { top, itemsTop: top + heading, height, first, count };
    top += height;
    first += count;
    return placed;
  });
  return { sections, height: top, count: first, geometry };
}

/** How many columns of at least `least` px fit, with `gap` between them. */
export function fitColumns(width: number, { least, gap }: { least: number; gap: number }): number {
  return Math.max(1, Math.floor((width + gap) / (least + gap)));
}

/** What of a section is drawn. */
export interface Drawn {
  readonly section: number;
  /** In order, counted in the whole list. */
  readonly indexes: readonly number[];
}

function toRange(
  { itemsTop, first, count }: PlacedSection,
  { from, to, columns, rowHeight }: { from: number; to: number; columns: number; rowHeight: number },
): { from: number; to: number } {
  const rows = Math.ceil(count / columns);
  const firstRow = Math.min(rows, Math.max(0, Math.floor((from - itemsTop) / rowHeight)));
  const endRow = Math.min(rows, Math.max(firstRow, Math.ceil((to - itemsTop) / rowHeight)));
  return { from: first + firstRow * columns, to: first + Math.min(count, endRow * columns) };
}

/**
 * What lies between two heights, px from the top of the list. The item `kept` is drawn wherever it is: it
 * has the focus, which would be lost with it.
 */
export function findDrawn(
  layout: Layout,
  { from, to, kept }: { from: number; to: number; kept?: number | undefined },
): readonly Drawn[] {
  const drawn: Drawn[] = [];
  layout.sections.forEach((section, index) => {
    const isInSight = section.top + section.height > from && section.top < to;
    const hasKept = kept !== undefined && kept >= section.first && kept < section.first + section.count;
    if (!isInSight && !hasKept) return;
    const range = isInSight
      ? toRange(section, { from, to, ...layout.geometry })
      : { from: section.first, to: section.first };
    const indexes = Array.from({ length: range.to - range.from }, (_, at) => range.from + at);
    if (hasKept && !indexes.includes(kept)) {
      indexes.push(kept);
      indexes.sort((a, b) => a - b);
    }
    drawn.push({ section: index, indexes });
  });
  return drawn;
}

export interface Place {
  /** px from the top of the list. */
  readonly top: number;
  readonly column: number;
  readonly section: number;
}

/** Where an item of the whole list stands; undefined when there is none of that index. */
export function findPlace(layout: Layout, index: number): Place | undefined {
  const section = layout.sections.findIndex(({ first, count }) => index >= first && index < first + count);
  const found = layout.sections[section];
  if (found === undefined) return undefined;
  const { columns, rowHeight } = layout.geometry;
  const at = index - found.first;
  return { top: found.itemsTop + Math.floor(at / columns) * rowHeight, column: at % columns, section };
}

/** The item nearest to `column` in the row `rows` further down; undefined when the list ends before. */
function stepRow(layout: Layout, index: number, down: boolean): number | undefined {
  const place = findPlace(layout, index);
  const section = place && layout.sections[place.section];
  if (place === undefined || section === undefined) return undefined;
  const { columns } = layout.geometry;
  const next = index + (down ? columns : -columns);
  const end = section.first + section.count;
  if (next >= section.first && next < end) return next;
  const rowStart = (at: number): number => at - ((at - section.first) % columns);
  // The last row may be shorter than this column.
  if (down && rowStart(index) < rowStart(end - 1)) return end - 1;
  const other = layout.sections[place.section + (down ? 1 : -1)];
  if (other === undefined || other.count === 0) return undefined;
  const start = down ? 0 : Math.floor((other.count - 1) / columns) * columns;
  return other.first + Math.min(other.count - 1, start + place.column);
}

/** Where a key leads from an item; undefined when it leads nowhere. `page` is how many rows one screen has. */
export function findNext(
  layout: Layout,
  { index, key, page }: { index: number; key: string; page: number },
): number | undefined {
  const last = layout.count - 1;
  const clamp = (at: number): number => Math.min(last, Math.max(0, at));
  switch (key) {
    case "ArrowDown":
      return stepRow(layout, index, true);
    case "ArrowUp":
      return stepRow(layout, index, false);
    case "ArrowRight":
      return index < last ? index + 1 : undefined;
    case "ArrowLeft":
      return index > 0 ? index - 1 : undefined;
    case "PageDown":
      return clamp(index + page * layout.geometry.columns);
    case "PageUp":
      return clamp(index - page * layout.geometry.columns);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}
