/** The rows of a list and the ways to more of them, whichever way it comes. */
import { useEffect } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { useCursorPage } from "../console/cursor-page.tsx";
import { type Items, usePages } from "../console/paged.ts";
import { usePolled } from "../console/polled.ts";
import { useQuery } from "../console/query.ts";
import { Button } from "../controls.tsx";
import type { ListState, ResourceTable, TableQuery } from "./resource.ts";

type Get = (name: string) => string;

function toAsked(
  { search, filters = [], order, sorts }: TableQuery,
  get: Get,
): Readonly<Record<string, string>> {
  const asked = filters.flatMap((filter): [string, string][] => {
    const typed = get(filter.name);
    const value = "toAsked" in filter && filter.toAsked ? filter.toAsked(typed, get) : typed;
    return typeof value === "string" ? [[filter.name, value]] : Object.entries(value);
  });
  return {
    ...(search !== undefined && { q: get("q") }),
    ...Object.fromEntries(asked),
    ...((order ?? sorts) !== undefined && { sort: get("sort") }),
  };
}

/** Query parameters that the request takes from the address. */
export function useAsked(table: TableQuery): Readonly<Record<string, string>> {
  return toAsked(table, useQuery().get);
}

/** Whether the list shows only some: nothing found is then something else than nothing there. */
export function useIsNarrowed({ filters = [] }: TableQuery): boolean {
  const query = useQuery();
  return ["q", ...filters.map(({ name }) => name)].some((name) => query.get(name) !== "");
}

/** The path of the list with what it is narrowed to; `get` reads the address of the page. */
export function toListPath(path: string, table: TableQuery, get: Get): string {
  const { filters = [] } = table;
  const isNone = (name: string, value: string): boolean =>
    filters.some((filter) => filter.name === name && "none" in filter && filter.none === value);
  const asked = Object.entries(toAsked(table, get))
    .filter(([, value]) => value !== "")
    .map(([name, value]) => [name, isNone(name, value) ? "" : value]);
  const mark = path.includes("?") ? "&" : "?";
  return asked.length === 0 ? path : `${path}${mark}${new URLSearchParams(asked).toString()}`;
}

/** The same for the page's own address. */
export function useListPath(path: string, table: TableQuery): string {
  return toListPath(path, table, useQuery().get);
}

function usePageList<View>(path: string, table: TableQuery): ListState<View> {
  const page = useCursorPage<View>(path, useAsked(table));
  const query = useQuery();
  const cursor = query.get("cursor");
  const next = page.data?.nextCursor;
  return {
    items: page.items,
    all: page.items,
    isLoading: page.data === undefined && page.error === undefined,
    error: page.error,
    hasMore: next !== undefined,
    refresh: page.refresh,
    more:
      cursor === "" && next === undefined ? null : (
        <div class="button-row">
          {cursor !== "" && <Button onClick={() => query.set({ cursor: "" })}>{text("admin.newest")}</Button>}
          {next !== undefined && (
            <Button onClick={() => query.set({ cursor: next }, { push: true })}>{text("admin.older")}</Button>
          )}
        </div>
      ),
  };
}

function useMoreList<View>(path: string, limit: number, isEvery: boolean): ListState<View> {
  const pages = usePages<View>(`${path}${path.includes("?") ? "&" : "?"}limit=${limit}`);
  useEffect(() => {
    if (isEvery && pages.hasMore && !pages.busy && pages.error === undefined) pages.more();
  });
  return {
    items: pages.items,
    all: pages.items,
    isLoading: pages.items.length === 0 && pages.busy,
    error: pages.error,
    hasMore: pages.hasMore && !isEvery,
    refresh: async () => pages.refresh(),
    more:
      pages.hasMore && !isEvery ? (
        <Button disabled={pages.busy} onClick={pages.more}>
          {text("admin.showMore")}
        </Button>
      ) : null,
  };
}

function useWholeList<View>(path: string, table: ResourceTable<View>): ListState<View> {
  const { pollMs = 0, narrow } = table;
  const [asked, askedPath] = [useAsked(table), useListPath(path, table)];
  const { data, error, refresh } = usePolled<Items<View>>(narrow === undefined ? askedPath : path, pollMs);
  const isLoading = data === undefined && error === undefined;
  const all = data?.items ?? [];
  return { items: narrow?.(all, asked) ?? all, all, isLoading, error, refresh, more: null };
}

/** The list of GET `path`. How it comes is the same for as long as it is drawn. */
export function useList<View>(
  path: string,
  table: ResourceTable<View>,
  idOf: (view: View) => string,
): ListState<View> {
  const { paging = "pages", usePaging } = table;
  if (paging === "pages") return usePageList(path, table);
  if (paging === "whole") return useWholeList(path, table);
  const asked = useListPath(path, table);
  if (usePaging !== undefined) return usePaging(asked, { idOf, pollMs: table.pollMs ?? 0 });
  return useMoreList(asked, paging === "every" ? 200 : 50, paging === "every");
}
