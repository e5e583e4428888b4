/** One flush of a server's days, and what the store says of them. */
import { listEvery } from "../../store/every-page.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { bookmarks, months } from "./records.ts";
import { servers } from "../fleet/records.ts";
import { type CountingState, type Reading, countReadings } from "./counting.ts";
import type { BookmarkRecord, DayTuple, MonthRecord } from "./schema.ts";
import type { DaySums } from "./day-ring.ts";
import { type MinuteMark, type UnsavedMinutes, endOf, minutesPast, NO_MINUTES } from "./minutes.ts";
import { DaySheet, listMonths, readDays } from "./months.ts";
import type { TrafficCounter } from "./traffic-counter.ts";

/** Processes whose minutes are known; each start without its old folder is a new one. */
const KEPT_ORIGINS = 32;

/** Days as of a counter, from before there were readings. */
export interface CarriedDays {
  readonly counter: TrafficCounter | undefined;
  readonly days: readonly DayTuple[];
}

/** A process's data about a server that the store may lack. */
export interface UnsavedDays {
  readonly serverId: string;
  /** Distinguishes a server from a later one with its id; undefined when it is gone. */
  readonly createdAt: number | undefined;
  readonly readings: readonly Reading[];
  readonly minutes: UnsavedMinutes;
  readonly carried: CarriedDays | undefined;
}

/** The stored data of a server. */
export interface StoredDays {
  /** Grows with each change; 0 while there is no bookmark. */
  readonly version: number;
  readonly counter: TrafficCounter | undefined;
  readonly origin: string | undefined;
  /** How far the asking process's minutes are counted. */
  readonly minutes: MinuteMark;
  /** The requested days, or those that a flush touched. */
  readonly days: readonly (readonly [number, DaySums])[];
}

function isLater(left: TrafficCounter | undefined, right: TrafficCounter | undefined): boolean {
  return (left?.countedAt ?? -Infinity) > (right?.countedAt ?? -Infinity);
}

/** Before there were bookmarks, the months held the counter. */
function findCounter(records: readonly MonthRecord[]): TrafficCounter | undefined {
  let latest: TrafficCounter | undefined;
  for (const { counter } of records) if (isLater(counter, latest)) latest = counter;
  return latest;
}

function minutesOf(bookmark: Pick<BookmarkRecord, "minutes"> | undefined, origin: string): MinuteMark {
  const found = bookmark?.minutes.find(([one]) => one === origin);
  return found === undefined ? NO_MINUTES : { upMinutes: found[1], knownMinutes: found[2] };
}

async function addCarried(
  sheet: DaySheet,
  state: CountingState,
  { counter, days }: CarriedDays,
): Promise<CountingState> {
  const wasLater = !isLater(state.counter, counter);
  for (const [day, rxBytes, txBytes, upMinutes, knownMinutes] of days) {
    const stored = await sheet.get(day);
    await sheet.add(day, {
      rxBytes: wasLater ? rxBytes - stored.rxBytes : 0,
      txBytes: wasLater ? txBytes - stored.txBytes : 0,
      // Minutes were in no row, and only grow: the larger count is the later one.
      upMinutes: Math.max(0, upMinutes - stored.upMinutes),
      knownMinutes: Math.max(0, knownMinutes - stored.knownMinutes),
    });
  }
  return wasLater && counter !== undefined ? { ...state, counter } : state;
}

async function readState(
  tx: ReadTx,
  serverId: string,
  bookmark: BookmarkRecord | undefined,
): Promise<CountingState> {
  if (bookmark !== undefined) return bookmark;
  return { counter: findCounter(await listMonths(tx, serverId)), gaps: [] };
}

/** Adds what the days lack; returns the bookmark after it. */
async function addAll(
  sheet: DaySheet,
  before: { state: CountingState; minutes: MinuteMark },
  { unsaved, origin }: { unsaved: UnsavedDays; origin: string },
): Promise<{ state: CountingState; minutes: MinuteMark }> {
  const { readings, carried } = unsaved;
  const start = carried === undefined ? before.state : await addCarried(sheet, before.state, carried);
  const { state, days } = countReadings(start, { readings, origin });
  for (const [day, bytes] of days)
    if (bytes.rxBytes !== 0 || bytes.txBytes !== 0) await sheet.add(day, bytes);
  const minutes = minutesPast(unsaved.minutes, before.minutes);
  for (const [day, more] of minutes.days) await sheet.add(day, more);
  return { state, minutes: endOf(minutes) };
}

