/** Who is on call: the channels that an on-call table passes notifications on to. */
import { findSpanEnd } from "../../kit/time/daily-span.ts";
import { AppError } from "../../kit/errors.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { MAX_CHANNELS, channels, onCallReached } from "./records.ts";
import type { AddressedNotice } from "./notification.ts";
import type { ChannelRecord, ChannelSettings } from "./schema.ts";

type OnCall = Extract<ChannelSettings, { type: "oncall" }>;

const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** The weekday of a day such as "2026-01-31". */
function toWeekday(day: string): string {
  return weekdays[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? "";
}

/** The channels on call at a moment, epoch milliseconds; never none. */
export function findOnCall(table: OnCall, now: number): readonly string[] {
  const { timeZone, shifts, overrides, fallbackChannelId } = table;
  const override = overrides.findLast(({ from, to }) => Date.parse(from) <= now && now < Date.parse(to));
  if (override !== undefined) return [override.channelId];
  const present = shifts.filter(({ days, from, to }) => {
    const isDay = (day: string): boolean => days.some((name) => name === toWeekday(day));
    return findSpanEnd({ from, to, timeZone }, now, isDay) !== undefined;
  });
  const ids = new Set(present.map(({ channelId }) => channelId));
  return ids.size === 0 ? [fallbackChannelId] : [...ids];
}

/** Every channel that a table names, with its pointer. */
function listNamed({
  shifts,
  overrides,
  fallbackChannelId,
}: OnCall): readonly { id: string; pointer: string }[] {
  return [
    ...shifts.map(({ channelId: id }, at) => ({ id, pointer: `/shifts/${at}/channelId` })),
    ...overrides.map(({ channelId: id }, at) => ({ id, pointer: `/overrides/${at}/channelId` })),
    { id: fallbackChannelId, pointer: "/fallbackChannelId" },
  ];
}

/** Throws `invalid` for a table that names a channel that does not exist, or another table. */
export async function assertOnCall(tx: ReadTx, settings: ChannelSettings): Promise<void> {
  if (settings.type !== "oncall") return;
  const errors = [];
  for (const { id, pointer } of listNamed(settings)) {
    const named = await tx.get(channels, id);
    if (named !== undefined && named.settings.type !== "oncall") continue;
    const message =
      named === undefined
        ? `The channel "${id}" does not exist. Create it first`
        : "must be a channel that notifies someone, not another on-call table";
    errors.push({ pointer, code: "invalid", message });
  }
  if (errors.length > 0)
    throw new AppError("invalid", "The on-call table names a channel that cannot be used", { errors });
}

/** The tables that name a channel. */
export async function findTablesOf(
  tx: ReadTx,
  channelId: string,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const { items } = await tx.list(channels, "id", { limit: MAX_CHANNELS });
  return items.filter(
    ({ settings }) => settings.type === "oncall" && listNamed(settings).some(({ id }) => id === channelId),
  );
}

const toKeys = (notice: AddressedNotice): readonly string[] => {
  const { facts } = notice;
  if (facts !== undefined && facts.key !== "") return [facts.key];
  return (notice.parts?.() ?? []).flatMap((part) => part.facts?.key ?? []);
};

/**
 * Where a notice for an on-call table goes: to the channels on call now, and an end to those who were notified of the
 * alert, since shifts change while alerts are open.
 */
export async function passOn(
  tx: Tx,
  { clock, table, notice }: { clock: Clock; table: ChannelRecord; notice: AddressedNotice },
): Promise<readonly string[]> {
  if (table.settings.type !== "oncall") return [table.id];
  const now = clock.now();
  const present = findOnCall(table.settings, now);
  const isEnd = notice.kind === "resolved" || notice.kind === "acknowledged";
  const reached = new Set<string>();
  for (const key of toKeys(notice)) {
    const id = `${table.id}:${key}`;
    const known = await tx.get(onCallReached, id);
    for (const channelId of known?.channelIds ?? []) reached.add(channelId);
    if (isEnd) continue;
    const channelIds = [...new Set([...(known?.channelIds ?? []), ...present])];
    if (known === undefined) await tx.insert(onCallReached, { id, channelIds, at: now });
    else if (channelIds.length > known.channelIds.length)
      await tx.put(onCallReached, { ...known, channelIds });
  }
  if (isEnd) return reached.size === 0 ? present : [...reached];
  // Of several alerts some may be over: those who heard of them hear of that too.
  return notice.kind === "digest" ? [...new Set([...present, ...reached])] : present;
}
