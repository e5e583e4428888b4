/** Sessions: opened at a sign-in, asked for with each request, renewed by refresh tokens, ended at once. */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { AuthError } from "../base/errors.ts";
import { newId, newSecret } from "../../kit/secrets/id.ts";
import { deriveSuccessor, findFamilyId, newRefreshToken, newRotationNonce } from "./refresh-token.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { Caller } from "../base/caller.ts";
import { type Subject, findLifetimes } from "./subject.ts";
import type { AuthDeps } from "../base/deps.ts";
import { toDeviceLabel } from "./device-label.ts";
import { isDeviceOf } from "./devices.ts";
import { type EventKind, writeEvent } from "../accounts/events.ts";
import { endSession } from "./session-ends.ts";
import { sessions } from "./records.ts";
import { state } from "../base/records.ts";
import { users } from "../accounts/records.ts";
import { type Lifetimes, ownLifetimes } from "../policy/lifetimes.ts";
import { type MissingStep, findMissingStep } from "../applications/may-use.ts";
import { findByToken, findLive } from "./live-sessions.ts";
import {
  type Narrowed,
  type RefreshOptions,
  isSameNarrowing,
  toAccessEnd,
  withNarrowed,
} from "./access-state.ts";
import { createTokenSearch } from "./token-search.ts";
import type { Amr } from "../base/amr.ts";
import type { SessionRecord } from "./schema.ts";
import { MAX_SESSIONS, makeRoom, selectLiving } from "./session-room.ts";
import { tellOwner } from "../mails/owner-notices.ts";
import type { UserRecord } from "../accounts/schema.ts";

/** Within it a spent refresh token gives its successor again to the same client: several tabs refresh at once. */
export const GRACE_MS = 30_000;

/** Tokens for a client. Times are seconds from now, as in OAuth. */
export interface TokenSet {
  readonly accessToken: string;
  readonly expiresIn: number;
  readonly refreshToken: string;
  readonly refreshExpiresIn: number;
  readonly user: UserRecord;
  readonly session: SessionRecord;
}

export interface OpenOptions {
  readonly user: UserRecord;
  readonly caller: Caller;
  readonly amr: readonly Amr[];
  /** Set for an application that a signed-in browser came to: the browser's session. */
  readonly parent?: SessionRecord;
  /** The scope that this application requested. */
  readonly scope?: string;
  /** The resources that it was granted, for any application. */
  readonly audience?: readonly string[];
  /** Those of them that the first access token is for; undefined: all. */
  readonly accessAudience?: readonly string[] | undefined;
  /** Whether what the application gets outlives the browser's session (OpenID Connect Core 1.0 section 11). */
  readonly isOffline?: boolean;
  /** The class of the sign-in as the application asked for it; undefined: as it is. */
  readonly acr?: string | undefined;
  /** By the application's policy; those of the center unless told. */
  readonly lifetimes?: Lifetimes;
  readonly mustEnrol?: boolean;
  readonly passkeyId?: string | undefined;
  /** Set for an administrator's look into the account, with the time it may last. */
  readonly impersonation?: { readonly by: string; readonly ttlMs: number };
}

export interface EndOptions {
  readonly select: (session: SessionRecord) => boolean;
  readonly event?: { readonly kind: EventKind; readonly caller: Caller };
}

type SessionDeps = Pick<AuthDeps, "store" | "expiry" | "outbox" | "publicUrl" | "clock" | "box">;

/** Seconds until `endMs`, never negative. */
function secondsUntil(endMs: number, nowMs: number): number {
  return Math.max(0, Math.floor((endMs - nowMs) / 1_000));
}

function toTokenSet(
  tokens: { accessToken: string; refreshToken: string },
  parts: Pick<Subject, "user" | "session"> & { nowMs: number },
): TokenSet {
  const { user, session, nowMs } = parts;
  const { accessToken, refreshToken } = tokens;
  return {
    accessToken,
    refreshToken,
    expiresIn: secondsUntil(session.accessExpiresAt, nowMs),
    refreshExpiresIn: secondsUntil(session.expiresAt, nowMs),
    user,
    session,
  };
}

