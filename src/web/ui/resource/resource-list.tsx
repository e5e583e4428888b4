/** All of a resource: its table with search, filters and pages, and what can be done to one, to many and to add one. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { navigate } from "../../app/route.ts";
import { findText, text } from "../../app/texts.ts";
import { useLater } from "../../app/use-later.ts";
import { PageHead } from "../console/pieces.tsx";
import { ErrorNote, useTask } from "../console/problem.tsx";
import { useQuery } from "../console/query.ts";
import { reachable } from "../console/session.ts";
import { Button, Checkbox } from "../controls.tsx";
import { Table } from "../controls-table.tsx";
import { Empty } from "../empty.tsx";
import { toMessage } from "../forms/fault-words.ts";
import { Panel } from "../panel.tsx";
import type { FieldSource } from "./form.ts";
import { BulkBar, ListExports, ListFilters, moveColumn, tickColumn, useTicks } from "./list-parts.tsx";
import { useIsNarrowed, useList, useListPath } from "./list-state.tsx";
import { useListTools } from "./list-tools.ts";
import {
  type Listing,
  type ListTools,
  type Opened,
  type Resource,
  type Ticks,
  isResource,
  mayWrite,
  pageText,
  toAddress,
} from "./resource.ts";

interface OfList<View extends object, S extends FieldSource, C> {
  readonly of: Listing<View> | Resource<View, S, C>;
}

function AddButton<View extends object, S extends FieldSource, C>({
  of,
  kind,
  onOpen,
}: OfList<View, S, C> & { kind: "primary" | "plain"; onOpen: () => void }): JSX.Element | null {
  if (!isResource(of) || of.creation === false || !mayWrite(of)) return null;
  const { as = of.dialog === undefined ? "page" : "dialog", icon } = of.creation ?? {};
  if (as === "page" && icon === undefined)
    return (
      <a class="button primary" href={toAddress(of, "new")}>
        {pageText(of, "add")}
      </a>
    );
  return (
    <Button
      kind={kind}
      icon={icon ?? "plus"}
      onClick={as === "page" ? () => navigate(toAddress(of, "new")) : onOpen}
    >
      {pageText(of, "add")}
    </Button>
  );
}

function EmptyList<View extends object, S extends FieldSource, C>({
  of,
  add,
  tools,
  hasMore,
  isSection,
}: OfList<View, S, C> & {
  isSection: boolean;
  add: JSX.Element | null;
  tools: ListTools<View>;
  hasMore: boolean;
}): JSX.Element {
  const isNarrowed = useIsNarrowed(of.table);
  const hint = findText(`${of.texts}.none.hint`);
  const { Nothing: Own } = of.table;
  if (isSection) return <p class="field-hint">{pageText(of, "none")}</p>;
  if (hasMore) return <p class="empty">{text("admin.list.notYet")}</p>;
  if (Own !== undefined && !isNarrowed) return <Own tools={tools} />;
  const nothing = isNarrowed ? findText(`${of.texts}.none.found`) : undefined;
  if (nothing !== undefined || hint === undefined)
    return <div class="empty">{nothing ?? pageText(of, "none")}</div>;
  return (
    <Empty icon={of.table.icon ?? "list"} title={pageText(of, "none")} hint={hint}>
      {isResource(of) && of.creation !== false && of.creation?.as !== "dialog" && add}
    </Empty>
  );
}

/** The dialogs, which come when the first is opened. */
function Dialogs<View extends object, S extends FieldSource, C>(
  props: OfList<View, S, C> & {
    tools: ListTools<View>;
    opened: Opened<View>;
    setOpened: (opened: Opened<View>) => void;
    /** The one that the address names. */
    linked: View | undefined;
  },
): JSX.Element {
  const { of, tools, opened, setOpened, linked } = props;
  const { Item, itemIn = "" } = of;
  const query = useQuery();
  const { adding, made, edited, removed } = opened;
  const isForm = adding === true || (made ?? edited ?? removed) !== undefined;
  const dialogs = useLater(() => import("./list-dialogs.tsx"), isForm);
  return (
    <>
      {dialogs && isResource(of) && (
        <dialogs.FormDialogs of={of} tools={tools} opened={opened} setOpened={setOpened} />
      )}
      {opened.item && Item && (
        <Item view={opened.item} what={opened.what} tools={tools} onClose={() => setOpened({})} />
      )}
      {linked && Item && (
        <Item
          view={linked}
          what={undefined}
          tools={tools}
          onClose={() => query.set({ [itemIn]: "" })}
          key={of.idOf(linked)}
        />
      )}
    </>
  );
}

