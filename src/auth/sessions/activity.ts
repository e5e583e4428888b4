/**
 * Uses of applications, and when a session was last seen: counted in memory and written every half minute, because
 * validating a token must not touch the disk. A crash loses the last counts.
 */
import type { Clock } from "../../kit/time/clock.ts";
import { createHeldCounts } from "../../kit/limits/held-counts.ts";
import type { Store, Tx } from "../../store/store.ts";
import type { Subject } from "./subject.ts";
import { access, users } from "../accounts/records.ts";
import { sessions } from "./records.ts";

/** Kept in memory at once; more wait for the next flush to make room. */
const MAX_PENDING = 50_000;
const BATCH = 200;
/** Names of applications in an account's list; anyone may send any name. The oldest use is dropped. */
const MAX_NAMES = 50;
const MAX_DAYS = 30;

interface Use {
  readonly userId: string;
  readonly clientId: string;
  count: number;
  lastMs: number;
}

/** The id of the record too. */
function toUseKey(userId: string, clientId: string): string {
  return `${userId}:${clientId}`;
}

/** Removes the oldest uses, so that one more name fits. */
async function makeRoom(tx: Tx, userId: string): Promise<void> {
  if ((await tx.count(access, "byUser", { prefix: [userId] })) < MAX_NAMES) return;
  const { items } = await tx.list(access, "byUser", { prefix: [userId], limit: 1_000 });
  const oldestFirst = items.toSorted((a, b) => a.lastAt - b.lastAt);
  for (const { id } of oldestFirst.slice(0, items.length - MAX_NAMES + 1)) await tx.remove(access, id);
}

async function writeUse(tx: Tx, use: Use): Promise<void> {
  // An account that was removed meanwhile leaves nothing behind.
  if ((await tx.get(users, use.userId)) === undefined) return;
  const id = toUseKey(use.userId, use.clientId);
  const day = new Date(use.lastMs).toISOString().slice(0, 10);
  const before = await tx.get(access, id);
  if (before === undefined) {
    const { userId, clientId, count, lastMs } = use;
    await makeRoom(tx, userId);
    await tx.insert(access, {
      id,
      userId,
      clientId,
      firstAt: lastMs,
      lastAt: lastMs,
      count,
      days: [{ day, count }],
    });
    return;
  }
  const today = before.days.find((entry) => entry.day === day)?.count ?? 0;
  const days = [...before.days.filter((entry) => entry.day !== day), { day, count: today + use.count }];
  await tx.put(access, {
    ...before,
    lastAt: Math.max(before.lastAt, use.lastMs),
    count: before.count + use.count,
    days: days.slice(-MAX_DAYS),
  });
}

async function writeSeen(tx: Tx, seen: readonly [string, number][]): Promise<void> {
  for (const [id, atMs] of seen) {
    const session = await tx.get(sessions, id);
    if (session !== undefined && session.lastSeenAt < atMs)
      await tx.put(sessions, { ...session, lastSeenAt: atMs });
  }
}

/** Removes up to a batch of entries from a map; they go back if they could not be written. */
function take<V>(from: Map<string, V>): [string, V][] {
  const taken: [string, V][] = [];
  for (const entry of from) {
    if (taken.length === BATCH) break;
    taken.push(entry);
  }
  for (const [key] of taken) from.delete(key);
  return taken;
}

export type Activity = ReturnType<typeof createActivity>;

/** Creates the counters. `clock` is wall time. */
export function createActivity(deps: { store: Store; clock: Clock }) {
  const { store, clock } = deps;
  const seen = new Map<string, number>();
  const uses = new Map<string, Use>();
  /** How many names wait of each account. */
  const names = createHeldCounts();

  function addUse(key: string, use: Use): void {
    const known = uses.get(key);
    if (known === undefined) {
      uses.set(key, use);
      names.take(use.userId);
    } else {
      known.count += use.count;
      known.lastMs = Math.max(known.lastMs, use.lastMs);
    }
  }

  async function flushBatch(): Promise<void> {
    const takenSeen = take(seen);
    const takenUses = take(uses);
    for (const [, { userId }] of takenUses) names.release(userId);
    try {
      await store.transact(async (tx) => {
        await writeSeen(tx, takenSeen);
        for (const [, use] of takenUses) await writeUse(tx, use);
      });
    } catch (error) {
      for (const [id, atMs] of takenSeen) if (!seen.has(id)) seen.set(id, atMs);
      for (const [key, use] of takenUses) addUse(key, use);
      throw error;
    }
  }

  return {
    /** Counts one use of an application by a session. Does no I/O. */
    note: ({ user, session }: Subject, clientId: string): void => {
      const nowMs = clock.now();
      if (seen.size < MAX_PENDING || seen.has(session.id)) seen.set(session.id, nowMs);
      // An administrator's look is no use of the application by its owner.
      if (session.impersonatedBy !== undefined) return;
      const key = toUseKey(user.id, clientId);
      const hasRoom = uses.size < MAX_PENDING && names.of(user.id) < MAX_NAMES;
      if (hasRoom || uses.has(key)) addUse(key, { userId: user.id, clientId, count: 1, lastMs: nowMs });
    },
    /** Drops what was counted of an application and is not written yet. */
    forget: (userId: string, clientId: string): void => {
      if (uses.delete(toUseKey(userId, clientId))) names.release(userId);
    },
    /** Writes what was counted; what cannot be written is counted on. Throws what the store throws. */
    flush: async (): Promise<void> => {
      // As many as there are now: what comes in meanwhile waits for the next time.
      for (let left = Math.max(seen.size, uses.size); left > 0; left -= BATCH) await flushBatch();
    },
  };
}
