/** Sessions of administrators, who sign in with the token or an account, and of accounts that may look. */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { createAdminTokenCheck } from "../../records/admin-token-check.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { newSecret } from "../../kit/secrets/id.ts";
import type { LimitSource } from "../../bus/shared-limit.ts";
import { listEvery } from "../../store/every-page.ts";
import type { Store } from "../../store/store.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import type { Proof } from "../../records/rights/principal.ts";
import type { AdminScope, HeldScopes } from "../../records/rights/scopes.ts";
import type { CenterTokens } from "../../kit/outbound/account-center.ts";
import type { AdminSessionRecord } from "../base/schema.ts";
import type { CenterSessions } from "./center-sessions.ts";
import type { Account } from "./schema.ts";
import type { Right } from "./visitor.ts";
import { adminSessions } from "./records.ts";

/** Life of an administrator's session, in seconds. */
export const ADMIN_SESSION_SECONDS = 12 * 60 * 60;
/** Life of a session that may only look, in seconds. */
const VIEWER_SESSION_SECONDS = 14 * 86_400;
/** Prefix of session tokens, which no generated administrator token has. */
export const SESSION_PREFIX = "ses_";
const SWEEP_BATCH = 200;

export interface SessionView {
  /** As the audit names it. */
  readonly name: string;
  /** Epoch ms. */
  readonly expiresAt: number;
  /** By the current settings, for an account. */
  readonly right: Right;
  /** Its scopes. */
  readonly scopes: HeldScopes;
  /** Scopes of its roles in all services. */
  readonly adminScopes?: readonly string[] | undefined;
  /** Of an account. */
  readonly proof?: Proof;
}

/** A session that has begun; `expiresAt` in epoch ms. */
export interface OpenedSession {
  readonly token: string;
  readonly expiresAt: number;
}

export interface AdminSessions {
  /** Exchanges the token. Throws `unauthenticated`, and `rate_limited` after 5 failures in 15 minutes from an address. */
  signIn(input: { token: string; clientAddress: string; requestId: string }): Promise<OpenedSession>;
  /** Begins a session of an account that the auth center knows. */
  open(
    account: Account,
    how: { clientAddress: string; requestId: string; right: Right; center?: CenterTokens },
  ): Promise<OpenedSession>;
  /** Ends a session; nothing happens when there is none. */
  signOut(sessionToken: string, actor: AuditActor): Promise<void>;
  /** The session of this token, or undefined when there is none or it has ended. */
  find(sessionToken: string): Promise<SessionView | undefined>;
  /** The same by the id of its record, the hash of the token. */
  findById(id: string): Promise<SessionView | undefined>;
  /**
   * Checks an administrator token and returns its holder; the same throttle as `signIn`. Throws `unauthenticated`,
   * `rate_limited`.
   */
  checkToken(token: string, clientAddress: string): string;
  /** Checks all sessions of an account, or of all accounts, that began at the auth center. */
  review(accountId: string | undefined): Promise<void>;
  /** Removes expired sessions; resolves with how many. */
  sweep(): Promise<number>;
}

/** A session of an account; undefined while it may do nothing, since it may be let in again. */
function toAccountView(
  { account, createdAt, expiresAt, center }: AdminSessionRecord & { readonly account: Account },
  { right, scopes }: { right: Right; scopes: ReadonlySet<AdminScope> },
): SessionView | undefined {
  if (right === "nothing") return undefined;
  const name = `account ${account.username}`;
  // A viewer's session must sign in again to administer: such a session must not last for weeks.
  const isLong = expiresAt - createdAt > ADMIN_SESSION_SECONDS * 1_000;
  if (isLong) return { name, expiresAt, right: "view", scopes: new Set() };
  const { adminScopes } = account;
  // Without the center's tokens it began here, with the password.
  const hasCenter = center !== undefined;
  const proof = { provedAt: hasCenter ? account.provedAt : createdAt, hasCenter };
  return { name, expiresAt, right, scopes: right === "administer" ? "all" : scopes, adminScopes, proof };
}

interface SessionDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: LimitSource;
  /** SHA-256 of the administrator tokens that count. */
  readonly tokenHashes: readonly string[];
  readonly onFirstUse?: (() => void) | undefined;
  readonly centerSessions: CenterSessions;
  /** The current rights of an account. */
  readonly rightOfAccount: (account: Account) => Right;
  /** Scopes of its roles. */
  readonly scopesOfAccount: (account: Account) => ReadonlySet<AdminScope>;
  /** Called after a session was ended. */
  readonly onEnd: () => void;
}

