/**
 * A long list of which only what is in sight is drawn. The arithmetic is in windowing.ts, scrolling in use-sight.ts,
 * the focus in use-list-focus.ts.
 */
import type { ComponentChildren, JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { text } from "../app/texts.ts";
import type { Section } from "./selection.ts";
import { useListFocus } from "./use-list-focus.ts";
import { useSight } from "./use-sight.ts";
import { type DrawServer, type ListKind, WindowHeading, WindowItem } from "./window-item.tsx";
import { type Geometry, type SectionSize, findDrawn, findPlace, layOut } from "./windowing.ts";

export interface WindowedListProps {
  readonly sections: readonly Section[];
  /** The same function as long as nothing else changes, as `draw`. */
  readonly toGeometry: (width: number) => Geometry;
  /** Between columns and rows, px. */
  readonly gap: number;
  readonly kind: ListKind;
  /** A table's row of headings. */
  readonly head?: ((width: number) => ComponentChildren) | undefined;
  readonly draw: (width: number) => DrawServer;
}

/** One group with its heading. */
function WindowSection(props: {
  section: Section;
  kind: ListKind;
  top: number;
  children: ComponentChildren;
}): JSX.Element {
  const { section, kind, top, children } = props;
  const { group } = section;
  const heading = group !== undefined && <WindowHeading section={section} kind={kind} top={top} />;
  if (kind === "table") {
    return (
      <div role="rowgroup">
        {heading}
        {children}
      </div>
    );
  }
  return (
    <section>
      {heading}
      <div role="list" aria-label={group === undefined || group === "" ? text("fleet.list") : group}>
        {children}
      </div>
    </section>
  );
}

function toSize({ group, servers }: Section): SectionSize {
  return { count: servers.length, hasHeading: group !== undefined };
}

/** The list. */
export function WindowedList(props: WindowedListProps): JSX.Element {
  const { sections, toGeometry, gap, kind, head, draw } = props;
  const root = useRef<HTMLDivElement>(null);
  const { width, from, to } = useSight(root);
  const all = useMemo(() => sections.flatMap(({ servers }) => servers), [sections]);
  const layout = layOut(sections.map(toSize), toGeometry(width));
  const { columns, rowHeight } = layout.geometry;
  const itemWidth = (width - (columns - 1) * gap) / columns;
  const { kept, onKeyDown, onFocusIn } = useListFocus(root, { all, layout });
  const drawServer = useMemo(() => draw(width), [draw, width]);

  function drawItem(index: number): JSX.Element | null {
    const [server, place] = [all[index], findPlace(layout, index)];
    if (server === undefined || place === undefined) return null;
    return (
      <WindowItem
        key={server.id}
        server={server}
        index={index}
        total={all.length}
        kind={kind}
        top={place.top}
        start={place.column * (itemWidth + gap)}
        width={itemWidth}
        height={rowHeight - gap}
        draw={drawServer}
      />
    );
  }

  const drawn = width === 0 ? [] : findDrawn(layout, { from, to, kept });
  const isTable = kind === "table";
  return (
    <div
      class={`window is-${kind}`}
      role={isTable ? "table" : undefined}
      aria-label={isTable ? text("fleet.list") : undefined}
      aria-rowcount={isTable ? all.length + 1 : undefined}
      onKeyDown={onKeyDown}
      onFocusIn={onFocusIn}
    >
      {head && width > 0 && (
        <div class="window-head" role="rowgroup">
          {head(width)}
        </div>
      )}
      <div
        class="window-body"
        ref={root}
        role={isTable ? "presentation" : undefined}
        style={{ blockSize: layout.height }}
      >
        {drawn.map(({ section: at, indexes }) => {
          const section = sections[at];
          if (section === undefined) return null;
          return (
            <WindowSection
              key={section.group ?? ""}
              section={section}
              kind={kind}
              top={layout.sections[at]?.top ?? 0}
            >
              {indexes.map(drawItem)}
            </WindowSection>
          );
        })}
      </div>
    </div>
  );
}
