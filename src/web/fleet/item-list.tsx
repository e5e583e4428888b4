/**
 * A long list of servers and checks. Those near the window are drawn in full; of the others only the link is there, which the
 * keyboard, the browser's search and screen readers find. All servers of a view have one height, and so do all checks.
 */
import { Component, type ComponentChildren, type JSX } from "preact";
import { useMemo } from "preact/hooks";
import { checks } from "../app/checks.ts";
import { fleet } from "../app/fleet.ts";
import { text } from "../app/texts.ts";
import { type NearnessFollower, findFollower, followNearness, unfollowNearness } from "../app/use-element.ts";
import { Icon } from "../ui/icons.tsx";
import { findNext } from "./find-next.ts";
import { folds, toggleFold } from "./folds.ts";
import { type HomeItem, isCheck, toKey } from "./home-item.ts";
import { toItemPage } from "./name-link.tsx";
import { type Section, splitItems } from "./selection.ts";

export type DrawItem = (item: HomeItem) => ComponentChildren;

/** Drawn before the browser has said which items are near. */
const FIRST_ITEMS = 24;

interface ListItemProps {
  readonly id: string;
  readonly name: string;
  readonly isCheck: boolean;
  readonly isFirst: boolean;
  readonly isRow: boolean;
  readonly draw: DrawItem;
}

/** A visible item follows its server or check by itself, and is only rendered again for a different one. */
function DrawnItem({ id, isCheck: ofCheck, draw }: Omit<ListItemProps, "name" | "isFirst" | "isRow">) {
  const item = ofCheck ? checks.value.byId.get(id) : fleet.value.byId.get(id);
  return useMemo(() => <>{item && draw(item)}</>, [item, draw]);
}

interface ListItemState {
  readonly isNear: boolean;
  readonly hasFocus: boolean;
}

/**
 * It gets no values of what it shows: what is far away is not drawn again with each report. A class, since a list has
 * thousands, and hooks would take twice the memory.
 */
class ListItem extends Component<ListItemProps, ListItemState> implements NearnessFollower {
  override state = { isNear: this.props.isFirst, hasFocus: false };

  // The focused item stays rendered, or its focus would be lost.
  get #isDrawn(): boolean {
    return this.state.isNear || this.state.hasFocus;
  }

  override shouldComponentUpdate(props: ListItemProps, state: ListItemState): boolean {
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
      findTarget(this.base)?.focus({ preventScroll: true });
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

  override render({ id, name, isCheck: ofCheck, isRow, draw }: ListItemProps): JSX.Element {
    const page = toItemPage(id, ofCheck);
    const link = page === undefined ? <span tabIndex={-1}>{name}</span> : <a href={page}>{name}</a>;
    return (
      <div class="server-item" role={isRow ? "row" : "listitem"}>
        {this.#isDrawn ? (
          <DrawnItem id={id} isCheck={ofCheck} draw={draw} />
        ) : isRow ? (
          <span role="cell">{link}</span>
        ) : (
          link
        )}
      </div>
    );
  }
}

/** What of an item takes the focus. */
function findTarget(item: HTMLElement): HTMLElement | null {
  return item.querySelector<HTMLElement>("a, [tabindex]");
}

/** Tells the item that something in it has got or lost the focus: one listener for all. */
function passFocus({ type, target }: FocusEvent): void {
  const element = target instanceof Element ? target.closest(".server-item") : null;
  const item = element && findFollower(element);
  if (item instanceof ListItem) item.takeFocus(type === "focusin");
}

const turned: Readonly<Record<string, string>> = { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft" };

/** Moves the focus to the item that the key leads to. */
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
  findTarget(next)?.focus({ preventScroll: true });
}

/** The heading of a group, which folds it; what is offline is named also while it is folded. */
function GroupHeading({ section }: { section: Section }): JSX.Element {
  const { group, total, offline } = section;
  return (
    <button
      type="button"
      class="fold"
      aria-expanded={!folds.value.has(group)}
      onClick={() => toggleFold(group)}
    >
      <Icon name="down" />
      <span class="fold-name">{group === "" ? text("fleet.noGroup") : group}</span>
      <span class="section-count">{total}</span>
      {offline > 0 && (
        <span class="section-offline">
          <Icon name="offline" />
          {offline}
          <span class="for-readers"> {text("state.offline")}</span>
        </span>
      )}
    </button>
  );
}

