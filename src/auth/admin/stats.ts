/** Figures of the whole center. */
import { toIdStart } from "../../kit/secrets/id.ts";
import { outboxCollection } from "../../records/outbox-record.ts";
import { toDay } from "../../kit/time/zone-days.ts";
import type { ReadTx, Store } from "../../store/store.ts";
import type { AuthDeps } from "../base/deps.ts";
import { checkIns } from "../check-in/records.ts";
import { events, registrations, users } from "../accounts/records.ts";
import { sessions } from "../sessions/records.ts";
import { state } from "../base/records.ts";
import { readSettings } from "../settings/settings.ts";
import type { EventKind } from "../accounts/events.ts";
import type { UserStatus } from "../accounts/schema.ts";

const DAY_MS = 86_400_000;
const DAYS = 30;

export interface Stats {
  readonly at: number;
  readonly users: Readonly<Record<UserStatus, number>>;
  /** Accounts with the role "admin". */
  readonly administrators: number;
  /** That have not expired nor been ended all at once; those of suspended accounts are among them. */
  readonly sessions: number;
  readonly registrationsWaiting: number;
  /** On today's day in the set time zone. */
  readonly checkInsToday: number;
  readonly outboxWaiting: number;
  readonly outboxFailed: number;
  /** Whether a mail server is set; without one, mails wait. */
  readonly mailServer: boolean;
  /** Accounts made on each of the last 30 days (UTC), the oldest first. */
  readonly signUps: readonly DayCount[];
  /** The same of sign-ins, and of wrong passwords to accounts that there are; as far as their events are kept. */
  readonly signIns: readonly DayCount[];
  readonly signInFailures: readonly DayCount[];
}

interface DayCount {
  readonly day: string;
  readonly count: number;
}

async function countUsers(tx: ReadTx): Promise<Record<UserStatus, number>> {
  const count = (status: UserStatus): Promise<number> => tx.count(users, "byStatus", { prefix: [status] });
  return {
    pending: await count("pending"),
    active: await count("active"),
    suspended: await count("suspended"),
    deleted: await count("deleted"),
  };
}

async function countSessions(tx: ReadTx, nowMs: number): Promise<number> {
  const unexpired = await tx.count(sessions, "byExpiresAt", { from: [nowMs + 1] });
  const revokedBefore = (await tx.get(state, "state"))?.revokedBefore ?? 0;
  if (revokedBefore === 0) return unexpired;
  const younger = await tx.count(sessions, "id", { from: [toIdStart("ses", revokedBefore)] });
  return Math.min(unexpired, younger);
}

/** The count of each of the last 30 days. */
async function countDays(
  nowMs: number,
  count: (from: number, to: number) => Promise<number>,
): Promise<DayCount[]> {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const counts: DayCount[] = [];
  for (let start = today - (DAYS - 1) * DAY_MS; start <= today; start += DAY_MS) {
    const day = new Date(start).toISOString().slice(0, 10);
    counts.push({ day, count: await count(start, start + DAY_MS) });
  }
  return counts;
}

function countEvents(tx: ReadTx, kind: EventKind, nowMs: number): Promise<DayCount[]> {
  return countDays(nowMs, (from, to) =>
    tx.count(events, "byKind", { prefix: [kind], from: [from], to: [to] }),
  );
}

/** Counts on one consistent view. */
export function readStats(
  store: Store,
  { clock, expiry, outbox }: Pick<AuthDeps, "clock" | "expiry" | "outbox">,
): Promise<Stats> {
  return store.read(async (tx) => {
    const nowMs = clock.now();
    const { timeZone } = (await readSettings(tx, "checkin")).fields;
    return {
      at: nowMs,
      users: await countUsers(tx),
      administrators: await tx.count(users, "byRole", { prefix: ["admin"] }),
      sessions: await countSessions(tx, expiry.now()),
      registrationsWaiting: await tx.count(registrations, "byExpiresAt", { from: [expiry.now() + 1] }),
      checkInsToday: await tx.count(checkIns, "byDay", { prefix: [toDay(nowMs, timeZone)] }),
      outboxWaiting: await tx.count(outboxCollection, "byState", { prefix: ["waiting"] }),
      outboxFailed: await tx.count(outboxCollection, "byState", { prefix: ["failed"] }),
      mailServer: outbox.hasServer(),
      signUps: await countDays(nowMs, (from, to) =>
        tx.count(users, "id", { from: [toIdStart("usr", from)], to: [toIdStart("usr", to)] }),
      ),
      signIns: await countEvents(tx, "sign-in", nowMs),
      signInFailures: await countEvents(tx, "sign-in-failed", nowMs),
    };
  });
}
