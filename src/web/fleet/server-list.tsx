/**
 * A long list of servers. Those near the window are drawn in full; of the others only the link is there, which the
 * keyboard, the browser's search and screen readers find. All items of a view have one height.
 */
import { Component, type ComponentChildren, type JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { fleet } from "../app/fleet.ts";
import { text } from "../app/texts.ts";
import { type NearnessFollower, findFollower, followNearness, unfollowNearness } from "../app/use-element.ts";
import { Icon } from "../ui/icons.tsx";
import { findNext } from "./find-next.ts";
import { folds, toggleFold } from "./folds.ts";
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

/** A visible item follows its server by itself, and is only rendered again for a different one. */
function DrawnServer({ id, draw }: { id: string; draw: DrawServer }): JSX.Element {
  const server = fleet.value.byId.get(id);
  return useMemo(() => <>{server && draw(server)}</>, [server, draw]);
}

interface ServerItemState {
  readonly isNear: boolean;
  readonly hasFocus: boolean;
}

/**
 * It gets no values of the server: what is far away is not drawn again with each report. A class, since a list has
 * thousands, and hooks would take twice the memory.
 */
class ServerItem extends Component<ServerItemProps, ServerItemState> implements NearnessFollower {
  override state = { isNear: this.props.isFirst, hasFocus: false };

  // The focused item stays rendered, or its focus would be lost.
  get #isDrawn(): boolean {
    return this.state.isNear || this.state.hasFocus;
  }

  override shouldComponentUpdate(props: ServerItemProps, state: ServerItemState): boolean {
    const { name, isRow, draw } = this.props;
    const isSame = name === props.name && isRow === props.isRow && draw === props.draw;
    return !isSame || this.#isDrawn !== (state.isNear || state.hasFocus);
  }

  override componentDidMount(): void {
    if (this.base instanceof HTMLElement) followNearness(this.base, this);
  }

  override componentDidUpdate(): void {
    // The focused link was rendered again.
    if (this.state.hasFocus && this.base instanceof HTMLElement && !this.base.matches(":focus-within"))
      this.base.querySelector("a")?.focus({ preventScroll: true });
  }

  override componentWillUnmount(): void {
    if (this.base instanceof HTMLElement) unfollowNearness(this.base);
  }

  takeNearness(isNear: boolean): void {
    this.setState({ isNear });
  }

  takeFocus(hasFocus: boolean): void {
    this.setState({ hasFocus });
  }

  override render({ id, name, isRow, draw }: ServerItemProps): JSX.Element {
    const link = <a href={`/servers/${id}`}>{name}</a>;
    return (
      <div class="server-item" role={isRow ? "row" : "listitem"}>
        {this.#isDrawn ? <DrawnServer id={id} draw={draw} /> : isRow ? <span role="cell">{link}</span> : link}
      </div>
    );
  }
}

/** Tells the item that something in it has got or lost the focus: one listener for all. */
function passFocus({ type, target }: FocusEvent): void {
  const element = target instanceof Element ? target.closest(".server-item") : null;
  const item = element && findFollower(element);
  if (item instanceof ServerItem) item.takeFocus(type === "focusin");
}

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

/** The heading of a group, which folds it; what is offline is named also while it is folded. */
function GroupHeading({ section, isTable }: { section: Section; isTable: boolean }): JSX.Element {
  const group = section.group ?? "";
  const offline = section.servers.filter(({ state }) => state === "offline").length;
  const folded = folds.value.has(group);
  const button = (
    <button type="button" class="fold" aria-expanded={!folded} onClick={() => toggleFold(group)}>
      <Icon name="down" />
      <span class="fold-name">{group === "" ? text("fleet.noGroup") : group}</span>
      <span class="section-count">{section.servers.length}</span>
      {offline > 0 && (
        <span class="section-offline">
          <Icon name="offline" />
          {offline}
          <span class="for-readers"> {text("state.offline")}</span>
        </span>
      )}
    </button>
  );
  return isTable ? (
    <div class="section-heading" role="row">
      <span role="cell">{button}</span>
    </div>
  ) : (
    <h2 class="section-heading">{button}</h2>
  );
}

interface ServerListProps {
  readonly sections: readonly Section[];
  readonly kind: "list" | "table";
  /** Number of cards side by side. */
  readonly columns: number;
  readonly head: ComponentChildren;
  /** Of an item, px. */
  readonly height: number;
  /** The same as long as nothing changes. */
  readonly draw: DrawServer;
}

/** A group; a small one takes only the columns that it fills, so that the next one fits next to it. */
function SectionView(
  props: Omit<ServerListProps, "sections" | "head"> & {
    section: Section;
    firstItem: number;
  },
): JSX.Element {
  const { section, kind, columns, draw, firstItem } = props;
  const { group, servers } = section;
  const isTable = kind === "table";
  const heading = group !== undefined && <GroupHeading section={section} isTable={isTable} />;
  const folded = group !== undefined && folds.value.has(group);
  const items =
    !folded &&
    servers.map((server, index) => (
      <ServerItem
        key={server.id}
        id={server.id}
        name={server.name}
        isFirst={firstItem + index < FIRST_ITEMS}
        isRow={isTable}
        draw={draw}
      />
    ));
  if (isTable)
    return (
      <div role="rowgroup">
        {heading}
        {items}
      </div>
    );
  const span = group === undefined ? columns : folded ? 1 : Math.min(columns, servers.length);
  return (
    <section style={{ "--span": span }}>
      {heading}
      {items && (
        <div class="server-grid" role="list" aria-label={group || text("fleet.list")}>
          {items}
        </div>
      )}
    </section>
  );
}

/** The list; with `head` it is a table. */
export function ServerList(props: ServerListProps): JSX.Element {
  const { sections, head, ...rest } = props;
  const isTable = rest.kind === "table";
  let before = 0;
  return (
    <div
      class={`servers is-${rest.kind}`}
      role={isTable ? "table" : undefined}
      aria-label={isTable ? text("fleet.list") : undefined}
      style={{ "--item-height": `${rest.height}px`, "--columns": rest.columns }}
      onKeyDown={moveFocus}
      onFocusIn={passFocus}
      onFocusOut={passFocus}
    >
      {head && (
        <div class="servers-head" role="rowgroup">
          {head}
        </div>
      )}
      {sections.map((section) => {
        const firstItem = before;
        before += section.servers.length;
        return <SectionView key={section.group ?? ""} {...rest} section={section} firstItem={firstItem} />;
      })}
    </div>
  );
}
