/** When what is paid for a server runs out, pure. */
import type { z } from "zod";
import type { billingSchema } from "../base/schema.ts";

export type Billing = z.infer<typeof billingSchema>;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The offset from UTC that the text of a time names, in milliseconds. */
function readOffset(text: string): number {
  const [, sign, hours, minutes] = /([+-])(\d{2}):(\d{2})$/u.exec(text) ?? [];
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS;
  return sign === "-" ? -size : size;
}

/** A time `months` later: on the same day of its month, or on the last one of a month that is too short. */
function addMonths(ms: number, months: number): number {
  const moved = new Date(ms);
  const day = moved.getUTCDate();
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const first = new Date(moved);
  first.setUTCMonth(first.getUTCMonth() + 1, 0);
  moved.setUTCDate(Math.min(day, first.getUTCDate()));
  return moved.getTime();
}

/** The first of the times `step` days apart from `startMs` on that is not before `nowMs`. */
function rollDays(startMs: number, nowMs: number, step: number): number {
  const stepMs = step * DAY_MS;
  return startMs + Math.max(0, Math.ceil((nowMs - startMs) / stepMs)) * stepMs;
}

/** The same by months. Each is counted from the first, so that the 31st comes back after a short month. */
function rollMonths(startMs: number, nowMs: number, step: number): number {
  const start = new Date(startMs);
  const now = new Date(nowMs);
  const between =
    (now.getUTCFullYear() - start.getUTCFullYear()) * 12 + now.getUTCMonth() - start.getUTCMonth();
  const cycles = Math.max(0, Math.floor(between / step));
  const due = addMonths(startMs, cycles * step);
  return due >= nowMs ? due : addMonths(startMs, (cycles + 1) * step);
}

/**
 * When the paid time ends next, in epoch milliseconds: `expiresAt`, which may have passed; or, when it renews
 * itself, the first end of a cycle that has not passed, counted from `expiresAt` in the offset from UTC that it
 * is written with. Undefined when nothing says when it ends.
 */
export function findNextExpiry(billing: Billing | undefined, nowMs: number): number | undefined {
  if (billing?.expiresAt === undefined) return undefined;
  const { expiresAt, autoRenew, cycle } = billing;
  const endMs = Date.parse(expiresAt);
  if (!autoRenew || endMs >= nowMs) return endMs;
  const offset = readOffset(expiresAt);
  const roll = cycle.unit === "day" ? rollDays : rollMonths;
  return roll(endMs + offset, nowMs + offset, cycle.unit === "year" ? cycle.n * 12 : cycle.n) - offset;
}

/** The end date that needs action, in epoch milliseconds: one with automatic renewal is shown without a reminder. */
export function findReminderDate(billing: Billing | undefined): number | undefined {
  if (billing?.expiresAt === undefined || billing.autoRenew) return undefined;
  return Date.parse(billing.expiresAt);
}
