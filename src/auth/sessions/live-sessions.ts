/** Whether a session counts now, and whose it is. */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import type { ReadTx } from "../../store/store.ts";
import type { UserRecord } from "../accounts/schema.ts";
import { isUsable } from "../accounts/status.ts";
import { mayUse } from "../applications/may-use.ts";
import type { Subject } from "./subject.ts";
import { clients } from "../applications/records.ts";
import { profiles, users } from "../accounts/records.ts";
import { sessions } from "./records.ts";
import { state } from "../base/records.ts";
import { ACCESS_MS } from "../policy/lifetimes.ts";
import { findFamilyId } from "./refresh-token.ts";
import type { SessionRecord } from "./schema.ts";

/** Whether a session counts, seen with the account and the epoch of all sessions. */
export function isAlive(
  session: Pick<SessionRecord, "tokenEpoch" | "createdAt" | "expiresAt">,
  parts: { user: UserRecord | undefined; revokedBefore: number; nowMs: number },
): boolean {
  const { user, revokedBefore, nowMs } = parts;
  return (
    user !== undefined &&
    isUsable(user, nowMs) &&
    session.tokenEpoch === user.tokenEpoch &&
    session.createdAt >= revokedBefore &&
    session.expiresAt > nowMs &&
    // A session from the future is one that a clock gone wrong has made.
    session.createdAt <= nowMs + ACCESS_MS
  );
}

/** The session with its account, unless it has ended. One that opens only the setting up of a second factor is none, unless `mayEnrol`. */
export async function findLive(
  tx: ReadTx,
  session: SessionRecord | undefined,
  nowMs: number,
  { mayEnrol = false }: { readonly mayEnrol?: boolean } = {},
): Promise<Subject | undefined> {
  if (session === undefined || (session.mustEnrol === true && !mayEnrol)) return undefined;
  // Asked for together: one round trip to a database.
  const { parentId } = session;
  const [user, profile, all, parent, client] = await Promise.all([
    tx.get(users, session.userId),
    tx.get(profiles, session.userId),
    tx.get(state, "state"),
    parentId === undefined ? undefined : tx.get(sessions, parentId),
    parentId === undefined ? undefined : tx.get(clients, session.clientId),
  ]);
  if (user === undefined) return undefined;
  const present = { user, revokedBefore: all?.revokedBefore ?? 0, nowMs };
  if (!isAlive(session, present)) return undefined;
  if (parentId !== undefined) {
    if (parent === undefined || parent.mustEnrol === true || !isAlive(parent, present)) return undefined;
    if (client === undefined || !mayUse(client, user)) return undefined;
    // From before tokens had an audience.
    if (session.audience === undefined && !client.isOwn) return undefined;
  }
  const displayName = profile?.displayName ?? user.username;
  const { accessRules: rules, roleRules } = all ?? {};
  return { user, session, profile, displayName, application: client, rules, roleRules };
}

/** The session of an access token with this SHA-256, of now or of before the last renewal, whether it counts or not. */
export async function findByAccessHash(tx: ReadTx, hash: string): Promise<SessionRecord | undefined> {
  return (await tx.by(sessions, "byAccess", [hash])) ?? tx.by(sessions, "byPreviousAccess", [hash]);
}

/** The session of a refresh or access token, whether it counts or not. */
export function findByToken(tx: ReadTx, token: string): Promise<SessionRecord | undefined> {
  const familyId = findFamilyId(token);
  return familyId === undefined
    ? findByAccessHash(tx, hashSecret(token))
    : tx.by(sessions, "byFamily", [familyId]);
}
