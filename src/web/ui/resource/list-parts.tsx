/** The top of a list: search, filters, and actions for all ticked rows. */
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { csvSeparator } from "../../app/format.ts";
import { type TextName, findText, text } from "../../app/texts.ts";
import { Button, IconButton, Segments, Select, SelectField } from "../controls.tsx";
import { ConfirmDialog } from "../controls-dialog.tsx";
import type { TableColumn } from "../controls-table.tsx";
import { showToast } from "../controls-toast.tsx";
import { useQuery } from "../console/query.ts";
import { SearchField } from "../filters/search-field.tsx";
import { toMessage } from "../forms/fault-words.ts";
import { moveItem } from "../forms/moves.ts";
import { Icon } from "../icons.tsx";
import { toFields } from "./field-source.ts";
import type {
  BulkAction,
  Counts,
  DrawnFilter,
  FilterProps,
  ListTools,
  TableQuery,
  Ticks,
} from "./resource.ts";

/** A filter, with a label when it is behind "More filters"; hidden without choices. */
export function FilterChoice({
  filter,
  table,
}: {
  filter: DrawnFilter;
  table: TableQuery;
}): JSX.Element | null {
  const query = useQuery();
  const { name, label, as, values, words, any, useChoices, seldom } = filter;
  const known =
    useChoices?.() ??
    listValues(table, name, values).map((value) => ({
      value,
      label: findText(`${words}.${value}`) ?? value,
    }));
  const asked = query.get(name);
  if (known.length === 0 && asked === "") return null;
  // What the address asks for and no choice has stays in sight, so that it can be left.
  const isKnown = asked === "" || known.some(({ value }) => value === asked);
  const choices = [
    { value: "", label: any === undefined ? (findText(`${words}.any`) ?? "") : text(any) },
    ...known,
    ...(isKnown ? [] : [{ value: asked, label: asked }]),
  ];
  const all = {
    label: text(label),
    value: asked,
    choices,
    onChange: (value: string) => query.set({ [name]: value, cursor: "" }),
  };
  if (as === "segments") return <Segments<string> {...all} />;
  return seldom ? <SelectField<string> {...all} /> : <Select<string> {...all} />;
}

/** A text that is typed in the line of filters. */
function FilterSearch({ filter: { name, label }, table }: FilterProps): JSX.Element {
  return <SearchField query={useQuery()} name={name} label={text(label)} max={findMax(table, name)} />;
}

/** The most characters that the request takes. */
export function findMax({ query }: TableQuery, name: string): number | undefined {
  return query && toFields(query)[name]?.max;
}

/** The values of a choice: its own, or those that the request takes. */
export function listValues(
  { query }: TableQuery,
  name: string,
  values?: readonly string[],
): readonly string[] {
  return values ?? (query && toFields(query)[name]?.choices)?.map(String) ?? [];
}

/** The order of the rows, as the request knows it. */
function SortChoice({ table }: { table: TableQuery }): JSX.Element | null {
  const query = useQuery();
  const { sorts } = table;
  if (sorts === undefined) return null;
  const values = listValues(table, "sort");
  const initial = (table.query && toFields(table.query)["sort"]?.initial) ?? values[0];
  return (
    <Select<string>
      label={text(sorts.label)}
      value={query.get("sort")}
      choices={values.map((value) => ({
        value: value === initial ? "" : value,
        label: findText(`${sorts.words}.${value}`) ?? value,
      }))}
      onChange={(sort) => query.set({ sort, cursor: "" })}
    />
  );
}

/** The way back to the whole list, while it is narrowed. */
export function ClearFilters({ table: { filters = [] } }: { table: TableQuery }): JSX.Element | null {
  const query = useQuery();
  const names = ["q", ...filters.map(({ name }) => name)];
  if (names.every((name) => query.get(name) === "")) return null;
  const none = Object.fromEntries([...names, "cursor"].map((name) => [name, ""]));
  return (
    <Button kind="quiet" onClick={() => query.set(none)}>
      {text("admin.filter.clear")}
    </Button>
  );
}

/** The search and the filters; nothing for a list without. */
export function ListFilters({
  table,
  counts,
  refresh,
}: {
  table: TableQuery;
  counts?: Counts | undefined;
  refresh?: () => Promise<void>;
}): JSX.Element | null {
  const query = useQuery();
  const { search, filters = [] } = table;
  if (search === undefined && filters.length === 0) return null;
  return (
    <div class={filters.length > 1 ? "admin-filters is-many" : "admin-filters"}>
      {search && <SearchField query={query} label={text(search)} max={findMax(table, "q")} />}
      {filters.map((filter) => {
        if (filter.as === "link" || filter.seldom) return null;
        const { Draw = filter.as === "text" ? FilterSearch : FilterChoice } = filter;
        return <Draw filter={filter} table={table} counts={counts} key={filter.name} />;
      })}
      <SortChoice table={table} />
      {filters.length > 0 && <ClearFilters table={table} />}
      {table.reload && (
        <>
          <span class="spacer" />
          <Button icon="refresh" onClick={() => void refresh?.()}>
            {text("admin.refresh")}
          </Button>
        </>
      )}
    </div>
  );
}

/** The ways to take the list away, with what it is narrowed to, as the reader's spreadsheets know CSV. */
export function ListExports({ table, query }: { table: TableQuery; query: string }): JSX.Element | null {
  const { exports = [] } = table;
  if (exports.length === 0) return null;
  const asked = new URLSearchParams(query);
  asked.set("separator", csvSeparator());
  return (
    <>
      {exports.map(({ label, found = label, path, file, also = {} }) => (
        <a
          class="button"
          href={`${path}?${new URLSearchParams([...asked, ...Object.entries(also)]).toString()}`}
          download={file}
          key={file}
        >
          <Icon name="download" />
          {text(query === "" ? label : found)}
        </a>
      ))}
    </>
  );
}

