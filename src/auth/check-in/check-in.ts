/** Check-ins: one a day for each person, with a reward and a streak. */
import { AuthError } from "../base/errors.ts";
import { nextMidnight, toDay } from "../../kit/time/zone-days.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { assertOwner, type Subject } from "../sessions/subject.ts";
import { getUser } from "../accounts/accounts.ts";
import { findNextBonus, firstImpossibleDay, pickReward, readToday, toBonus, toStreak } from "./calendar.ts";
import type { AuthDeps } from "../base/deps.ts";
import type { CheckInRecord } from "./schema.ts";
import { checkIns } from "./records.ts";
import { users } from "../accounts/records.ts";
import { readSettings } from "../settings/settings.ts";
import type { CheckInSettings } from "../settings/schema.ts";
import type { UserRecord } from "../accounts/schema.ts";

const HOUR_MS = 3_600_000;
const DAYS_OF_MONTH = 31;

/** The reward of a check-in, also of an earlier one on the same day. */
export interface CheckInResult {
  readonly alreadyCheckedIn: boolean;
  readonly day: string;
  readonly reward: number;
  readonly bonus: number;
  readonly streak: number;
  /** All points of the account now. */
  readonly points: number;
}

/** A person's streak today. */
export interface CheckInStatus {
  readonly enabled: boolean;
  readonly today: string;
  readonly checkedInToday: boolean;
  /** 0 when it is broken. */
  readonly streak: number;
  readonly points: number;
  /** When the next day begins, epoch milliseconds. */
  readonly nextReset: number;
  readonly timeZone: string;
  /** Points of a day, drawn between these two. */
  readonly reward: { readonly min: number; readonly max: number };
  /** The next points on top, and how many check-ins from now; undefined when none is in sight. */
  readonly nextBonus: { readonly days: number; readonly bonus: number } | undefined;
}

/** The check-ins of a month, oldest first. */
export interface CheckInMonth {
  readonly month: string;
  readonly days: readonly Pick<CheckInRecord, "day" | "at" | "reward" | "bonus" | "streak">[];
  /** Points of all of them together. */
  readonly total: number;
}

/**
 * The newest check-in that can be true. One of more than two days ahead was made by a clock that had gone
 * wrong: it counts for nothing until its day comes, or its owner could not check in for years.
 */
async function findLast(tx: ReadTx, userId: string, today: string): Promise<CheckInRecord | undefined> {
  const to = [firstImpossibleDay(today)];
  const { items } = await tx.list(checkIns, "byUserDay", { prefix: [userId], to, limit: 1, reverse: true });
  return items[0];
}

/** How long a person's streak is now, by the days of the set zone; 0 when it is broken. */
export async function readStreak(tx: ReadTx, userId: string, nowMs: number): Promise<number> {
  const today = readToday(nowMs, (await readSettings(tx, "checkin")).fields.timeZone);
  const state = toStreak({ ...today, last: await findLast(tx, userId, today.today) });
  return state.kind === "done" ? state.streak : state.present;
}

function assertMayCheckIn(user: UserRecord, settings: CheckInSettings, nowMs: number): void {
  if (!settings.enabled) throw new AuthError("checkin_disabled", "Check-in is disabled");
  if (settings.requireVerifiedEmail && user.emailVerifiedAt === undefined)
    throw new AuthError("email_unverified", "The email address is not verified. Verify it, then check in");
  const availableAt = user.createdAt + settings.minAccountAgeHours * HOUR_MS;
  if (availableAt > nowMs) {
    throw new AuthError(
      "account_too_new",
      `An account must be ${settings.minAccountAgeHours} hours old to check in`,
      { details: { availableAt } },
    );
  }
}

function toResult(record: CheckInRecord, more: { already: boolean; points: number }): CheckInResult {
  const { day, reward, bonus, streak } = record;
  return { alreadyCheckedIn: more.already, day, reward, bonus, streak, points: more.points };
}

/** An unpredictable number from 0 up to, but not including, 1. */
function randomFraction(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
}

/** The reward is drawn where it is stored and paid: a repeated transaction draws, stores and pays again. */
async function checkInOnce(
  tx: Tx,
  options: { userId: string; nowMs: number; random: () => number },
): Promise<CheckInResult> {
  const { userId, nowMs, random } = options;
  const user = await getUser(tx, userId);
  const settings = (await readSettings(tx, "checkin")).fields;
  assertMayCheckIn(user, settings, nowMs);
  const today = readToday(nowMs, settings.timeZone);
  const last = await findLast(tx, userId, today.today);
  const state = toStreak({ ...today, last });
  if (state.kind === "done" && last !== undefined)
    return toResult(last, { already: true, points: user.points });
  const record = await tx.insert(checkIns, {
    id: `${userId}:${today.today}`,
    userId,
    day: today.today,
    at: nowMs,
    streak: state.streak,
    reward: pickReward(settings.rewardMin, settings.rewardMax, random),
    bonus: toBonus(state.streak, settings.streakBonuses),
  });
  const by = record.reward + record.bonus;
  const { points } = by === 0 ? user : await tx.adjust(users, userId, { field: "points", by });
  return toResult(record, { already: false, points });
}

export type CheckIns = ReturnType<typeof createCheckIns>;

/** Creates the check-ins' logic. `random` gives numbers from 0 up to, not including, 1. */
export function createCheckIns(deps: Pick<AuthDeps, "store" | "clock"> & { readonly random?: () => number }) {
  const { store, clock, random = randomFraction } = deps;
  return {
    /** Checks in for today. Throws `forbidden`, `checkin_disabled`, `email_unverified`, `account_too_new`. */
    checkIn: async (subject: Subject): Promise<CheckInResult> => {
      assertOwner(subject);
      const options = { userId: subject.user.id, nowMs: clock.now(), random };
      return store.transact((tx) => checkInOnce(tx, options));
    },
    status: (userId: string): Promise<CheckInStatus> =>
      store.read(async (tx) => {
        const nowMs = clock.now();
        const { enabled, timeZone, rewardMin, rewardMax, streakBonuses } = (await readSettings(tx, "checkin"))
          .fields;
        const today = readToday(nowMs, timeZone);
        const [user, last] = await Promise.all([getUser(tx, userId), findLast(tx, userId, today.today)]);
        const state = toStreak({ ...today, last });
        const streak = state.kind === "done" ? state.streak : state.present;
        return {
          enabled,
          today: today.today,
          checkedInToday: state.kind === "done",
          streak,
          points: user.points,
          nextReset: nextMidnight(nowMs, timeZone),
          timeZone,
          reward: { min: rewardMin, max: rewardMax },
          nextBonus: findNextBonus(streak, streakBonuses),
        };
      }),
    /** A month such as "2026-01"; the current one when undefined. */
    history: (userId: string, asked: string | undefined): Promise<CheckInMonth> =>
      store.read(async (tx) => {
        const { timeZone } = (await readSettings(tx, "checkin")).fields;
        const month = asked ?? toDay(clock.now(), timeZone).slice(0, 7);
        const range = { prefix: [userId], from: [`${month}-01`], to: [`${month}-99`] };
        const { items } = await tx.list(checkIns, "byUserDay", { ...range, limit: DAYS_OF_MONTH });
        const days = items.map(({ day, at, reward, bonus, streak }) => ({ day, at, reward, bonus, streak }));
        return { month, days, total: days.reduce((sum, { reward, bonus }) => sum + reward + bonus, 0) };
      }),
  };
}
