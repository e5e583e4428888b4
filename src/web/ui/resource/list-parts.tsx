/** What stands above a list: its search and filters, and what is done to all ticked rows. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type TextName, findText, text } from "../../app/texts.ts";
import { Button, Checkbox, Segments, Select } from "../controls.tsx";
import { ConfirmDialog } from "../controls-dialog.tsx";
import type { TableColumn } from "../controls-table.tsx";
import { showToast } from "../controls-toast.tsx";
import { useQuery } from "../console/query.ts";
import { SearchField } from "../filters/search-field.tsx";
import { toMessage } from "../forms/fault-words.ts";
import type { BulkAction, ListFilter, TableQuery } from "./resource.ts";

function FilterChoice({ filter }: { filter: ListFilter }): JSX.Element {
  const query = useQuery();
  const { name, label, values, words } = filter;
  const asked = query.get(name);
  const toLabel = (value: string): string => findText(`${words}.${value === "" ? "any" : value}`) ?? value;
  // What the address asks for and no choice has stays in sight, so that it can be left.
  const all = ["", ...values, ...(asked === "" || values.includes(asked) ? [] : [asked])];
  if (filter.as === "segments")
    return (
      <Segments<string>
        label={text(label)}
        value={asked}
        choices={all.map((value) => ({ value, label: toLabel(value) }))}
        onChange={(value) => query.set({ [name]: value, cursor: "" })}
      />
    );
  return (
    <Select<string>
      label={text(label)}
      value={asked}
      choices={all.map((value) => ({ value, label: toLabel(value) }))}
      onChange={(value) => query.set({ [name]: value, cursor: "" })}
    />
  );
}

/** The search and the filters; nothing for a list without. */
export function ListFilters({ table }: { table: TableQuery }): JSX.Element | null {
  const query = useQuery();
  const { search, filters = [] } = table;
  if (search === undefined && filters.length === 0) return null;
  const names = ["q", ...filters.map(({ name }) => name)];
  const isNarrowed = names.some((name) => query.get(name) !== "");
  const none = Object.fromEntries([...names, "cursor"].map((name) => [name, ""]));
  return (
    <div class={filters.length > 1 ? "admin-filters is-many" : "admin-filters"}>
      {search && <SearchField query={query} label={text(search)} />}
      {filters.map((filter) => (
        <FilterChoice filter={filter} key={filter.name} />
      ))}
      {isNarrowed && filters.length > 0 && (
        <Button kind="quiet" onClick={() => query.set(none)}>
          {text("admin.filter.clear")}
        </Button>
      )}
    </div>
  );
}

/** The ways to take the list away, with what it is narrowed to. */
export function ListExports({ table, query }: { table: TableQuery; query: string }): JSX.Element | null {
  const { exports = [] } = table;
  if (exports.length === 0) return null;
  return (
    <>
      {exports.map(({ label, path }) => (
        <a class="button" href={query === "" ? path : `${path}?${query}`} download key={path}>
          {text(label)}
        </a>
      ))}
    </>
  );
}

export interface Ticks {
  readonly ticked: ReadonlySet<string>;
  readonly tick: (id: string, isTicked: boolean) => void;
  readonly clear: () => void;
}

/** Which rows are ticked. */
export function useTicks(): Ticks {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  return {
    ticked,
    tick: (id, isTicked) => {
      const next = new Set(ticked);
      if (isTicked) next.add(id);
      else next.delete(id);
      setTicked(next);
    },
    clear: () => setTicked(new Set()),
  };
}

/** The column in which rows are ticked. */
export function tickColumn<View>(
  { ticked, tick }: Ticks,
  { idOf, nameOf, most }: { idOf: (view: View) => string; nameOf: (view: View) => string; most: number },
): TableColumn<View> {
  return {
    key: "tick",
    label: text("admin.choose"),
    silent: true,
    cell: (view) => (
      <Checkbox
        label={<span class="for-readers">{nameOf(view)}</span>}
        checked={ticked.has(idOf(view))}
        disabled={!ticked.has(idOf(view)) && ticked.size >= most}
        onChange={(isTicked) => tick(idOf(view), isTicked)}
      />
    ),
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
