/** The servers as cards, as a list, or by uptime. */
import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { useWidth } from "../app/use-element.ts";
import { type CardParts, ServerCard, toCardHeight } from "./card.tsx";
import { COMPACT_BELOW, fitListColumns } from "./columns.tsx";
import type { Criteria } from "./criteria.ts";
import { ListHead, ServerRow } from "./row.tsx";
import type { Section } from "./selection.ts";
import { type DrawServer, ServerList } from "./server-list.tsx";
import { UptimeHead, UptimeRow } from "./uptime-row.tsx";

const ROW_HEIGHTS = { list: 56, uptime: 52 };
const COMPACT_ROW_HEIGHT = 84;

/** A card is at least so wide, and so far from the next, px. */
const CARD_WIDTH = 288;
const CARD_GAP = 12;

/** How many cards fit side by side. */
function countColumns(width: number): number {
  return Math.max(1, Math.floor((width + CARD_GAP) / (CARD_WIDTH + CARD_GAP)));
}

/** The view that the criteria name. */
export function FleetView(props: {
  sections: readonly Section[];
  criteria: Criteria;
  parts: CardParts;
}): JSX.Element {
  const { sections, criteria } = props;
  const { view } = criteria;
  const { traffic, billing, labels } = props.parts;
  const root = useRef<HTMLDivElement>(null);
  const width = useWidth(root);
  const compact = width < COMPACT_BELOW;
  // The same objects as long as they say the same, so that rows are not drawn again with each frame.
  const parts = useMemo(() => ({ traffic, billing, labels }), [traffic, billing, labels]);
  const columns = useMemo(() => fitListColumns(width, parts), [width, parts]);
  const draw = useMemo((): DrawServer => {
    if (view === "grid") return (server) => <ServerCard server={server} parts={parts} />;
    if (view === "uptime") return (server) => <UptimeRow server={server} compact={compact} />;
    return (server) => <ServerRow server={server} columns={columns} compact={compact} />;
  }, [view, parts, columns, compact]);
  if (view === "grid")
    return (
      <div ref={root}>
        <ServerList
          sections={sections}
          kind="list"
          columns={countColumns(width)}
          head={null}
          height={toCardHeight(parts)}
          draw={draw}
        />
      </div>
    );
  const head =
    view === "uptime" ? (
      <UptimeHead criteria={criteria} />
    ) : (
      <ListHead columns={columns} criteria={criteria} />
    );
  return (
    <div ref={root}>
      {width > 0 && (
        <ServerList
          sections={sections}
          kind="table"
          columns={1}
          head={compact ? null : head}
          height={compact ? COMPACT_ROW_HEIGHT : ROW_HEIGHTS[view]}
          draw={draw}
        />
      )}
    </div>
  );
}
