/** The filtered servers and checks, and how many each further choice would leave. */
import type { Criteria } from "./criteria.ts";
import type { HomeItem } from "./home-item.ts";
import { type SelectionOptions, createFilter } from "./selection.ts";

export interface Counted {
  readonly name: string;
  readonly count: number;
}

export interface Facets {
  /** All that the filter leaves. */
  readonly found: readonly HomeItem[];
  /** The same without the state filter, for the page's head. */
  readonly inScope: readonly HomeItem[];
  /** Of all groups. */
  readonly allGroups: number;
  /** All groups in the order of their first member; a count can be 0. */
  readonly groups: readonly Counted[];
  /** All tags by name, so that each keeps its place whatever is chosen; a count can be 0. */
  readonly tags: readonly Counted[];
}

function toList(counts: ReadonlyMap<string, number>): Counted[] {
  return [...counts].map(([name, count]) => ({ name, count }));
}

/** Filters, and counts in the same pass. */
export function toFacets(
  items: readonly HomeItem[],
  { criteria, options }: { criteria: Criteria; options: SelectionOptions },
): Facets {
  const filter = createFilter(criteria, options);
  const [found, inScope]: [HomeItem[], HomeItem[]] = [[], []];
  const [groups, tags] = [new Map<string, number>(), new Map<string, number>()];
  let allGroups = 0;
  for (const item of items) {
    const { group } = item;
    const isOfGroup = filter.group(item);
    const isOfState = filter.state(item);
    const isOfRest = filter.tags(item) && filter.q(item);
    if (isOfRest && isOfGroup) inScope.push(item);
    const isFound = isOfRest && isOfGroup && isOfState;
    if (isFound) found.push(item);
    const counts = isOfRest && isOfState;
    allGroups += Number(counts);
    if (group !== "") groups.set(group, (groups.get(group) ?? 0) + Number(counts));
    for (const tag of item.tags) tags.set(tag, (tags.get(tag) ?? 0) + Number(isFound));
  }
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  const sortedTags = toList(tags).sort((a, b) => collator.compare(a.name, b.name));
  return { found, inScope, allGroups, groups: toList(groups), tags: sortedTags };
}