function Cards<View extends object>({
  of: { table, idOf, nameOf },
  Card,
  tools,
  rows,
  ticks,
}: {
  of: Listing<View>;
  Card: NonNullable<Listing<View>["table"]["Card"]>;
  tools: ListTools<View>;
  rows: readonly View[];
  ticks: Ticks | undefined;
}): JSX.Element {
  const { bulkMax = 100, tickName = nameOf } = table;
  const tick = ticks && tickColumn<View>(ticks, { idOf, nameOf: tickName, most: bulkMax, rows });
  return (
    <ul class="plain-list stack">
      {rows.map((view) => (
        <Card view={view} tools={tools} tick={tick?.cell(view)} key={idOf(view)} />
      ))}
    </ul>
  );
}

function RowTable<View extends object>({
  of: { table, idOf, nameOf, navigation },
  tools,
  items,
  rows,
  ticks,
}: {
  of: Listing<View>;
  tools: ListTools<View>;
  items: readonly View[];
  /** Those of `items` that are drawn. */
  rows: readonly View[];
  ticks: Ticks | undefined;
}): JSX.Element {
  const { order, bulkMax = 100, tickName = nameOf, arrange } = table;
  const query = useQuery();
  const sort = query.get("sort");
  const { sections } = table;
  const listed = sections?.of(rows);
  const inOrder = listed === undefined ? rows : listed.flatMap((section) => section.rows);
  const columns = [
    ...(ticks ? [tickColumn<View>(ticks, { idOf, nameOf: tickName, most: bulkMax, rows: inOrder })] : []),
    ...(table.columns?.(tools, rows) ?? []),
    ...(arrange && tools.mayWrite ? [moveColumn(items, { nameOf, tools })] : []),
  ];
  const parts = listed?.map((section) => ({
    key: section.key,
    rows: section.rows,
    head:
      section.title === undefined || sections === undefined ? undefined : (
        <sections.Head section={section} idOf={idOf} ticks={ticks} width={columns.length} />
      ),
  }));
  return (
    <Table
      caption={text(navigation)}
      columns={columns}
      rows={rows}
      sections={parts}
      class={parts && table.class}
      rowClass={table.rowClass}
      keyOf={idOf}
      order={
        order && (sort === "" ? order : { key: sort.replace(/^-/u, ""), descending: sort.startsWith("-") })
      }
      onOrder={
        order && (({ key, descending }) => query.set({ sort: descending ? `-${key}` : key, cursor: "" }))
      }
    />
  );
}

function Rows<View extends object>({
  of,
  tools,
  items,
  all,
}: {
  of: Listing<View>;
  tools: ListTools<View>;
  items: readonly View[];
  all: readonly View[];
}): JSX.Element {
  const { table, idOf, nameOf } = of;
  const { bulk = [], bulkMax = 100, Bulk, tickAll } = table;
  const { firstRows = items.length, mayTick = () => Bulk !== undefined || tools.mayWrite } = table;
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? items : items.slice(0, firstRows);
  const ticks = useTicks(bulkMax);
  const hasTicks = (Bulk !== undefined || bulk.length > 0) && mayTick();
  // What is not in sight is not done anything to.
  const ticked = items.filter((view) => ticks.ticked.has(idOf(view)));
  const tickable = items.slice(0, bulkMax);
  const setAll = (): void => ticks.set(tickable.map(idOf));
  async function done(): Promise<void> {
    ticks.clear();
    await tools.refresh();
  }
  const drawn = { of, tools, rows: shown, ticks: hasTicks ? ticks : undefined };
  const { Card } = table;
  const rows = Card ? <Cards {...drawn} Card={Card} /> : <RowTable {...drawn} items={items} />;
  const bar = Bulk && ticked.length > 0 && (
    <Bulk
      views={ticked}
      items={all}
      mayWrite={tools.mayWrite}
      tickAll={ticked.length < tickable.length ? setAll : undefined}
      done={done}
      refresh={tools.refresh}
      clear={ticks.clear}
    />
  );
  return (
    <>
      {hasTicks && Bulk === undefined && (
        <BulkBar actions={bulk} views={ticked} nameOf={nameOf} onDone={done} onClear={ticks.clear} />
      )}
      {tickAll && hasTicks && items.length > 0 ? (
        <div class="table-bar">
          <Checkbox
            label={text(tickAll, { count: tickable.length })}
            checked={ticked.length === tickable.length}
            onChange={(isTicked) => (isTicked ? setAll() : ticks.clear())}
          />
          {bar}
        </div>
      ) : (
        bar
      )}
      {items.length > 0 &&
        (table.class === undefined || table.sections !== undefined ? (
          rows
        ) : (
          <div class={table.class}>{rows}</div>
        ))}
      {shown.length < items.length && (
        <Button onClick={() => setShowsAll(true)}>{text("admin.show.all", { count: items.length })}</Button>
      )}
    </>
  );
}

