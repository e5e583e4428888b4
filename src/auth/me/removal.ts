/** Removing an account for good. */
import type { Collection, Store, StoreRecord, Tx } from "../../store/store.ts";
import { withoutSessions } from "../accounts/status.ts";
import { dropInviteUse } from "../registration/invites.ts";
import { throttleKeys } from "../passwords/password-check.ts";
import { access, emails, events, profiles, users, upstreamLinks, passkeys } from "../accounts/records.ts";
import { attempts } from "../attempts/records.ts";
import { avatars, likes } from "../people/records.ts";
import { challenges } from "../second-factor/records.ts";
import { checkIns } from "../check-in/records.ts";
import { consents, deviceRequests } from "../oidc/records.ts";
import { links } from "../passwords/records.ts";
import { memberships } from "../groups/records.ts";
import { refusals } from "../applications/records.ts";
import { sessions } from "../sessions/records.ts";
import type { UserRecord } from "../accounts/schema.ts";

/** Records that one transaction removes at most. */
const STEP = 500;
/** Accounts that one sweep looks at. */
const SWEEP_BATCH = 20;

/** How many more records this transaction may remove. */
interface Room {
  left: number;
}

/**
 * From here on, the account cannot be found, used or restored. Its record stays until the end, so that an interrupted
 * removal can resume.
 */
async function close(tx: Tx, user: UserRecord): Promise<void> {
  await tx.remove(profiles, user.id);
  for (const key of throttleKeys(user.id)) await tx.remove(attempts, key);
  const { inviteId } = user.registeredVia;
  if (inviteId !== undefined) await dropInviteUse(tx, inviteId, user.id);
  const { passwordHash: _hash, emailVerifiedAt: _verified, roles: _roles, ...rest } = withoutSessions(user);
  await tx.put(users, { ...rest, status: "deleted", deletedBy: "admin", role: "user", purgeAfter: 0 });
}

/** Removes what an index lists for the user, as far as there is room. */
async function drain<T extends StoreRecord, O extends string>(
  tx: Tx,
  from: { readonly collection: Collection<T, string, O>; readonly index: O },
  parts: { userId: string; room: Room; before?: (record: T) => Promise<void> },
): Promise<void> {
  const { userId, room, before } = parts;
  if (room.left <= 0) return;
  const { items } = await tx.list(from.collection, from.index, { prefix: [userId], limit: room.left });
  for (const record of items) {
    if (before !== undefined) await before(record);
    await tx.remove(from.collection, record.id);
  }
  room.left -= items.length;
}

async function drainAvatars(tx: Tx, userId: string, room: Room): Promise<void> {
  if (room.left <= 0) return;
  // Ids are "<userId>:<hash>", and ";" follows ":".
  const range = { from: [`${userId}:`], to: [`${userId};`], limit: room.left };
  const { items } = await tx.list(avatars, "id", range);
  for (const { id } of items) await tx.remove(avatars, id);
  room.left -= items.length;
}

/** Removes a like from the profile that it was given to. */
async function countDown(tx: Tx, profileId: string): Promise<void> {
  const profile = await tx.get(profiles, profileId);
  if (profile !== undefined && profile.likes > 0)
    await tx.put(profiles, { ...profile, likes: profile.likes - 1 });
}

async function drainAll(tx: Tx, userId: string, room: Room): Promise<void> {
  const parts = { userId, room };
  await drain(tx, { collection: sessions, index: "byUser" }, parts);
  await drain(tx, { collection: challenges, index: "byUser" }, parts);
  await drain(tx, { collection: passkeys, index: "byUser" }, parts);
  await drain(tx, { collection: links, index: "byUser" }, parts);
  await drain(tx, { collection: emails, index: "byUser" }, parts);
  await drain(tx, { collection: upstreamLinks, index: "byUser" }, parts);
  await drain(tx, { collection: memberships, index: "byUser" }, parts);
  await drainAvatars(tx, userId, room);
  await drain(tx, { collection: checkIns, index: "byUserDay" }, parts);
  await drain(tx, { collection: likes, index: "byProfile" }, parts);
  const before = (like: { readonly profileId: string }): Promise<void> => countDown(tx, like.profileId);
  await drain(tx, { collection: likes, index: "byLiker" }, { ...parts, before });
  await drain(tx, { collection: access, index: "byUser" }, parts);
  await drain(tx, { collection: consents, index: "byUser" }, parts);
  await drain(tx, { collection: deviceRequests, index: "byUser" }, parts);
  await drain(tx, { collection: events, index: "byUser" }, parts);
  await drain(tx, { collection: refusals, index: "byUser" }, parts);
}

/**
 * Removes up to 500 records of an account, and the account itself with the last of them; resolves with
 * whether more are left. The account is out of reach after the first step.
 */
export async function purgeStep(tx: Tx, userId: string): Promise<boolean> {
  const user = await tx.get(users, userId);
  if (user === undefined) return false;
  const isClosed = user.status === "deleted" && user.purgeAfter === 0;
  if (!isClosed) await close(tx, user);
  const room: Room = { left: STEP };
  await drainAll(tx, userId, room);
  if (room.left <= 0) return true;
  await tx.remove(users, userId);
  return false;
}

/** Removes everything that names the account, in as many transactions as it takes. */
export async function removeAccount(store: Store, userId: string): Promise<void> {
  while (await store.transact((tx) => purgeStep(tx, userId)));
}

/** Whether the account must be removed; it may have been restored since it was listed. */
function isDue(user: UserRecord | undefined, nowMs: number): boolean {
  return user?.status === "deleted" && user.purgeAfter !== undefined && user.purgeAfter <= nowMs;
}

/** Removes accounts whose `purgeAfter` has passed, at most 20; resolves with how many went. */
export async function sweepPurge(store: Store, nowMs: number): Promise<number> {
  const { items } = await store.read((tx) =>
    tx.list(users, "byPurgeAfter", { to: [nowMs + 1], limit: SWEEP_BATCH }),
  );
  let removed = 0;
  for (const { id } of items) {
    const step = (tx: Tx): Promise<boolean | undefined> =>
      tx.get(users, id).then((user) => (isDue(user, nowMs) ? purgeStep(tx, id) : undefined));
    let hasMore = await store.transact(step);
    if (hasMore === undefined) continue;
    while (hasMore === true) hasMore = await store.transact(step);
    removed += 1;
  }
  return removed;
}
