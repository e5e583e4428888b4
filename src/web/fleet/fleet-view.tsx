/** The servers as cards, as a list, or by uptime. */
import type { JSX } from "preact";
import { useCallback, useMemo } from "preact/hooks";
import { type CardParts, ServerCard, toCardHeight } from "./card.tsx";
import { COMPACT_BELOW, fitListColumns } from "./columns.tsx";
import type { Criteria } from "./criteria.ts";
import { ListHead, ServerRow } from "./row.tsx";
import type { Section } from "./selection.ts";
import { UptimeHead, UptimeRow } from "./uptime-row.tsx";
import type { DrawServer } from "./window-item.tsx";
import { WindowedList } from "./windowed-list.tsx";
import { type Geometry, fitColumns } from "./windowing.ts";

const CARD_WIDTH = 288;
const CARD_GAP = 12;
const ROW_HEIGHT = 56;
const COMPACT_ROW_HEIGHT = 84;
const UPTIME_ROW_HEIGHT = 52;
const COMPACT_UPTIME_ROW_HEIGHT = 84;
const HEADING_HEIGHT = 44;

interface ViewProps {
  readonly sections: readonly Section[];
  readonly criteria: Criteria;
  readonly parts: CardParts;
}

function Cards({ sections, parts }: ViewProps): JSX.Element {
  const toGeometry = useCallback(
    (width: number): Geometry => ({
      columns: fitColumns(width, { least: CARD_WIDTH, gap: CARD_GAP }),
      rowHeight: toCardHeight(parts) + CARD_GAP,
      headingHeight: HEADING_HEIGHT,
      sectionGap: 8,
    }),
    [parts],
  );
  const draw = useCallback(
    (): DrawServer => (server) => <ServerCard server={server} parts={parts} />,
    [parts],
  );
  return <WindowedList sections={sections} toGeometry={toGeometry} gap={CARD_GAP} kind="list" draw={draw} />;
}

function toRowGeometry(wide: number, compact: number): (width: number) => Geometry {
  return (width) => ({
    columns: 1,
    rowHeight: width < COMPACT_BELOW ? compact : wide,
    headingHeight: HEADING_HEIGHT,
    sectionGap: 0,
  });
}

const toListGeometry = toRowGeometry(ROW_HEIGHT, COMPACT_ROW_HEIGHT);
const toUptimeGeometry = toRowGeometry(UPTIME_ROW_HEIGHT, COMPACT_UPTIME_ROW_HEIGHT);

function Rows({ sections, criteria, parts }: ViewProps): JSX.Element {
  const head = (width: number): JSX.Element | null =>
    width < COMPACT_BELOW ? null : <ListHead columns={fitListColumns(width, parts)} criteria={criteria} />;
  const draw = useCallback(
    (width: number): DrawServer => {
      const columns = fitListColumns(width, parts);
      return (server) => <ServerRow server={server} columns={columns} compact={width < COMPACT_BELOW} />;
    },
    [parts],
  );
  return (
    <WindowedList
      sections={sections}
      toGeometry={toListGeometry}
      gap={0}
      kind="table"
      head={head}
      draw={draw}
    />
  );
}

const drawUptime =
  (width: number): DrawServer =>
  (server) => <UptimeRow server={server} compact={width < COMPACT_BELOW} />;

function UptimeRows({ sections, criteria }: ViewProps): JSX.Element {
  const head = (width: number): JSX.Element | null =>
    width < COMPACT_BELOW ? null : <UptimeHead criteria={criteria} />;
  return (
    <WindowedList
      sections={sections}
      toGeometry={toUptimeGeometry}
      gap={0}
      kind="table"
      head={head}
      draw={drawUptime}
    />
  );
}

/** The view that the criteria name. */
export function FleetView(props: ViewProps): JSX.Element {
  const { traffic, billing, labels } = props.parts;
  // The same object as long as it says the same, so that rows are not drawn again with each frame.
  const parts = useMemo(() => ({ traffic, billing, labels }), [traffic, billing, labels]);
  switch (props.criteria.view) {
    case "grid":
      return <Cards {...props} parts={parts} />;
    case "list":
      return <Rows {...props} parts={parts} />;
    case "uptime":
      return <UptimeRows {...props} parts={parts} />;
  }
}