/** The IDs from one to another, both included, in the order of `ids`; `to` alone if `from` is not among them. */
export function toRange(ids: readonly string[], from: string | undefined, to: string): readonly string[] {
  const ends = [ids.indexOf(from ?? to), ids.indexOf(to)];
  return ends.includes(-1) ? [to] : ids.slice(Math.min(...ends), Math.max(...ends) + 1);
}

/** Which rows are ticked; a range adds up to `most`. */
export function useTicks(most: number): Ticks {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  /** The row that was ticked or cleared last: a range begins there. */
  const last = useRef<string>();
  return {
    ticked,
    tick: (id, isTicked, among) => {
      const ids = among === undefined ? [id] : toRange(among, last.current, id);
      last.current = id;
      const next = isTicked
        ? new Set([...ticked, ...ids])
        : [...ticked].filter((other) => !ids.includes(other));
      setTicked(new Set([...next].slice(0, Math.max(most, ticked.size))));
    },
    set: (ids) => setTicked(new Set(ids)),
    clear: () => setTicked(new Set()),
  };
}

/** The column in which rows are ticked; with Shift, all from the last one to this. */
export function tickColumn<View>(
  { ticked, tick }: Ticks,
  {
    idOf,
    nameOf,
    most,
    rows,
  }: {
    idOf: (view: View) => string;
    nameOf: (view: View) => string;
    most: number;
    /** In the order in which they are drawn. */
    rows: readonly View[];
  },
): TableColumn<View> {
  const ids = rows.map(idOf);
  return {
    key: "tick",
    label: text("admin.choose"),
    silent: true,
    class: "is-tick",
    cell: (view) => (
      <label class="check">
        <input
          type="checkbox"
          checked={ticked.has(idOf(view))}
          disabled={!ticked.has(idOf(view)) && ticked.size >= most}
          // A click also comes of the space key, and says whether Shift was held, which a change does not.
          onClick={({ currentTarget, shiftKey }) =>
            tick(idOf(view), currentTarget.checked, shiftKey ? ids : undefined)
          }
        />
        <span class="for-readers">{nameOf(view)}</span>
      </label>
    ),
  };
}

/** The column in which rows are moved up and down. */
export function moveColumn<View>(
  items: readonly View[],
  { nameOf, tools }: { nameOf: (view: View) => string; tools: Pick<ListTools<View>, "arrange" | "isBusy"> },
): TableColumn<View> {
  return {
    key: "order",
    label: text("admin.column.order"),
    silent: true,
    cell: (view) => {
      const at = items.indexOf(view);
      const name = nameOf(view);
      const move = (to: number): void => tools.arrange(moveItem(items, { from: at, to }));
      return (
        <span class="move-buttons">
          <IconButton
            icon="up"
            label={text("admin.move.up", { name })}
            disabled={tools.isBusy || at === 0}
            onClick={() => move(at - 1)}
          />
          <IconButton
            icon="down"
            label={text("admin.move.down", { name })}
            disabled={tools.isBusy || at === items.length - 1}
            onClick={() => move(at + 1)}
          />
        </span>
      );
    },
  };
}

interface BulkProps<View> {
  readonly actions: readonly BulkAction<View>[];
  readonly views: readonly View[];
  readonly nameOf: (view: View) => string;
  readonly onDone: () => Promise<void>;
  readonly onClear: () => void;
}

/** The bar; nothing while nothing is ticked. What fails is named, and the rest is done. */
export function BulkBar<View>({
  actions,
  views,
  nameOf,
  onDone,
  onClear,
}: BulkProps<View>): JSX.Element | null {
  const [done, setDone] = useState<number | undefined>();
  const [asked, setAsked] = useState<BulkAction<View> | undefined>();
  const busy = done !== undefined;
  async function run({ work }: BulkAction<View>): Promise<void> {
    setAsked(undefined);
    setDone(0);
    const failed: { name: string; message: string }[] = [];
    for (const [index, view] of views.entries()) {
      try {
        await work(view);
      } catch (error) {
        failed.push({ name: nameOf(view), message: toMessage(error) });
      }
      setDone(index + 1);
    }
    setDone(undefined);
    await onDone();
    const [first] = failed;
    if (first === undefined) showToast(text("admin.saved"));
    else showToast(text("admin.bulk.failed", { count: failed.length, ...first }), "bad");
  }
  if (views.length === 0) return null;
  return (
    <div class="bulk-bar" role="group" aria-label={text("admin.choose")}>
      <span role="status">
        {busy ? `${done} / ${views.length}` : text("admin.bulk.count", { count: views.length })}
      </span>
      {actions.map((action) => (
        <Button
          small
          key={action.label}
          kind={action.danger === true ? "danger" : "plain"}
          disabled={busy}
          onClick={() => (action.danger === true ? setAsked(action) : void run(action))}
        >
          {text(action.label)}
        </Button>
      ))}
      <Button small kind="quiet" disabled={busy} onClick={onClear}>
        {text("admin.bulk.clear")}
      </Button>
      {asked && (
        <ConfirmDialog
          title={text(asked.label)}
          action={text(asked.label)}
          danger
          onConfirm={() => void run(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>{text("admin.bulk.count", { count: views.length })}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

/** The name of a text made of two parts; the part is checked by its resource. */
export function findWords(words: string, name: string): TextName | undefined {
  return findText(`${words}.${name}`) === undefined ? undefined : (`${words}.${name}` as TextName);
}
