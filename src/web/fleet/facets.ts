/** The filtered servers, and how many each further choice would leave. */
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";
import type { Criteria } from "./criteria.ts";
import { type SelectionOptions, createFilter } from "./selection.ts";

export interface Counted {
  readonly name: string;
  readonly count: number;
}

export interface Facets {
  /** All filtered servers. */
  readonly found: readonly PublicServer[];
  /** The servers without the state filter, for the page's head. */
  readonly inScope: readonly PublicServer[];
  /** Servers of all groups. */
  readonly allGroups: number;
  /** All groups in the order of their first server; a count can be 0. */
  readonly groups: readonly Counted[];
  /** All tags by name, so that each keeps its place whatever is chosen; a count can be 0. */
  readonly tags: readonly Counted[];
}

function toList(counts: ReadonlyMap<string, number>): Counted[] {
  return [...counts].map(([name, count]) => ({ name, count }));
}

/** Filters, and counts in the same pass. */
export function toFacets(
  servers: readonly PublicServer[],
  { criteria, options }: { criteria: Criteria; options: SelectionOptions },
): Facets {
  const filter = createFilter(criteria, options);
  const [found, inScope]: [PublicServer[], PublicServer[]] = [[], []];
  const [groups, tags] = [new Map<string, number>(), new Map<string, number>()];
  let allGroups = 0;
  for (const server of servers) {
    const { group } = server;
    const isOfGroup = filter.group(server);
    const isOfState = filter.state(server);
    const isOfRest = filter.tags(server) && filter.q(server);
    if (isOfRest && isOfGroup) inScope.push(server);
    const isFound = isOfRest && isOfGroup && isOfState;
    if (isFound) found.push(server);
    const counts = isOfRest && isOfState;
    allGroups += Number(counts);
    if (group !== "") groups.set(group, (groups.get(group) ?? 0) + Number(counts));
    for (const tag of server.tags) tags.set(tag, (tags.get(tag) ?? 0) + Number(isFound));
  }
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  const sortedTags = toList(tags).sort((a, b) => collator.compare(a.name, b.name));
  return { found, inScope, allGroups, groups: toList(groups), tags: sortedTags };
}
