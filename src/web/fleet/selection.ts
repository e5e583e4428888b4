/** Which servers and checks are shown, in which order and sections. */
import type { ShownCheck } from "../../monitor/checks/shown-schema.ts";
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { readLive, readMetric, readUsedPercent } from "../app/sample.ts";
import type { Criteria, SortKey } from "./criteria.ts";
import { type HomeItem, type State, isBroken, isCheck, toState } from "./home-item.ts";

export interface Section {
  readonly key: string;
  /** "broken": what someone should look after; "all": without a heading. */
  readonly kind: "broken" | "group" | "all";
  /** The group; empty for other kinds, and for what has no group. */
  readonly group: string;
  /** Servers come first in a group. */
  readonly items: readonly HomeItem[];
  /** Members of the group, and how many of them are offline: those, too, that are shown as broken. */
  readonly total: number;
  readonly offline: number;
}

export interface SelectionOptions {
  /** Name of a country, so that it can be searched. */
  readonly toCountry: (region: string) => string;
  /** Share of time that it was up, 0 to 1. */
  readonly findUptime: (item: HomeItem) => number | undefined;
}

const stateRanks: Readonly<Record<State, number>> = { offline: 0, online: 1, never: 2, disabled: 3 };

function toWords(item: HomeItem, { toCountry }: SelectionOptions): readonly unknown[] {
  if (isCheck(item)) return [item.kind, item.address];
  const { region, provider, publicNote, host } = item;
  const system = [host?.["os"], host?.["platform"], host?.["platformVersion"], host?.["arch"]];
  return [region, region === "" ? "" : toCountry(region), provider, publicNote, ...system];
}

function toHaystack(item: HomeItem, options: SelectionOptions): string {
  const { name, group, tags, id } = item;
  return [name, id, group, ...tags, ...toWords(item, options)].join("\n").toLowerCase();
}

/** One part of the filter. */
export type Part = "group" | "tags" | "state" | "q";

/** Turns the filter into tests; every word of the search must match. */
export function createFilter(
  { group, tags, state, q }: Criteria,
  options: SelectionOptions,
): Readonly<Record<Part, (item: HomeItem) => boolean>> {
  const words = q
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "");
  return {
    group: (item) => group === undefined || item.group === group,
    tags: (item) => tags.every((tag) => item.tags.includes(tag)),
    state: (item) => state === undefined || toState(item) === state,
    q: (item) => {
      if (words.length === 0) return true;
      const haystack = toHaystack(item, options);
      return words.every((word) => haystack.includes(word));
    },
  };
}

type Value = number | string | undefined;

/** Values of servers; checks have none of these. */
const serverValues: Readonly<Partial<Record<SortKey, (server: PublicServer) => Value>>> = {
  cpu: (server) => readLive(server, "cpu.usagePercent"),
  memory: (server) => (server.state === "online" ? readUsedPercent(server, "memory") : undefined),
  disk: (server) => (server.state === "online" ? readMetric(server, "disk.fullestPercent") : undefined),
  down: (server) => readLive(server, "network.rxBytesPerSecond"),
  up: (server) => readLive(server, "network.txBytesPerSecond"),
  load: (server) => readLive(server, "load.one"),
  running: (server) => readLive(server, "uptimeSeconds"),
  traffic: ({ traffic }) => traffic?.percent ?? (traffic && traffic.usedBytes / Number.MAX_SAFE_INTEGER),
  expiry: (server) => server.nextExpiryAt,
};
/** Values of both, and of checks. */
const itemValues: Readonly<Partial<Record<SortKey, (item: HomeItem) => Value>>> = {
  name: ({ name }) => name,
  state: (item) => stateRanks[toState(item)],
  latency: (item) => (isCheck(item) ? item.latencyMs : undefined),
};

function toValue(key: SortKey, options: SelectionOptions): (item: HomeItem) => Value {
  if (key === "uptime") return options.findUptime;
  const ofServer = serverValues[key];
  return itemValues[key] ?? ((item) => (isCheck(item) ? undefined : ofServer?.(item)));
}

/** Sorts; what has no known value comes last in both directions. Equal ones stay as they are. */
export function sortItems(
  items: readonly HomeItem[],
  { criteria, options }: { criteria: Pick<Criteria, "sort" | "descending">; options: SelectionOptions },
): readonly HomeItem[] {
  const valueOf = toValue(criteria.sort, options);
  const sign = criteria.descending ? -1 : 1;
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  return items
    .map((item) => ({ item, value: valueOf(item) }))
    .sort((a, b) => {
      if (a.value === undefined || b.value === undefined)
        return Number(a.value === undefined) - Number(b.value === undefined);
      return typeof a.value === "number" && typeof b.value === "number"
        ? sign * (a.value - b.value)
        : sign * collator.compare(String(a.value), String(b.value));
    })
    .map(({ item }) => item);
}

function toSection(kind: Section["kind"], group: string, items: readonly HomeItem[]): Section {
  const offline = items.filter((item) => toState(item) === "offline").length;
  return { key: `${kind} ${group}`, kind, group, items, total: items.length, offline };
}

/**
 * What the filter leaves, in sections. In display order what is broken comes first, then the groups in the order of
 * their first member; what is broken is not shown again in its group.
 */
export function toSections(
  found: readonly HomeItem[],
  { criteria, options }: { criteria: Criteria; options: SelectionOptions },
): readonly Section[] {
  if (criteria.sort !== "order") return [toSection("all", "", sortItems(found, { criteria, options }))];
  const byGroup = new Map<string, HomeItem[]>();
  for (const item of found) {
    const members = byGroup.get(item.group);
    if (members === undefined) byGroup.set(item.group, [item]);
    else members.push(item);
  }
  // Who filters by state sees the groups of what is left.
  const all = criteria.state === undefined ? found.filter(isBroken) : [];
  // What is gone comes before what is silent.
  const isGone = (item: HomeItem): boolean => toState(item) === "offline";
  const broken = [...all.filter(isGone), ...all.filter((item) => !isGone(item))];
  if (broken.length === 0 && byGroup.size <= 1) return [toSection("all", "", found)];
  const isShownHere = (item: HomeItem): boolean => criteria.state !== undefined || !isBroken(item);
  const groups = [...byGroup].map(([group, members]) => ({
    ...toSection("group", group, members),
    items: members.filter(isShownHere),
  }));
  const rest = groups.filter(({ items }) => items.length > 0);
  return broken.length === 0 ? rest : [toSection("broken", "", broken), ...rest];
}

/** Servers and checks of a section apart. */
export function splitItems(items: readonly HomeItem[]): {
  readonly servers: readonly PublicServer[];
  readonly checks: readonly ShownCheck[];
} {
  return { servers: items.filter((item) => !isCheck(item)), checks: items.filter(isCheck) };
}
