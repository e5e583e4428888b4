/** A list's URL: its order, its filters, and its page. */
import type { Context } from "hono";
import type { AppEnv } from "../../../kit/http/app.ts";
import { MAX_AMOUNT, parseDecimal, toDecimal } from "../../base/money.ts";
import type { SearchSort } from "../../catalogue/search.ts";

/** The orders that people choose from. */
const listSorts = [
  "relevance",
  "featured",
  "newest",
  "price",
  "-price",
  "sold",
  "title",
] as const satisfies readonly SearchSort[];
export type ListSort = (typeof listSorts)[number];

/** The order of a list without a chosen one. */
function defaultSort(q: string): ListSort {
  return q === "" ? "featured" : "relevance";
}

/** The orders of a list; matches are better or worse only with search terms. */
export function listSortsOf({ q }: Pick<ListQuery, "q">): readonly ListSort[] {
  return q === "" ? listSorts.slice(1) : listSorts;
}

export const PAGE_SIZE = 24;
const MAX_TEXT = 200;
const MAX_OPTIONS = 24;

export interface ListQuery {
  readonly q: string;
  readonly sort: ListSort;
  readonly isInStock: boolean;
  readonly tag: string;
  /** Keys of chosen values of options. */
  readonly options: readonly string[];
  /** As typed. */
  readonly min: string;
  readonly max: string;
  readonly minPrice: number | undefined;
  readonly maxPrice: number | undefined;
  readonly cursor: string | undefined;
}

/** An amount as people type it: "12", "12.5" and "12,50". */
function parsePrice(typed: string, currency: string): number | undefined {
  return typed === "" ? undefined : parseDecimal(typed.replace(",", "."), currency);
}

/** Reads the query; what makes no sense is left out. */
export function readListQuery(c: Context<AppEnv>, currency: string): ListQuery {
  const read = (name: string): string =>
    (c.req.query(name) ?? "")
      .replaceAll(/[\u0000-\u001f\u007f]/gu, " ")
      .trim()
      .slice(0, MAX_TEXT);
  const [min, max] = [read("min").slice(0, 20), read("max").slice(0, 20)];
  const cursor = c.req.query("cursor") ?? "";
  const q = read("q");
  return {
    q,
    sort: listSortsOf({ q }).find((sort) => sort === c.req.query("sort")) ?? defaultSort(q),
    isInStock: c.req.query("stock") === "1",
    tag: read("tag").slice(0, 60),
    options: (c.req.queries("option") ?? []).slice(0, MAX_OPTIONS).map((key) => key.slice(0, MAX_TEXT)),
    min,
    max,
    minPrice: parsePrice(min, currency),
    maxPrice: parsePrice(max, currency),
    cursor: cursor === "" || cursor.length > 2_000 ? undefined : cursor,
  };
}

/** Whether something is left out. */
export function isFiltered({ isInStock, tag, options, minPrice, maxPrice }: ListQuery): boolean {
  return options.length > 0 || isInStock || tag !== "" || minPrice !== undefined || maxPrice !== undefined;
}

/** The query of the same list with other members. */
export function toListQuery(query: ListQuery, other: Partial<ListQuery> = {}): string {
  const { q, sort, isInStock, tag, options, min, max, cursor } = { ...query, ...other };
  const parts = new URLSearchParams();
  if (q !== "") parts.set("q", q);
  if (sort !== defaultSort(q)) parts.set("sort", sort);
  if (isInStock) parts.set("stock", "1");
  if (tag !== "") parts.set("tag", tag);
  for (const key of options) parts.append("option", key);
  if (min !== "") parts.set("min", min);
  if (max !== "") parts.set("max", max);
  if (cursor !== undefined) parts.set("cursor", cursor);
  return parts.toString();
}

/** The query of a page that is kept: of the order alone there are few. */
export function toKeptQuery(c: Context<AppEnv>): string | undefined {
  const isPlain = ["q", "stock", "tag", "option", "min", "max", "cursor"].every((name) => !c.req.query(name));
  if (!isPlain) return undefined;
  const sort = listSortsOf({ q: "" }).find((each) => each === c.req.query("sort"));
  return sort === undefined || sort === defaultSort("") ? "" : `sort=${sort}`;
}

/** An amount as a number field shows it. */
export function toTyped(amount: number, currency: string): string {
  return amount > MAX_AMOUNT ? "" : toDecimal(amount, currency);
}