/** Notes on the browser's session that an application got tokens in it. */
async function noteApplication(tx: Tx, parentId: string, clientId: string): Promise<void> {
  const parent = await tx.get(sessions, parentId);
  if (parent === undefined || parent.applications?.includes(clientId) === true) return;
  const applications = [...(parent.applications ?? []), clientId].slice(-MAX_SESSIONS);
  await tx.put(sessions, { ...parent, applications });
}

function createOpen(deps: Pick<AuthDeps, "expiry">) {
  return async (
    tx: Tx,
    { user, caller, amr, parent, scope, acr, isOffline = false, impersonation, ...more }: OpenOptions,
  ): Promise<TokenSet> => {
    const { audience, accessAudience } = more;
    const { accessMs, idleMs, absoluteMs } = more.lifetimes ?? ownLifetimes;
    const nowMs = deps.expiry.now();
    const id = newId("ses", nowMs);
    const tokens = { accessToken: newSecret("acc"), refreshToken: newRefreshToken() };
    const familyId = findFamilyId(tokens.refreshToken);
    if (familyId === undefined) throw new Error("A new refresh token is malformed");
    await makeRoom(tx, { user, parent, caller }, nowMs);
    const ownEnd = nowMs + (impersonation?.ttlMs ?? absoluteMs);
    const absoluteExpiresAt = isOffline ? ownEnd : Math.min(ownEnd, parent?.absoluteExpiresAt ?? ownEnd);
    const session = await tx.insert(sessions, {
      id,
      userId: user.id,
      clientId: caller.clientId,
      createdAt: nowMs,
      authenticatedAt: parent?.authenticatedAt ?? nowMs,
      lastSeenAt: nowMs,
      expiresAt: Math.min(nowMs + idleMs, absoluteExpiresAt),
      absoluteExpiresAt,
      amr: [...amr],
      aal: parent?.aal ?? (amr.includes("mfa") ? 2 : 1),
      acr,
      passkeyId: parent?.passkeyId ?? more.passkeyId,
      mustEnrol: more.mustEnrol === true ? true : undefined,
      ipPrefix: caller.ipPrefix,
      userAgent: caller.userAgent,
      label: parent?.label ?? toDeviceLabel(caller.userAgent),
      familyId,
      impersonatedBy: parent?.impersonatedBy ?? impersonation?.by,
      parentId: isOffline ? id : parent?.id,
      isOffline: isOffline ? true : undefined,
      browserId: isOffline ? parent?.id : undefined,
      scope: scope === "" ? undefined : scope,
      audience: audience === undefined ? parent && [] : [...audience],
      accessAudience: accessAudience?.toSorted(),
      tokenEpoch: user.tokenEpoch,
      accessHash: hashSecret(tokens.accessToken),
      accessExpiresAt: Math.min(nowMs + accessMs, absoluteExpiresAt),
      refreshHash: hashSecret(tokens.refreshToken),
    });
    if (parent !== undefined) await noteApplication(tx, parent.id, caller.clientId);
    const shown = withNarrowed(session, { audience: accessAudience });
    return toTokenSet(tokens, { user, session: shown, nowMs });
  };
}

type Rotation =
  | { readonly kind: "done"; readonly tokens: TokenSet }
  | { readonly kind: "invalid" }
  | { readonly kind: "reused" }
  /** It was spent a moment ago for other resources or scopes. */
  | { readonly kind: "other" }
  | { readonly kind: "policy"; readonly missing: MissingStep };

/** Whether a spent token comes from who spent it: a device of the account, or the same program on the same network. */
function isSameClient(box: SecretBox, subject: Subject, parts: { caller: Caller; nowMs: number }): boolean {
  const { user, session } = subject;
  const { caller, nowMs } = parts;
  const isAlike = caller.ipPrefix === session.ipPrefix && caller.userAgent === session.userAgent;
  return isAlike || isDeviceOf(box, caller.device, { userId: user.id, nowMs });
}

/** Notes once a rotation that its spent token came again. */
async function noteRepeat(
  tx: Tx,
  { session }: Subject,
  { caller, atMs }: { caller: Caller; atMs: number },
): Promise<void> {
  if (session.repeatedAt === session.rotatedAt) return;
  await tx.put(sessions, { ...session, repeatedAt: session.rotatedAt });
  const { userId, id: sessionId } = session;
  await writeEvent(tx, { userId, kind: "refresh-repeated", caller, atMs, sessionId });
}