/** Also unchanged ones: the store may have them from a flush with an unknown outcome. */
function touchedDays({ readings, minutes, carried }: UnsavedDays): Set<number> {
  const carriedDays = (carried?.days ?? []).map(([day]) => day);
  return new Set([...readings.map(({ day }) => day), ...minutes.days.keys(), ...carriedDays]);
}

function isSameState(left: CountingState, right: CountingState): boolean {
  return (
    left.counter?.countedAt === right.counter?.countedAt &&
    left.origin === right.origin &&
    left.gaps.length === right.gaps.length &&
    // Gaps are replaced, never changed.
    right.gaps.every((gap) => left.gaps.includes(gap))
  );
}

/**
 * Adds what a process saw to a server's days in the caller's transaction, unless it is counted already; the
 * same again adds nothing. Undefined when the server is gone.
 */
export async function writeDays(
  tx: Tx,
  unsaved: UnsavedDays,
  origin: string,
): Promise<StoredDays | undefined> {
  const { serverId } = unsaved;
  const server = await tx.get(servers, serverId);
  if (server === undefined || server.createdAt !== unsaved.createdAt) return undefined;
  const bookmark = await tx.get(bookmarks, serverId);
  const before = {
    state: await readState(tx, serverId, bookmark),
    minutes: minutesOf(bookmark, origin),
  };
  const sheet = new DaySheet(tx, serverId);
  const carried = bookmark === undefined ? unsaved.carried : undefined;
  const after = await addAll(sheet, before, { unsaved: { ...unsaved, carried }, origin });
  await sheet.save();
  const days = new Map<number, DaySums>();
  for (const day of touchedDays(unsaved)) days.set(day, await sheet.get(day));
  for (const [day, sums] of sheet.changed) days.set(day, sums);
  const isMarked = after.minutes.knownMinutes === before.minutes.knownMinutes;
  const isSame = isMarked && sheet.changed.size === 0 && isSameState(before.state, after.state);
  const version =
    isSame && bookmark !== undefined
      ? bookmark.version
      : await putBookmark(tx, { bookmark, serverId, after, origin });
  const { counter } = after.state;
  return { version, counter, origin: after.state.origin, minutes: after.minutes, days: [...days] };
}

async function putBookmark(
  tx: Tx,
  change: {
    bookmark: BookmarkRecord | undefined;
    serverId: string;
    after: { state: CountingState; minutes: MinuteMark };
    origin: string;
  },
): Promise<number> {
  const { bookmark, after, origin } = change;
  const { counter, origin: countedBy, gaps } = after.state;
  const { upMinutes, knownMinutes } = after.minutes;
  const others = (bookmark?.minutes ?? []).filter(([one]) => one !== origin);
  const mark: BookmarkRecord["minutes"][number] = [origin, upMinutes, knownMinutes];
  const record = {
    id: change.serverId,
    ...(counter === undefined ? {} : { counter }),
    ...(countedBy === undefined ? {} : { origin: countedBy }),
    gaps: [...gaps],
    minutes: [...others, ...(knownMinutes > 0 ? [mark] : [])].slice(-KEPT_ORIGINS),
  };
  if (bookmark === undefined) return (await tx.insert(bookmarks, record)).version;
  return (await tx.put(bookmarks, { ...record, version: bookmark.version })).version;
}

/** The stored data of all servers, or of the given ones; days from the month ("2026-08") on. */
export async function readStoredDays(
  tx: ReadTx,
  { month, origin, ids }: { month: string; origin: string; ids: readonly string[] | undefined },
): Promise<Map<string, StoredDays>> {
  const byServer = new Map<string, MonthRecord[]>();
  const marks = new Map<string, BookmarkRecord>();
  if (ids === undefined) {
    for (const record of await listEvery(tx, months, { index: "byMonth", range: { from: [month] } }))
      byServer.set(record.serverId, [...(byServer.get(record.serverId) ?? []), record]);
    for (const mark of await listEvery(tx, bookmarks, { index: "id" })) marks.set(mark.id, mark);
  }
  for (const id of ids ?? []) {
    byServer.set(id, [...(await listMonths(tx, id))]);
    const mark = await tx.get(bookmarks, id);
    if (mark !== undefined) marks.set(id, mark);
  }
  const result = new Map<string, StoredDays>();
  for (const serverId of new Set([...byServer.keys(), ...marks.keys()])) {
    const records = byServer.get(serverId) ?? [];
    const mark = marks.get(serverId);
    result.set(serverId, {
      version: mark?.version ?? 0,
      counter: mark === undefined ? findCounter(records) : mark.counter,
      origin: mark?.origin,
      minutes: minutesOf(mark, origin),
      days: records.flatMap(readDays),
    });
  }
  return result;
}
