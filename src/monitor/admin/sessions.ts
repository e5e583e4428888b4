/** The administrator's sign-in: the token is exchanged for a session of 12 hours. */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { createAdminTokenCheck } from "../../records/admin-token-check.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { newSecret } from "../../kit/secrets/id.ts";
import type { LimitSource } from "../../bus/shared-limit.ts";
import type { Store } from "../../store/store.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { adminSessions } from "../records.ts";

/** Life of a session, in seconds. */
export const SESSION_SECONDS = 12 * 60 * 60;
/** What session tokens begin with, which no administrator token that was made does. */
export const SESSION_PREFIX = "ses_";
const SWEEP_BATCH = 200;

export interface SessionView {
  /** As the audit names it. */
  readonly name: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}

export interface AdminSessions {
  /** Exchanges the token. Throws `unauthenticated`, and `rate_limited` after 5 failures in 15 minutes from an address. */
  signIn(input: {
    token: string;
    clientAddress: string;
    requestId: string;
  }): Promise<{ token: string; expiresAt: number }>;
  /** Ends a session; nothing happens when there is none. */
  signOut(sessionToken: string, actor: AuditActor): Promise<void>;
  /** The session that this token stands for, or undefined when there is none or it has ended. */
  find(sessionToken: string): Promise<SessionView | undefined>;
  /** Who holds this administrator token; the same throttle as `signIn`. Throws `unauthenticated`, `rate_limited`. */
  checkToken(token: string, clientAddress: string): string;
  /** Removes expired sessions; resolves with how many. */
  sweep(): Promise<number>;
}

/** Makes the sessions' logic; `tokenHashes` are SHA-256 of the administrator tokens that count. */
export function createAdminSessions(deps: {
  store: Store;
  clock: Clock;
  limits: LimitSource;
  tokenHashes: readonly string[];
  onFirstUse?: (() => void) | undefined;
}): AdminSessions {
  const { store, clock } = deps;
  const check = createAdminTokenCheck(deps);
  const tokenIds = new Set(deps.tokenHashes.map(hashSecret));

  return {
    checkToken: (token, clientAddress) => {
      check(token, clientAddress);
      return "token";
    },
    signIn: async ({ token, clientAddress, requestId }) => {
      check(token, clientAddress);
      const sessionToken = newSecret(SESSION_PREFIX.slice(0, -1));
      const now = clock.now();
      const expiresAt = now + SESSION_SECONDS * 1_000;
      const label = sessionToken.slice(SESSION_PREFIX.length, SESSION_PREFIX.length + 6);
      await store.transact(async (tx) => {
        await tx.insert(adminSessions, {
          id: hashSecret(sessionToken),
          label,
          tokenId: hashSecret(hashSecret(token)),
          createdAt: now,
          expiresAt,
        });
        const actor = { name: `session ${label}`, requestId };
        await writeAudit(tx, { actor, action: "session.sign-in", target: clientAddress }, clock);
      });
      return { token: sessionToken, expiresAt };
    },
    signOut: async (sessionToken, actor) => {
      await store.transact(async (tx) => {
        const removed = await tx.remove(adminSessions, hashSecret(sessionToken));
        if (removed) await writeAudit(tx, { actor, action: "session.sign-out", target: actor.name }, clock);
      });
    },
    find: async (sessionToken) => {
      const id = hashSecret(sessionToken);
      const session = await store.read((tx) => tx.get(adminSessions, id));
      if (session === undefined) return undefined;
      const { label, tokenId, expiresAt } = session;
      if (expiresAt > clock.now() && tokenIds.has(tokenId)) return { name: `session ${label}`, expiresAt };
      // Gone for good: a clock that jumps back must not bring an expired session to life.
      await store.transact((tx) => tx.remove(adminSessions, id));
      return undefined;
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
