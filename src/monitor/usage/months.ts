/** The days in the store: a record a server and month. */
import { toDayNumber, toDayText } from "../../kit/time/zone-days.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { bookmarks, months } from "./records.ts";
import type { DayTuple, MonthRecord } from "./schema.ts";
import { type DaySums, addSums, NOTHING } from "./day-ring.ts";

/** Months with days that a server keeps: as many as the longest question reaches back. */
const KEPT_MONTHS = 15;
/** More records of one server than there can be. */
const ALL_MONTHS = 100;

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
  const items = await listMonths(tx, serverId);
  for (const record of items.slice(0, Math.max(0, items.length - KEPT_MONTHS)))
    await tx.remove(months, record.id);
}

/** All months of a server, in their order. */
export async function listMonths(
  tx: Pick<ReadTx, "list">,
  serverId: string,
): Promise<readonly MonthRecord[]> {
  const { items } = await tx.list(months, "id", { ...toRange(serverId), limit: ALL_MONTHS });
  return items;
}

/** Days of a server in a transaction: read by month on demand, written at the end. */
export class DaySheet {
  readonly #tx: Tx;
  readonly #serverId: string;
  readonly #records = new Map<string, MonthRecord | undefined>();
  /** Days that changed, as they are now. */
  readonly changed = new Map<number, DaySums>();

  constructor(tx: Tx, serverId: string) {
    this.#tx = tx;
    this.#serverId = serverId;
  }

  async get(day: number): Promise<DaySums> {
    const changed = this.changed.get(day);
    if (changed !== undefined) return changed;
    const record = await this.#find(toMonth(day));
    const stored = record === undefined ? undefined : readDays(record).find(([one]) => one === day);
    return stored?.[1] ?? NOTHING;
  }

  /** Adds to a day, or takes from it. */
  async add(day: number, more: Partial<DaySums>): Promise<void> {
    const sums = addSums(await this.get(day), more);
    this.changed.set(day, sums);
  }

  async save(): Promise<void> {
    const byMonth = new Map<string, Map<number, DayTuple>>();
    for (const [day, sums] of this.changed) {
      const tuples = byMonth.get(toMonth(day)) ?? new Map<number, DayTuple>();
      const tuple = toTuple(day, sums);
      byMonth.set(toMonth(day), tuples.set(tuple[0], tuple));
    }
    for (const [month, tuples] of byMonth) await this.#saveMonth(month, tuples);
  }

  async #find(month: string): Promise<MonthRecord | undefined> {
    if (!this.#records.has(month))
      this.#records.set(month, await this.#tx.get(months, `${this.#serverId}:${month}`));
    return this.#records.get(month);
  }

  async #saveMonth(month: string, tuples: ReadonlyMap<number, DayTuple>): Promise<void> {
    const before = await this.#find(month);
    const byDate = new Map((before?.days ?? []).map((tuple) => [tuple[0], tuple]));
    for (const [date, tuple] of tuples) byDate.set(date, tuple);
    const days = [...byDate.values()].toSorted((a, b) => a[0] - b[0]);
    const record = { id: `${this.#serverId}:${month}`, serverId: this.#serverId, month, days };
    if (before !== undefined) await this.#tx.put(months, { ...record, version: before.version });
    else {
      await this.#tx.insert(months, record);
      await dropOldest(this.#tx, this.#serverId);
    }
  }
}

/** Removes all that is kept of a server in the caller's transaction. */
export async function removeDays(tx: Tx, serverId: string): Promise<void> {
  for (const record of await listMonths(tx, serverId)) await tx.remove(months, record.id);
  await tx.remove(bookmarks, serverId);
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
