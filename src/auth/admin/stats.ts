/** Figures of the whole center. */
import { toIdStart } from "../../kit/secrets/id.ts";
import { outboxCollection } from "../../records/outbox.ts";
import { toDay } from "../../kit/time/zone-days.ts";
import type { ReadTx, Store } from "../../store/store.ts";
import type { AuthDeps } from "../deps.ts";
import { checkIns, registrations, sessions, state, users } from "../records.ts";
import { readSettings } from "../settings/settings.ts";
import type { UserStatus } from "../accounts/schema.ts";

const DAY_MS = 86_400_000;
const DAYS = 30;

export interface Stats {
  readonly at: number;
  readonly users: Readonly<Record<UserStatus, number>>;
  /** That have not expired nor been ended all at once; those of suspended accounts are among them. */
  readonly sessions: number;
  readonly registrationsWaiting: number;
  /** On today's day in the set time zone. */
  readonly checkInsToday: number;
  readonly outboxWaiting: number;
  /** Accounts made on each of the last 30 days (UTC), the oldest first. */
  readonly signUps: { readonly day: string; readonly count: number }[];
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

async function countSignUps(tx: ReadTx, nowMs: number): Promise<Stats["signUps"]> {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const counts: { day: string; count: number }[] = [];
  for (let start = today - (DAYS - 1) * DAY_MS; start <= today; start += DAY_MS) {
    const range = { from: [toIdStart("usr", start)], to: [toIdStart("usr", start + DAY_MS)] };
    const day = new Date(start).toISOString().slice(0, 10);
    counts.push({ day, count: await tx.count(users, "id", range) });
  }
  return counts;
}

/** Counts on one consistent view. */
export function readStats(
  store: Store,
  { clock, expiry }: Pick<AuthDeps, "clock" | "expiry">,
): Promise<Stats> {
  return store.read(async (tx) => {
    const nowMs = clock.now();
    const { timeZone } = (await readSettings(tx, "checkin")).fields;
    return {
      at: nowMs,
      users: await countUsers(tx),
      sessions: await countSessions(tx, expiry.now()),
      registrationsWaiting: await tx.count(registrations, "byExpiresAt", { from: [expiry.now() + 1] }),
      checkInsToday: await tx.count(checkIns, "byDay", { prefix: [toDay(nowMs, timeZone)] }),
      outboxWaiting: await tx.count(outboxCollection, "byState", { prefix: ["waiting"] }),
      signUps: await countSignUps(tx, nowMs),
    };
  });
}