function Items<View extends object>(props: {
  of: Listing<View>;
  tools: ListTools<View>;
  items: readonly View[];
  all: readonly View[];
}): JSX.Element | null {
  const { of, tools, items } = props;
  const { Rows: Own } = of.table;
  if (Own !== undefined) return items.length > 0 ? <Own tools={tools} items={items} /> : null;
  return <Rows {...props} />;
}

/** The list. */
export function ResourceList<View extends object, S extends FieldSource, C>({
  of,
  path = of.api,
  head = "page",
}: OfList<View, S, C> & {
  /** Path of GET, unless it lists the whole collection. */
  path?: string;
  /**
   * "panel": a hint and the button are above the rows, for pages with their own title. "section": a panel of a page,
   * with a title.
   */
  head?: "page" | "panel" | "section" | "none";
}): JSX.Element {
  const { table, idOf, Above, Below, itemIn } = of;
  const query = useQuery();
  const { Filters = ListFilters } = table;
  const loaded = useList<View>(path, table, idOf);
  const isNarrowed = useIsNarrowed(table);
  const asked = useListPath("", table).replace(/^\?/u, "");
  const task = useTask();
  const [opened, setOpened] = useState<Opened<View>>({});
  const tools = useListTools(of, { refresh: loaded.refresh, task, setOpened });
  const { items, all, isLoading, error } = loaded;
  const part = { tools, items: all, isLoading };
  // There is nothing to search.
  const isBare = table.Nothing !== undefined && all.length === 0 && !isNarrowed;
  const linked = itemIn === undefined ? undefined : all.find((view) => idOf(view) === query.get(itemIn));
  const kind = head === "section" ? "plain" : "primary";
  const add = <AddButton of={of} kind={kind} onOpen={() => setOpened({ adding: true })} />;
  const list = (
    <>
      {head === "page" && (
        <PageHead title={text(of.navigation)} hint={findText(`${of.texts}.hint`)}>
          {add}
          <ListExports table={table} query={asked} />
          {of.ListActions && <of.ListActions {...part} />}
        </PageHead>
      )}
      {Above && <Above {...part} />}
      {!isBare && <Filters table={table} items={all} counts={loaded.counts} refresh={loaded.refresh} />}
      {task.message !== undefined && <ErrorNote message={task.message} />}
      {/* Above the page it says already that the service is away. */}
      {error && (reachable.value || all.length === 0) && (
        <ErrorNote message={toMessage(error)} onRetry={() => void loaded.refresh()} />
      )}
      {isLoading && <p class="empty">{text("page.loading")}</p>}
      {items.length === 0 && !isLoading && !error && (
        <EmptyList
          of={of}
          add={add}
          tools={tools}
          hasMore={loaded.hasMore === true}
          isSection={head === "section"}
        />
      )}
      {head === "panel" && items.length > 0 && (
        <div class="panel-head">
          <p class="field-hint">{findText(`${of.texts}.hint`)}</p>
          {add}
        </div>
      )}
      <Items of={of} tools={tools} items={items} all={all} />
      {loaded.more}
      {Below && <Below {...part} />}
      <Dialogs of={of} tools={tools} opened={opened} setOpened={setOpened} linked={linked} />
    </>
  );
  if (head !== "section") return list;
  return (
    <Panel small title={text(of.navigation)} hint={findText(`${of.texts}.hint`)} action={add}>
      {list}
    </Panel>
  );
}