function createFindById(deps: SessionDeps): AdminSessions["findById"] {
  const { store, clock, centerSessions, rightOfAccount, scopesOfAccount } = deps;
  const tokenIds = new Set(deps.tokenHashes.map(hashSecret));
  async function findAccount(session: AdminSessionRecord): Promise<Account | "ended" | "away"> {
    const { id, account, center } = session;
    if (account === undefined) return "ended";
    return center === undefined ? account : centerSessions.check(id, center, account);
  }
  return async (id) => {
    const session = await store.read((tx) => tx.get(adminSessions, id));
    if (session === undefined) return undefined;
    const { label, tokenId, expiresAt } = session;
    if (expiresAt > clock.now()) {
      if (tokenIds.has(tokenId))
        return { name: `session ${label}`, expiresAt, right: "administer", scopes: "all" };
      const account = await findAccount(session);
      if (account === "away") return undefined;
      if (account !== "ended") {
        const may = { right: rightOfAccount(account), scopes: scopesOfAccount(account) };
        return toAccountView({ ...session, account }, may);
      }
    }
    // Gone for good: a clock that jumps back must not bring an expired session to life.
    await store.transact((tx) => tx.remove(adminSessions, id));
    return undefined;
  };
}

/** Stores a session of `lifeSeconds`, of the administrator token or of an account. */
async function begin(
  { store, clock }: SessionDeps,
  session: { tokenId: string; account?: Account; center?: string; lifeSeconds: number },
  { clientAddress, requestId }: { clientAddress: string; requestId: string },
): Promise<OpenedSession> {
  const { lifeSeconds, ...kept } = session;
  const token = newSecret(SESSION_PREFIX.slice(0, -1));
  const createdAt = clock.now();
  const expiresAt = createdAt + lifeSeconds * 1_000;
  const label = token.slice(SESSION_PREFIX.length, SESSION_PREFIX.length + 6);
  await store.transact(async (tx) => {
    await tx.insert(adminSessions, { id: hashSecret(token), label, ...kept, createdAt, expiresAt });
    const name = kept.account === undefined ? `session ${label}` : `account ${kept.account.username}`;
    const actor = { name, requestId };
    await writeAudit(tx, { actor, action: "session.sign-in", target: clientAddress }, clock);
  });
  return { token, expiresAt };
}

/** Creates the sessions' logic. */
export function createAdminSessions(deps: SessionDeps): AdminSessions {
  const { store, clock } = deps;
  const check = createAdminTokenCheck(deps);
  const findById = createFindById(deps);

  return {
    checkToken: (token, clientAddress) => {
      check(token, clientAddress);
      return "token";
    },
    signIn: async ({ token, ...caller }) => {
      check(token, caller.clientAddress);
      const tokenId = hashSecret(hashSecret(token));
      return begin(deps, { tokenId, lifeSeconds: ADMIN_SESSION_SECONDS }, caller);
    },
    open: (account, { right, center: tokens, ...caller }) => {
      const administers = right === "administer" || deps.scopesOfAccount(account).size > 0;
      const lifeSeconds = administers ? ADMIN_SESSION_SECONDS : VIEWER_SESSION_SECONDS;
      const center = tokens === undefined ? undefined : deps.centerSessions.seal(tokens);
      return begin(deps, { tokenId: "", account, center, lifeSeconds }, caller);
    },
    signOut: async (sessionToken, actor) => {
      const ended = await store.transact(async (tx) => {
        const session = await tx.get(adminSessions, hashSecret(sessionToken));
        if (session === undefined) return undefined;
        await tx.remove(adminSessions, session.id);
        await writeAudit(tx, { actor, action: "session.sign-out", target: actor.name }, clock);
        return session.center;
      });
      deps.onEnd();
      if (ended !== undefined) await deps.centerSessions.end(ended);
    },
    find: (sessionToken) => findById(hashSecret(sessionToken)),
    findById,
    review: async (accountId) => {
      const all = await store.read((tx) => listEvery(tx, adminSessions, { index: "byExpiresAt" }));
      for (const { id, center, account } of all)
        if (center !== undefined && (accountId ?? account?.id) === account?.id) await findById(id);
      deps.onEnd();
    },
    sweep: () =>
      store.transact(async (tx) => {
        const { items } = await tx.list(adminSessions, "byExpiresAt", {
          to: [clock.now()],
          limit: SWEEP_BATCH,
        });
        for (const session of items) await tx.remove(adminSessions, session.id);
        return items.length;
      }),
  };
}