async function rotate(
  tx: Tx,
  deps: Pick<AuthDeps, "box" | "clock">,
  spent: { subject: Subject; refreshToken: string; nowMs: number; caller: Caller; narrowed: Narrowed },
): Promise<Rotation> {
  const { subject, refreshToken, nowMs, caller, narrowed } = spent;
  const { user, session } = subject;
  const hash = hashSecret(refreshToken);
  if (hash === session.refreshHash) {
    const { accessMs, idleMs, absoluteMs } = findLifetimes(subject);
    // A policy that became stricter ends sessions that it would not open anymore.
    const absoluteExpiresAt =
      session.parentId === undefined
        ? session.absoluteExpiresAt
        : Math.min(session.absoluteExpiresAt, session.createdAt + absoluteMs);
    if (absoluteExpiresAt <= nowMs) return { kind: "invalid" };
    const rotationNonce = newRotationNonce();
    const tokens = deriveSuccessor(refreshToken, rotationNonce);
    const renewed = await tx.put(sessions, {
      ...session,
      lastSeenAt: nowMs,
      absoluteExpiresAt,
      expiresAt: Math.min(nowMs + idleMs, absoluteExpiresAt),
      ipPrefix: caller.ipPrefix,
      userAgent: caller.userAgent,
      previousAccessHash: session.accessHash,
      previousAccessExpiresAt: session.accessExpiresAt,
      previousAccessScope: session.accessScope,
      previousAccessAudience: session.accessAudience,
      accessScope: narrowed.scope,
      accessAudience: narrowed.audience?.toSorted(),
      accessHash: hashSecret(tokens.accessToken),
      accessExpiresAt: Math.min(nowMs + accessMs, absoluteExpiresAt),
      previousRefreshHash: hash,
      rotatedAt: nowMs,
      rotationNonce,
      refreshHash: hashSecret(tokens.refreshToken),
    });
    return {
      kind: "done",
      tokens: toTokenSet(tokens, { user, session: withNarrowed(renewed, narrowed), nowMs }),
    };
  }
  const { previousRefreshHash, rotatedAt, rotationNonce } = session;
  const isRecent = hash === previousRefreshHash && rotatedAt !== undefined && rotatedAt + GRACE_MS > nowMs;
  if (isRecent && rotationNonce !== undefined && isSameClient(deps.box, subject, { caller, nowMs })) {
    if (!isSameNarrowing(session, narrowed)) return { kind: "other" };
    await noteRepeat(tx, subject, { caller, atMs: deps.clock.now() });
    const tokens = deriveSuccessor(refreshToken, rotationNonce);
    return {
      kind: "done",
      tokens: toTokenSet(tokens, { user, session: withNarrowed(session, narrowed), nowMs }),
    };
  }
  return { kind: "reused" };
}

/** A spent token came again: either its holder or the holder of its successor is a thief. */
async function endFamily(
  tx: Tx,
  deps: Pick<AuthDeps, "outbox" | "publicUrl" | "clock">,
  parts: Subject & { caller: Caller; nowMs: number },
): Promise<void> {
  const { user, session, caller, nowMs } = parts;
  await endSession(tx, session, nowMs);
  await writeEvent(tx, {
    userId: user.id,
    kind: "refresh-reused",
    caller,
    atMs: deps.clock.now(),
    sessionId: session.id,
  });
  await tellOwner(tx, deps, { user, notice: "refresh-reused" });
}

/** A session from a code is only refreshed with the application's credentials. */
function isMeant({ parentId, clientId }: SessionRecord, asking: string | undefined): boolean {
  return parentId === undefined ? asking === undefined : asking === clientId;
}

/** The missing requirement of an application's policy; checks the address only if it is the user's own. */
function findLacking(
  { application, user, session, rules = {} }: Subject,
  { caller, nowMs }: { caller: Caller; nowMs: number },
): MissingStep | undefined {
  if (application === undefined) return undefined;
  const address = application.clientType === "public" ? caller.clientAddress : undefined;
  return findMissingStep(application, { user, session, rules, address, nowMs, isRenewal: true });
}

