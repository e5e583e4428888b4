/** How many sessions an account has, and which one ends when another begins. */
import { endSession } from "./session-ends.ts";
import type { UserRecord } from "../accounts/schema.ts";
import type { Caller } from "../base/caller.ts";
import type { Tx } from "../../store/store.ts";
import { sessions } from "./records.ts";
import { state } from "../base/records.ts";
import { isAlive } from "./live-sessions.ts";
import type { SessionRecord } from "./schema.ts";

/** Live sessions of one account, with those of its applications. */
export const MAX_SESSIONS = 50;

/** Those of an account's sessions that count: what an application holds ends with the browser's session. */
export function selectLiving(
  all: readonly SessionRecord[],
  parts: Parameters<typeof isAlive>[1],
): SessionRecord[] {
  const alive = all.filter((session) => isAlive(session, parts));
  const ids = new Set([undefined, ...alive.map(({ id }) => id)]);
  return alive.filter(({ parentId }) => ids.has(parentId));
}

/**
 * Keeps an account below its limit, so that a program that signs in for each request does not fill the store. The dead go
 * first, then the oldest: of the same application in the same browser, of other applications, and last of browsers, with
 * which go all that their applications hold. The browser that the new session hangs on stays.
 */
export async function makeRoom(
  tx: Tx,
  { user, parent, caller }: { user: UserRecord; parent?: SessionRecord | undefined; caller: Caller },
  nowMs: number,
): Promise<void> {
  const range = { prefix: [user.id] };
  // Counted by the index alone: most accounts have room, and their sessions need not be read.
  if ((await tx.count(sessions, "byUser", range)) < MAX_SESSIONS) return;
  const { items } = await tx.list(sessions, "byUser", { ...range, limit: MAX_SESSIONS * 2 });
  const surplus = items.length - (MAX_SESSIONS - 1);
  const revokedBefore = (await tx.get(state, "state"))?.revokedBefore ?? 0;
  const living = new Set(selectLiving(items, { user, revokedBefore, nowMs }));
  const toRank = (session: SessionRecord): number => {
    if (!living.has(session)) return 0;
    if (session.parentId === undefined) return 3;
    const browserId = session.browserId ?? session.parentId;
    return browserId === parent?.id && session.clientId === caller.clientId ? 1 : 2;
  };
  const leaving = items
    .filter(({ id }) => id !== parent?.id)
    .map((session) => ({ session, rank: toRank(session) }))
    .toSorted((one, other) => one.rank - other.rank);
  for (const { session } of leaving.slice(0, surplus))
    if (session.parentId === undefined) await endSession(tx, session, nowMs);
    else await tx.remove(sessions, session.id);
}
