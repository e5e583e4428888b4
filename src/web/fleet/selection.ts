/** Which servers are shown, in which order and sections. */
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import { readLive, readMetric, readUsedPercent } from "../app/sample.ts";
import type { Criteria, SortKey, State } from "./criteria.ts";

export interface Section {
  /** The group; undefined where there are no sections. */
  readonly group: string | undefined;
  readonly servers: readonly PublicServer[];
}

export interface SelectionOptions {
  /** Name of a country, so that it can be searched. */
  readonly toCountry: (region: string) => string;
  /** Share of time that a server was up, 0 to 1. */
  readonly findUptime: (id: string) => number | undefined;
}

const stateRanks: Readonly<Record<State, number>> = { offline: 0, online: 1, never: 2, disabled: 3 };

function toHaystack(server: PublicServer, { toCountry }: SelectionOptions): string {
  const { name, group, tags, region, provider = "", publicNote, host, id } = server;
  const country = region === "" ? "" : toCountry(region);
  const system = [host?.["os"], host?.["platform"], host?.["platformVersion"], host?.["arch"]];
  return [name, id, group, ...tags, region, country, provider, publicNote, ...system]
    .join("\n")
    .toLowerCase();
}

/** One part of the filter. */
export type Part = "group" | "tags" | "state" | "q";

/** Turns the filter into tests of servers; every word of the search must match. */
export function createFilter(
  { group, tags, state, q }: Criteria,
  options: SelectionOptions,
): Readonly<Record<Part, (server: PublicServer) => boolean>> {
  const words = q
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "");
  return {
    group: (server) => group === undefined || server.group === group,
    tags: (server) => tags.every((tag) => server.tags.includes(tag)),
    state: (server) => state === undefined || server.state === state,
    q: (server) => {
      if (words.length === 0) return true;
      const haystack = toHaystack(server, options);
      return words.every((word) => haystack.includes(word));
    },
  };
}

type Value = number | string | undefined;

function toValue(key: SortKey, options: SelectionOptions): (server: PublicServer) => Value {
  switch (key) {
    case "order":
      return (server) => server.displayOrder;
    case "name":
      return (server) => server.name;
    case "state":
      return (server) => stateRanks[server.state];
    case "cpu":
      return (server) => readLive(server, "cpu.usagePercent");
    case "memory":
      return (server) => (server.state === "online" ? readUsedPercent(server, key) : undefined);
    case "disk":
      return (server) => (server.state === "online" ? readMetric(server, "disk.fullestPercent") : undefined);
    case "down":
      return (server) => readLive(server, "network.rxBytesPerSecond");
    case "up":
      return (server) => readLive(server, "network.txBytesPerSecond");
    case "load":
      return (server) => readLive(server, "load.one");
    case "running":
      return (server) => readLive(server, "uptimeSeconds");
    case "traffic":
      return ({ traffic }) => traffic?.percent ?? (traffic && traffic.usedBytes / Number.MAX_SAFE_INTEGER);
    case "expiry":
      return (server) => server.nextExpiryAt;
    case "uptime":
      return (server) => options.findUptime(server.id);
  }
}

/** Sorts; servers whose value is not known come last in both directions. */
export function sortServers(
  servers: readonly PublicServer[],
  { criteria, options }: { criteria: Pick<Criteria, "sort" | "descending">; options: SelectionOptions },
): readonly PublicServer[] {
  const valueOf = toValue(criteria.sort, options);
  const sign = criteria.descending ? -1 : 1;
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  return servers
    .map((server) => ({ server, value: valueOf(server) }))
    .sort((a, b) => {
      if (a.value === undefined || b.value === undefined)
        return Number(a.value === undefined) - Number(b.value === undefined);
      const order =
        typeof a.value === "number" && typeof b.value === "number"
          ? a.value - b.value
          : collator.compare(String(a.value), String(b.value));
      return order === 0 ? a.server.displayOrder - b.server.displayOrder : sign * order;
    })
    .map(({ server }) => server);
}

/**
 * The filtered servers in sections. In display order they are grouped, with groups in the order of their first server.
 */
export function toSections(
  found: readonly PublicServer[],
  { criteria, options }: { criteria: Criteria; options: SelectionOptions },
): readonly Section[] {
  if (criteria.sort !== "order")
    return [{ group: undefined, servers: sortServers(found, { criteria, options }) }];
  const byGroup = new Map<string, PublicServer[]>();
  for (const server of found) {
    const members = byGroup.get(server.group);
    if (members === undefined) byGroup.set(server.group, [server]);
    else members.push(server);
  }
  if (byGroup.size <= 1) return [{ group: undefined, servers: found }];
  return [...byGroup].map(([group, members]) => ({ group, servers: members }));
}
