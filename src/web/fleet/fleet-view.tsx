/** Servers and checks as cards, as a list, or by uptime. */
import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { useWidth } from "../app/use-element.ts";
import { useLater } from "../app/use-later.ts";
import { BrokenServerCard, type CardParts, ServerCard, toCardHeight } from "./card.tsx";
import { COMPACT_BELOW, fitListColumns, toTemplate } from "./columns.tsx";
import type { Criteria } from "./criteria.ts";
import { isCheck } from "./home-item.ts";
import { type DrawItem, ItemList } from "./item-list.tsx";
import { ListHead, ServerRow, sortBy } from "./row.tsx";
import type { Section } from "./selection.ts";
import { UptimeHead, UptimeRow } from "./uptime-row.tsx";

const ROW_HEIGHTS = { list: 56, uptime: 52 };
const COMPACT_ROW_HEIGHT = 84;

/** A card is at least so wide, and so far from the next, px. */
const CARD_WIDTH = 288;
const CARD_GAP = 12;

const noParts: CardParts = { traffic: false, billing: false, labels: false };

/** A check as a card, px. */
const CHECK_CARD_HEIGHT = 106;

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
  const root = useRef<HTMLDivElement>(null);
  const width = useWidth(root);
  const compact = width < COMPACT_BELOW;
  // On a phone three cards fit a screen: what is not of now is on the server's page.
  const isNarrow = view === "grid" && countColumns(width) === 1;
  const { traffic, billing, labels } = isNarrow ? noParts : props.parts;
  // The same objects as long as they say the same, so that rows are not drawn again with each frame.
  const parts = useMemo(() => ({ traffic, billing, labels }), [traffic, billing, labels]);
  const columns = useMemo(() => fitListColumns(width, parts), [width, parts]);
  const hasChecks = sections.some(({ items }) => items.some(isCheck));
  const hasServers = sections.some(({ items }) => items.some((item) => !isCheck(item)));
  const ofChecks = useLater(() => import("../check-items/check-item.tsx"), hasChecks);
  const draw = useMemo((): DrawItem => {
    const width = hasServers ? columns.length : undefined;
    return (item) => {
      if (isCheck(item)) {
        if (ofChecks === undefined) return null;
        const { CheckCard, CheckRow, CheckUptimeRow } = ofChecks;
        if (view === "grid") return <CheckCard check={item} />;
        if (view === "uptime") return <CheckUptimeRow check={item} compact={compact} />;
        return <CheckRow check={item} columns={width} template={toTemplate(columns)} compact={compact} />;
      }
      if (view === "grid") return <ServerCard server={item} parts={parts} />;
      if (view === "uptime") return <UptimeRow server={item} compact={compact} />;
      return <ServerRow server={item} columns={columns} compact={compact} />;
    };
  }, [view, parts, columns, compact, ofChecks, hasServers]);
  const drawBroken = useMemo(
    (): DrawItem => (item) =>
      isCheck(item) || view !== "grid" ? draw(item) : <BrokenServerCard server={item} />,
    [draw, view],
  );
  if (view === "grid")
    return (
      <div ref={root}>
        <ItemList
          sections={sections}
          kind="list"
          columns={countColumns(width)}
          head={null}
          height={toCardHeight(parts)}
          checkHeight={CHECK_CARD_HEIGHT}
          draw={draw}
          drawBroken={drawBroken}
        />
      </div>
    );
  const head =
    view === "uptime" ? (
      <UptimeHead criteria={criteria} />
    ) : hasServers ? (
      <ListHead columns={columns} criteria={criteria} />
    ) : (
      ofChecks && <ofChecks.CheckHead criteria={criteria} onOrder={(key) => sortBy(key, criteria)} />
    );
  const ids = criteria.sort === "uptime" ? sections.flatMap(({ items }) => items.filter(isCheck)) : [];
  return (
    <div ref={root}>
      {ofChecks && ids.length > 0 && <ofChecks.UptimeOfAll ids={ids.map(({ id }) => id)} />}
      {width > 0 && (
        <ItemList
          sections={sections}
          kind="table"
          columns={1}
          head={compact ? null : head}
          height={compact ? COMPACT_ROW_HEIGHT : ROW_HEIGHTS[view]}
          checkHeight={0}
          draw={draw}
          drawBroken={drawBroken}
        />
      )}
    </div>
  );
}
