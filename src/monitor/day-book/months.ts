/**
 * The day book in the store: a record a server and month. Hidden here: how days are laid into months, that
 * a server which is gone gets no record, and how many months are kept.
 */
import { toDayNumber, toDayText } from "../../kit/zone-days.ts";
import { listEvery } from "../../store/every-page.ts";
import type { ReadTx, Store, Tx } from "../../store/store.ts";
import { months, servers } from "../records.ts";
import type { DayTuple, MonthRecord } from "./day-book-schema.ts";
import type { DaySums } from "./day-ring.ts";
import type { TrafficCounter } from "./traffic-counter.ts";

/** Months with days that a server keeps: as many as the longest question reaches back. */
const KEPT_MONTHS = 15;
/** More records of one server than there can be. */
const ALL_MONTHS = 100;

/** A server's days that the store does not have yet; they and the counter are of one moment. */
export interface UnsavedDays {
  readonly serverId: string;
  /** Tells a server from one that was made again under its id; undefined when it is gone. */
  readonly createdAt: number | undefined;
  readonly counter: TrafficCounter | undefined;
  /** By number of the day in the calendar. */
  readonly days: readonly (readonly [number, DaySums])[];
}

/** The month of a day, "2026-11". */
export function toMonth(dayNumber: number): string {
  return toDayText(dayNumber).slice(0, 7);
}

function toRange(serverId: string): { from: readonly string[]; to: readonly string[] } {
  // ";" follows ":", and no id holds either.
  return { from: [`${serverId}:`], to: [`${serverId};`] };
}

function toTuple(day: number, sums: DaySums): DayTuple {
  const { rxBytes, txBytes, upMinutes, knownMinutes } = sums;
  return [Number(toDayText(day).slice(8)), rxBytes, txBytes, upMinutes, knownMinutes];
}

/** The days of a record with their numbers in the calendar. */
export function readDays(record: MonthRecord): [number, DaySums][] {
  const before = toDayNumber(`${record.month}-01`) - 1;
  return record.days.map(([date, rxBytes, txBytes, upMinutes, knownMinutes]) => [
    before + date,
    { rxBytes, txBytes, upMinutes, knownMinutes },
  ]);
}

async function dropOldest(tx: Tx, serverId: string): Promise<void> {
  const { items } = await tx.list(months, "id", { ...toRange(serverId), limit: ALL_MONTHS });
  for (const record of items.slice(0, Math.max(0, items.length - KEPT_MONTHS)))
    await tx.remove(months, record.id);
}

async function writeMonth(
  tx: Tx,
  unsaved: Omit<UnsavedDays, "days">,
  { month, days }: { month: string; days: readonly DayTuple[] },
): Promise<void> {
  const { serverId, counter } = unsaved;
  const id = `${serverId}:${month}`;
  const before = await tx.get(months, id);
  const byDate = new Map([...(before?.days ?? []), ...days].map((tuple) => [tuple[0], tuple]));
  const record = {
    id,
    serverId,
    month,
    days: [...byDate.values()].sort((a, b) => a[0] - b[0]),
    ...(counter === undefined ? {} : { counter }),
  };
  if (before !== undefined) await tx.put(months, { ...record, version: before.version });
  else {
    await tx.insert(months, record);
    await dropOldest(tx, serverId);
  }
}

/** Writes days and counter of a server in the caller's transaction, unless the server is gone. */
export async function writeDays(tx: Tx, unsaved: UnsavedDays): Promise<void> {
  const server = await tx.get(servers, unsaved.serverId);
  if (server === undefined || server.createdAt !== unsaved.createdAt) return;
  const byMonth = new Map<string, DayTuple[]>();
  for (const [day, sums] of unsaved.days) {
    const month = toMonth(day);
    byMonth.set(month, [...(byMonth.get(month) ?? []), toTuple(day, sums)]);
  }
  for (const [month, days] of byMonth) await writeMonth(tx, unsaved, { month, days });
}

/** Removes all that is kept of a server in the caller's transaction. */
export async function removeDays(tx: Tx, serverId: string): Promise<void> {
  const { items } = await tx.list(months, "id", { ...toRange(serverId), limit: ALL_MONTHS });
  for (const record of items) await tx.remove(months, record.id);
}

/** The records of all servers from a month ("2026-08") on, in the order of months. */
export function readMonthsFrom(store: Store, month: string): Promise<readonly MonthRecord[]> {
  return store.read((tx) => listEvery(tx, months, { index: "byMonth", range: { from: [month] } }));
}

/** A server's days from `first` up to, not including, `end`, as the store has them. */
export async function readServerDays(
  tx: Pick<ReadTx, "list">,
  { serverId, first, end }: { serverId: string; first: number; end: number },
): Promise<Map<number, DaySums>> {
  const { items } = await tx.list(months, "id", {
    from: [`${serverId}:${toMonth(first)}`],
    to: toRange(serverId).to,
    limit: ALL_MONTHS,
  });
  return new Map(items.flatMap(readDays).filter(([day]) => day >= first && day < end));
}
