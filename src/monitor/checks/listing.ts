/** Lists of checks: filters, pages, and how many there are in each state. */
import { AppError } from "../../kit/errors.ts";
import { fromBase64Url, toBase64Url } from "../../kit/text/base64.ts";
import { toAddress } from "./address.ts";
import type { CheckKind, CheckRecord, CheckStanding, CheckState } from "./schema.ts";
import type { CheckDirectory } from "./standings.ts";

export interface CheckFilter {
  /** Found in name, group, tags, note and address, whatever the case. */
  readonly q?: string | undefined;
  /** "" for those in none. */
  readonly group?: string | undefined;
  readonly tag?: string | undefined;
  readonly state?: CheckState | undefined;
  readonly kind?: CheckKind | undefined;
}

export interface ListedCheck {
  readonly record: CheckRecord;
  readonly standing: CheckStanding;
}

export interface CheckPage {
  readonly items: readonly ListedCheck[];
  readonly nextCursor?: string;
  /** How many of all that the filter leaves, but for the state, are in each state. */
  readonly counts: Readonly<Record<CheckState, number>>;
}

function isFound(record: CheckRecord, q: string): boolean {
  const { name, group, tags, note } = record;
  return [name, group, note, toAddress(record), ...tags].some((part) => part.toLowerCase().includes(q));
}

function isMeant(record: CheckRecord, { q, group, tag, kind }: CheckFilter): boolean {
  if (group !== undefined && record.group !== group) return false;
  if (tag !== undefined && !record.tags.includes(tag)) return false;
  if (kind !== undefined && record.target.kind !== kind) return false;
  return q === undefined || isFound(record, q.toLowerCase());
}

/** By group and name; "attention": first what is down, from everywhere or from some locations. */
export const checkOrders = ["name", "attention"] as const;
export type CheckOrder = (typeof checkOrders)[number];

/** Where a page ended: a place in the order, so that checks may come and go. The part is that of "attention". */
type Place = readonly [group: string, name: string, id: string, part?: string];

/** The parts of a list, one after the other. */
const parts: Readonly<Record<CheckOrder, readonly string[]>> = { name: [""], attention: ["0", "1"] };

function partOf({ state }: CheckStanding, sort: CheckOrder): string {
  if (sort === "name") return "";
  return state === "down" || state === "partial" ? "0" : "1";
}

function toCursor({ group, name, id }: CheckRecord, part: string): string {
  const place: Place = part === "" ? [group, name, id] : [group, name, id, part];
  return toBase64Url(new TextEncoder().encode(JSON.stringify(place)));
}

function readCursor(cursor: string): Place {
  try {
    const place: unknown = JSON.parse(new TextDecoder().decode(fromBase64Url(cursor)));
    const isPlace = Array.isArray(place) && (place.length === 3 || place.length === 4);
    if (isPlace && place.every((part) => typeof part === "string"))
      // `as`: just looked at.
      return place as unknown as Place;
  } catch {
    // said below
  }
  const errors = [{ pointer: "cursor", code: "invalid", message: "belongs to another list" }];
  throw new AppError("invalid", "The cursor belongs to another list", { errors });
}

function isAfter(record: CheckRecord, own: string, [group, name, id, part = ""]: Place): boolean {
  if (own !== part) return own > part;
  if (record.group !== group) return record.group > group;
  if (record.name !== name) return record.name > name;
  return record.id > id;
}

/** One page. @throws AppError `invalid` for a cursor that is none */
export function pageOfChecks(
  directory: CheckDirectory,
  filter: CheckFilter,
  {
    limit,
    cursor,
    sort = "name",
  }: { readonly limit: number; readonly cursor?: string | undefined; readonly sort?: CheckOrder },
): CheckPage {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const counts = { up: 0, down: 0, partial: 0, unknown: 0, paused: 0 };
  const found: ListedCheck[] = [];
  for (const record of directory.records()) {
    if (!isMeant(record, filter)) continue;
    const standing = directory.findStanding(record.id);
    if (standing === undefined) continue;
    counts[standing.state] += 1;
    if (filter.state !== undefined && filter.state !== standing.state) continue;
    if (after === undefined || isAfter(record, partOf(standing, sort), after))
      found.push({ record, standing });
  }
  const sorted = parts[sort].flatMap((part) =>
    found.filter(({ standing }) => partOf(standing, sort) === part),
  );
  const items = sorted.slice(0, limit);
  const last = items.at(-1);
  const hasMore = sorted.length > limit && last !== undefined;
  return {
    items,
    counts,
    ...(hasMore && { nextCursor: toCursor(last.record, partOf(last.standing, sort)) }),
  };
}

/** The groups and tags that there are, sorted. */
export function namesOfChecks(directory: CheckDirectory): { groups: string[]; tags: string[] } {
  const records = directory.records();
  const groups = new Set(records.map(({ group }) => group).filter((group) => group !== ""));
  const tags = new Set(records.flatMap((record) => record.tags));
  return { groups: [...groups].toSorted(), tags: [...tags].toSorted() };
}
