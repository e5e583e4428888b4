/**
 * How often something was tried or sent for a key: kept in the store, so that neither a restart nor another process
 * forgets it.
 */
import type { ReadTx, Tx } from "../../store/store.ts";
import { attempts } from "./records.ts";
import type { AttemptRecord } from "../sessions/schema.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Mails of one purpose to one address: 1 a minute, 5 an hour, 10 a day. */
const SEND_LIMITS: readonly (readonly [number, number])[] = [
  [MINUTE_MS, 1],
  [HOUR_MS, 5],
  [DAY_MS, 10],
];
/** Wrong passwords until the lock begins, its first length and its longest. */
const FREE_FAILURES = 5;
const FIRST_LOCK_MS = 30_000;
const LONGEST_LOCK_MS = 15 * MINUTE_MS;
/** Guesses that are checked in a day, whatever happens. */
const GUESSES_A_DAY = 100;

/** 0 when one more is allowed, else the milliseconds until it is. */
export type WaitMs = number;

/** A time further in the future than clocks of processes differ comes from a wrong clock, and would lock for years. */
function within(record: AttemptRecord | undefined, nowMs: number, windowMs: number): number[] {
  return (record?.times ?? []).filter((time) => time > nowMs - windowMs && time <= nowMs + MINUTE_MS);
}

function waitFor(
  times: readonly number[],
  limit: number,
  parts: { nowMs: number; windowMs: number },
): WaitMs {
  const blocking = times[times.length - limit];
  return blocking === undefined ? 0 : Math.max(1, blocking + parts.windowMs - parts.nowMs);
}

async function write(
  tx: Tx,
  key: string,
  next: Pick<AttemptRecord, "times" | "failures"> & { lockedUntil?: number },
  nowMs: number,
): Promise<void> {
  const before = await tx.get(attempts, key);
  const { times, failures, lockedUntil } = next;
  const fields = {
    id: key,
    times,
    failures,
    lockedUntil,
    expiresAt: Math.max(nowMs + DAY_MS, lockedUntil ?? 0),
  };
  if (before === undefined) await tx.insert(attempts, fields);
  else await tx.put(attempts, { ...fields, version: before.version });
}

/** Counts a mail to `key` if it may be sent; tells whether it may. */
export async function takeSend(tx: Tx, key: string, nowMs: number): Promise<boolean> {
  const record = await tx.get(attempts, key);
  const times = within(record, nowMs, DAY_MS);
  for (const [windowMs, limit] of SEND_LIMITS) {
    if (within(record, nowMs, windowMs).length >= limit) return false;
  }
  await write(tx, key, { times: [...times, nowMs], failures: 0 }, nowMs);
  return true;
}

/** How long no password is checked for `key`: for many failures in a row, and for the guesses of a day. */
export interface SignInLock {
  readonly rowMs: WaitMs;
  readonly dayMs: WaitMs;
}

/** Reads the failed attempts of a key. */
export async function findSignInLock(tx: ReadTx, key: string, nowMs: number): Promise<SignInLock> {
  const record = await tx.get(attempts, key);
  const left = (record?.lockedUntil ?? 0) - nowMs;
  const rowMs = left > 0 && left <= LONGEST_LOCK_MS + MINUTE_MS ? left : 0;
  const times = within(record, nowMs, DAY_MS);
  return { rowMs, dayMs: waitFor(times, GUESSES_A_DAY, { nowMs, windowMs: DAY_MS }) };
}

/** Milliseconds of lock after this many failures in a row: none for 5, then 30 s, doubling to 15 minutes. */
export function toLockMs(failures: number): number {
  if (failures < FREE_FAILURES) return 0;
  return Math.min(LONGEST_LOCK_MS, FIRST_LOCK_MS * 2 ** Math.min(20, failures - FREE_FAILURES));
}

export async function countWrongPassword(tx: Tx, key: string, nowMs: number): Promise<void> {
  const record = await tx.get(attempts, key);
  const failures = (record?.failures ?? 0) + 1;
  const times = [...within(record, nowMs, DAY_MS), nowMs].slice(-GUESSES_A_DAY);
  const lockMs = toLockMs(failures);
  await write(tx, key, { times, failures, lockedUntil: lockMs === 0 ? undefined : nowMs + lockMs }, nowMs);
}

/** Forgets the failures in a row; the guesses of the day still count. */
export async function clearFailures(tx: Tx, key: string, nowMs: number): Promise<void> {
  const record = await tx.get(attempts, key);
  if (record === undefined || record.failures === 0) return;
  await write(tx, key, { times: within(record, nowMs, DAY_MS), failures: 0 }, nowMs);
}
