/** Search, filters and view of servers and checks, as part of the URL, so that it can be shared. */
import type { State } from "./home-item.ts";

export const views = ["grid", "list", "uptime"] as const;
export type View = (typeof views)[number];
/** What is shown. */
export const shows = ["all", "servers", "checks"] as const;
export type Show = (typeof shows)[number];

export const sortKeys = [
  "order",
  "name",
  "state",
  "cpu",
  "memory",
  "disk",
  "down",
  "up",
  "load",
  "running",
  "traffic",
  "expiry",
  "uptime",
  "latency",
] as const;
export type SortKey = (typeof sortKeys)[number];

export const states: readonly State[] = ["online", "offline", "never", "disabled"];

/** The orders of servers, of checks, or of both. */
export function listSortKeys(has: { servers: boolean; checks: boolean }): readonly SortKey[] {
  const ofBoth = ["order", "name", "state", "uptime"];
  return sortKeys.filter((key) => ofBoth.includes(key) || (key === "latency" ? has.checks : has.servers));
}

/** Names begin with A; for all else the worst comes first: the fullest, the soonest, what is down, the least uptime. */
export function startsDescending(key: SortKey): boolean {
  return !["order", "name", "state", "expiry", "uptime"].includes(key);
}

/** The words for a sort direction, by the kind of value. */
export function toDirection(key: SortKey, descending: boolean): `fleet.direction.${Direction}` {
  if (key === "name") return descending ? "fleet.direction.fromZ" : "fleet.direction.fromA";
  if (key === "state" || key === "uptime")
    return descending ? "fleet.direction.best" : "fleet.direction.worst";
  if (key === "expiry") return descending ? "fleet.direction.latest" : "fleet.direction.soonest";
  return descending ? "fleet.direction.highest" : "fleet.direction.lowest";
}
type Direction = "fromA" | "fromZ" | "best" | "worst" | "soonest" | "latest" | "highest" | "lowest";

export interface Criteria {
  readonly view: View;
  readonly show: Show;
  readonly group?: string;
  /** A server must have all of them. */
  readonly tags: readonly string[];
  readonly state?: State;
  /** The search text. */
  readonly q: string;
  readonly sort: SortKey;
  readonly descending: boolean;
}

function findKnown<T extends string>(known: readonly T[], value: string | null | undefined): T | undefined {
  return known.find((one) => one === value);
}

/** What the reader chose last, or the administrator for all. */
export interface Fallback {
  readonly view?: string | undefined;
  readonly show?: string | undefined;
}

/** Reads an address' query; what it does not know is left out. One with a view is complete: it takes no `show` of the fallback. */
export function parseCriteria(search: string, fallback: Fallback = {}): Criteria {
  const query = new URLSearchParams(search);
  const group = query.get("group");
  const state = findKnown(states, query.get("state"));
  const sort = query.get("sort") ?? "";
  const key = findKnown(sortKeys, sort.replace(/^-/u, ""));
  return {
    view: findKnown(views, query.get("view")) ?? findKnown(views, fallback.view) ?? "grid",
    show: findKnown(shows, query.get("show") ?? (query.has("view") ? undefined : fallback.show)) ?? "all",
    ...(group === null ? {} : { group }),
    tags: [...new Set(query.getAll("tag"))],
    ...(state === undefined ? {} : { state }),
    q: query.get("q") ?? "",
    sort: key ?? "order",
    descending: key !== undefined && key !== "order" && sort.startsWith("-"),
  };
}

/** The address' query that says the same, without "?". */
export function formatCriteria(criteria: Criteria): string {
  const { view, show, group, tags, state, q, sort, descending } = criteria;
  const query = new URLSearchParams({ view });
  if (show !== "all") query.set("show", show);
  if (group !== undefined) query.set("group", group);
  for (const tag of tags) query.append("tag", tag);
  if (state !== undefined) query.set("state", state);
  if (q !== "") query.set("q", q);
  if (sort !== "order") query.set("sort", `${descending ? "-" : ""}${sort}`);
  return query.toString();
}

/** Whether anything is left out of the view. */
export function isFiltered({ group, tags, state, q }: Criteria): boolean {
  return group !== undefined || tags.length > 0 || state !== undefined || q.trim() !== "";
}

/** The same view without filters. */
export function withoutFilter({ view, show, sort, descending }: Criteria): Criteria {
  return { view, show, sort, descending, tags: [], q: "" };
}
