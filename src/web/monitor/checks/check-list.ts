/** The list of checks: what the address asks for, what is loaded, and how it is laid out. */
import type { CheckState } from "../../../monitor/checks/schema.ts";
import type { CheckView } from "../../../monitor/checks/view-schema.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { CHECKS } from "./check-data.ts";

/** As the address says it; "" where nothing is asked for. */
export interface CheckFilter {
  readonly q: string;
  readonly group: string;
  readonly tag: string;
  readonly state: string;
  readonly kind: string;
}
export const filterNames = ["q", "group", "tag", "state", "kind"] as const;

/** In the address: those in no group, which an empty word cannot say there. */
export const NO_GROUP = "-";

export type CheckCounts = Readonly<Record<CheckState, number>>;

interface ListAnswer {
  readonly items: readonly CheckView[];
  readonly nextCursor?: string;
  readonly counts: CheckCounts;
}

/** What is loaded of a list. */
export interface LoadedChecks {
  /** Those that are down, from everywhere or from some places: they stand above all others. */
  readonly troubled: readonly CheckView[];
  /** By group and name, without the former. */
  readonly others: readonly CheckView[];
  /** Of all that the filter leaves, whatever their state. */
  readonly counts: CheckCounts;
  readonly hasMore: boolean;
}

/** Checks of one page. */
export const PAGE_SIZE = 200;
const TROUBLED: readonly CheckState[] = ["down", "partial"];

/** The path of a page of the list. */
export function toListPath(filter: CheckFilter, cursor?: string): string {
  const asked = new URLSearchParams({ limit: String(PAGE_SIZE) });
  for (const name of filterNames) {
    const value = filter[name].trim();
    if (value !== "") asked.set(name, name === "group" && value === NO_GROUP ? "" : value);
  }
  if (cursor !== undefined) asked.set("cursor", cursor);
  return `${CHECKS}?${asked.toString()}`;
}

/** How many there are in all states together. */
export function countAll(counts: CheckCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Loads the first pages of a list, with all that is down first where no state is asked for. */
export async function loadChecks(
  filter: CheckFilter,
  { pages, ask = adminRequest }: { pages: number; ask?: (path: string) => Promise<ListAnswer> },
): Promise<LoadedChecks> {
  const found: CheckView[] = [];
  let answer = await ask(toListPath(filter));
  found.push(...answer.items);
  for (let page = 1; page < pages && answer.nextCursor !== undefined; page += 1) {
    answer = await ask(toListPath(filter, answer.nextCursor));
    found.push(...answer.items);
  }
  const { counts, nextCursor } = answer;
  const hasMore = nextCursor !== undefined;
  if (filter.state !== "") return { troubled: [], others: found, counts, hasMore };
  const asked = TROUBLED.filter((state) => counts[state] > 0);
  const lists = hasMore
    ? (await Promise.all(asked.map((state) => ask(toListPath({ ...filter, state }))))).map(
        ({ items }) => items,
      )
    : // All are there already.
      asked.map((state) => found.filter(({ standing }) => standing.state === state));
  const troubled = lists.flat();
  const ids = new Set(troubled.map(({ id }) => id));
  return { troubled, others: found.filter(({ id }) => !ids.has(id)), counts, hasMore };
}

/** Checks that stand together in the list. */
export interface CheckSection {
  /** The group's name; undefined for what needs attention. */
  readonly group: string | undefined;
  readonly checks: readonly CheckView[];
}

/** The list in sections: what needs attention, then the groups. */
export function toCheckSections({
  troubled,
  others,
}: Pick<LoadedChecks, "troubled" | "others">): readonly CheckSection[] {
  const groups = new Map<string, CheckView[]>();
  for (const check of others) {
    const group = groups.get(check.group);
    if (group === undefined) groups.set(check.group, [check]);
    else group.push(check);
  }
  const sections = [...groups].map(([group, checks]): CheckSection => ({ group, checks }));
  return troubled.length === 0 ? sections : [{ group: undefined, checks: troubled }, ...sections];
}
