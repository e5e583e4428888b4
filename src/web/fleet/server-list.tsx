/**
 * A long list of servers. Those near the window are drawn in full; of the others only the link is there, which the
 * keyboard, the browser's search and screen readers find. All items of a view have one height.
 */
import type { ComponentChildren, JSX } from "preact";
import { memo } from "preact/compat";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { fleet } from "../app/fleet.ts";
import { text } from "../app/texts.ts";
import { useIsNear } from "../app/use-element.ts";
import { findNext } from "./find-next.ts";
import type { Section } from "./selection.ts";

export type DrawServer = (server: PublicServer) => ComponentChildren;

/** Drawn before the browser has said which items are near. */
const FIRST_ITEMS = 24;

interface ServerItemProps {
  readonly id: string;
  readonly name: string;
  readonly isFirst: boolean;
  readonly isRow: boolean;
  readonly draw: DrawServer;
}

/** What is near follows its server by itself, and is drawn again only when that is another. */
function DrawnServer({ id, draw }: { id: string; draw: DrawServer }): JSX.Element {
  const server = fleet.value.byId.get(id);
  return useMemo(() => <>{server && draw(server)}</>, [server, draw]);
}

/** It gets no values of the server: what is far away is not drawn again with each report. */
const ServerItem = memo(function ServerItem(props: ServerItemProps): JSX.Element {
  const { id, name, isFirst, isRow, draw } = props;
  const ref = useRef<HTMLDivElement>(null);
  const [hasFocus, setHasFocus] = useState(false);
  // What has the focus stays drawn, or the focus would be lost with it.
  const isDrawn = useIsNear(ref, isFirst) || hasFocus;
  useLayoutEffect(() => {
    if (hasFocus) ref.current?.querySelector("a")?.focus({ preventScroll: true });
  }, [isDrawn]);
  const link = <a href={`/servers/${id}`}>{name}</a>;
  return (
    <div
      class="server-item"
      ref={ref}
      role={isRow ? "row" : "listitem"}
      onFocusIn={() => setHasFocus(true)}
      onFocusOut={() => setHasFocus(false)}
    >
      {isDrawn ? <DrawnServer id={id} draw={draw} /> : isRow ? <span role="cell">{link}</span> : link}
    </div>
  );
});

const turned: Readonly<Record<string, string>> = { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft" };

/** Moves the focus to the server that the key leads to. */
function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof Element)) return;
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(".server-item")];
  const index = items.findIndex((item) => item.contains(document.activeElement));
  const item = items[index];
  if (item === undefined) return;
  const page = Math.max(1, Math.floor(innerHeight / item.offsetHeight) - 2);
  const key = document.dir === "rtl" ? (turned[event.key] ?? event.key) : event.key;
  const tops = items.map(({ offsetTop }) => offsetTop);
  const next = items[findNext(tops, { index, key, page }) ?? -1];
  if (next === undefined) return;
  event.preventDefault();
  next.scrollIntoView({ block: "nearest" });
  next.querySelector("a")?.focus({ preventScroll: true });
}

/** The heading of a group. */
function GroupHeading({ section, isTable }: { section: Section; isTable: boolean }): JSX.Element {
  const words = (
    <>
      {section.group === "" ? text("fleet.noGroup") : section.group}
      <span class="section-count">{section.servers.length}</span>
    </>
  );
  return isTable ? (
    <div class="section-heading" role="row">
      <span role="cell">{words}</span>
    </div>
  ) : (
    <h2 class="section-heading">{words}</h2>
  );
}

/** The list; with `head` it is a table. `height` is an item's, px; `draw` is the same as long as nothing changes. */
export function ServerList(props: {
  sections: readonly Section[];
  kind: "list" | "table";
  head: ComponentChildren;
  height: number;
  draw: DrawServer;
}): JSX.Element {
  const { sections, kind, head, height, draw } = props;
  const isTable = kind === "table";
  let before = 0;
  return (
    <div
      class={`servers is-${kind}`}
      role={isTable ? "table" : undefined}
      aria-label={isTable ? text("fleet.list") : undefined}
      style={{ "--item-height": `${height}px` }}
      onKeyDown={moveFocus}
    >
      {head && (
        <div class="servers-head" role="rowgroup">
          {head}
        </div>
      )}
      {sections.map((section) => {
        const { group, servers } = section;
        const first = before;
        before += servers.length;
        const heading = group !== undefined && <GroupHeading section={section} isTable={isTable} />;
        const items = servers.map((server, index) => (
          <ServerItem
            key={server.id}
            id={server.id}
            name={server.name}
            isFirst={first + index < FIRST_ITEMS}
            isRow={isTable}
            draw={draw}
          />
        ));
        if (isTable)
          return (
            <div role="rowgroup" key={group ?? ""}>
              {heading}
              {items}
            </div>
          );
        return (
          <section key={group ?? ""}>
            {heading}
            <div class="server-grid" role="list" aria-label={group || text("fleet.list")}>
              {items}
            </div>
          </section>
        );
      })}
    </div>
  );
}