function createRefresh(deps: SessionDeps) {
  const { store, expiry } = deps;
  return async (
    refreshToken: string,
    caller: Caller,
    { clientId, ...narrowed }: RefreshOptions = {},
  ): Promise<TokenSet> => {
    const familyId = findFamilyId(refreshToken);
    const rotation: Rotation =
      familyId === undefined
        ? { kind: "invalid" }
        : await store.transact(async (tx): Promise<Rotation> => {
            const nowMs = expiry.now();
            const known = await tx.by(sessions, "byFamily", [familyId]);
            const subject = await findLive(tx, known, nowMs, { mayEnrol: true });
            if (subject === undefined || !isMeant(subject.session, clientId)) return { kind: "invalid" };
            const missing = findLacking(subject, { caller, nowMs });
            if (missing !== undefined) return { kind: "policy", missing };
            const result = await rotate(tx, deps, { subject, refreshToken, nowMs, caller, narrowed });
            if (result.kind === "reused") await endFamily(tx, deps, { ...subject, caller, nowMs });
            return result;
          });
    if (rotation.kind === "done") return rotation.tokens;
    if (rotation.kind === "policy")
      throw new AuthError(
        "refresh_invalid",
        `The access policy of the application requires more: ${rotation.missing}`,
        { details: { missing: rotation.missing } },
      );
    if (rotation.kind === "other")
      throw new AuthError(
        "refresh_invalid",
        "The refresh token was used a moment ago for other resources or scopes. Use the token that replaced it",
      );
    if (rotation.kind === "invalid")
      throw new AuthError("refresh_invalid", "The refresh token is invalid or expired. Sign in again");
    throw new AuthError(
      "refresh_reused",
      "The refresh token was already used, so the session was revoked. Sign in again",
    );
  };
}

export type Sessions = ReturnType<typeof createSessions>;

/** Creates the sessions' logic. */
export function createSessions(deps: SessionDeps) {
  const { store, expiry } = deps;

  async function listLive(tx: ReadTx, userId: string): Promise<SessionRecord[]> {
    const nowMs = expiry.now();
    const [user, all, page] = await Promise.all([
      tx.get(users, userId),
      tx.get(state, "state"),
      tx.list(sessions, "byUser", { prefix: [userId], limit: MAX_SESSIONS * 2, reverse: true }),
    ]);
    const revokedBefore = all?.revokedBefore ?? 0;
    return selectLiving(page.items, { user, revokedBefore, nowMs });
  }

  return {
    /** Opens a session in the running transaction. */
    open: createOpen(deps),
    ...createTokenSearch(deps),
    /** Spends a refresh token; that of an application's session only for it. Throws `refresh_invalid`, and `refresh_reused` after ending the whole sign-in. */
    refresh: createRefresh(deps),
    /** Ends the session of an access or refresh token; true when there was one. */
    revokeToken: (token: string, caller: Caller): Promise<boolean> =>
      store.transact(async (tx) => {
        const session = await findByToken(tx, token);
        if (session === undefined) return false;
        await endSession(tx, session, expiry.now());
        const { userId, id: sessionId } = session;
        await writeEvent(tx, { userId, kind: "sign-out", caller, atMs: deps.clock.now(), sessionId });
        return true;
      }),
    /** When an access token of this session ends, epoch milliseconds. */
    expiryOf: (session: SessionRecord, accessToken: string): number =>
      toAccessEnd(session, hashSecret(accessToken)),
    /** An account's live sessions, the newest first. */
    list: (userId: string): Promise<SessionRecord[]> => store.read((tx) => listLive(tx, userId)),
    /** Ends the account's sessions that `select` names, and notes it as `event` when there were any; resolves with how many. */
    end: (userId: string, { select, event }: EndOptions): Promise<number> =>
      store.transact(async (tx) => {
        const chosen = (await listLive(tx, userId)).filter(select);
        for (const session of chosen) await endSession(tx, session, expiry.now());
        const [first, second] = chosen;
        if (event !== undefined && first !== undefined) {
          const sessionId = second === undefined ? first.id : undefined;
          await writeEvent(tx, { userId, ...event, atMs: deps.clock.now(), sessionId });
        }
        return chosen.length;
      }),
  };
}