function Heading({ section, isTable }: { section: Section; isTable: boolean }): JSX.Element | null {
  const { kind, total } = section;
  if (kind === "all") return null;
  const content =
    kind === "group" ? (
      <GroupHeading section={section} />
    ) : (
      <span class="broken-title">
        <Icon name="alert" />
        {text("home.broken")}
        <span class="section-count">{total}</span>
      </span>
    );
  return isTable ? (
    <div class="section-heading" role="row">
      <span role="cell">{content}</span>
    </div>
  ) : (
    <h2 class="section-heading">{content}</h2>
  );
}

interface ItemListProps {
  readonly sections: readonly Section[];
  readonly kind: "list" | "table";
  /** Number of cards side by side. */
  readonly columns: number;
  readonly head: ComponentChildren;
  /** Of a server, px. */
  readonly height: number;
  /** Of a check, px. */
  readonly checkHeight: number;
  /** The same as long as nothing changes. */
  readonly draw: DrawItem;
  /** Draws what is broken: as cards, servers are as high as checks there. */
  readonly drawBroken: DrawItem;
}

type SectionProps = Omit<ItemListProps, "sections" | "head"> & {
  section: Section;
  firstItem: number;
};

/** The items, in the order of the section in a table; as cards, those of one height. */
function Items(props: SectionProps & { items: readonly HomeItem[]; span: number }): JSX.Element | null {
  const { items, kind, firstItem, span, section } = props;
  const isTable = kind === "table";
  const ofBroken = section.kind === "broken";
  const draw = ofBroken ? props.drawBroken : props.draw;
  if (items.length === 0) return null;
  const drawn = items.map((item, index) => (
    <ListItem
      key={toKey(item)}
      id={item.id}
      name={item.name}
      isCheck={isCheck(item)}
      isFirst={firstItem + index < FIRST_ITEMS}
      isRow={isTable}
      draw={draw}
    />
  ));
  if (isTable) return <>{drawn}</>;
  const ofChecks = items[0] !== undefined && isCheck(items[0]);
  const isLow = ofBroken || ofChecks;
  const what = text(ofBroken ? "home.broken" : ofChecks ? "home.checks" : "fleet.list");
  return (
    <div
      class="server-grid"
      role="list"
      aria-label={section.group === "" ? what : `${section.group}: ${what}`}
      style={isLow ? { "--item-height": `${props.checkHeight}px`, "--span": span } : { "--span": span }}
    >
      {drawn}
    </div>
  );
}

/** A section; a small group takes only the columns that it fills, so that the next one fits next to it. */
function SectionView(props: SectionProps): JSX.Element {
  const { section, kind, columns } = props;
  const { items } = section;
  const isTable = kind === "table";
  const heading = <Heading section={section} isTable={isTable} />;
  const folded = section.kind === "group" && folds.value.has(section.group);
  if (isTable)
    return (
      <div role="rowgroup">
        {heading}
        {!folded && <Items {...props} items={items} span={1} />}
      </div>
    );
  const { servers, checks: ofChecks } =
    section.kind === "broken" ? { servers: items, checks: [] } : splitItems(items);
  const most = folded ? 1 : Math.max(servers.length, ofChecks.length);
  const span = section.kind === "group" ? Math.min(columns, most) : columns;
  return (
    <section style={{ "--span": span }} class={`is-${section.kind}`}>
      {heading}
      {!folded && (
        <>
          <Items {...props} items={servers} span={span} />
          <Items {...props} items={ofChecks} span={span} firstItem={props.firstItem + servers.length} />
        </>
      )}
    </section>
  );
}

/** The list; with `head` it is a table. */
export function ItemList(props: ItemListProps): JSX.Element {
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
        before += section.items.length;
        return <SectionView key={section.key} {...rest} section={section} firstItem={firstItem} />;
      })}
    </div>
  );
}
