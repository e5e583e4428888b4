/**
 * Sessions of browsers. The cookie holds the refresh token of the sign-in: the store knows its hash alone, it lives
 * as long as any (idle 14 days, absolute 30), and it is replaced when the user reauthenticates.
 */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { StoreError } from "../../store/store.ts";
import { type Subject, isFirstParty } from "./subject.ts";
import type { AuthDeps } from "../base/deps.ts";
import { sessions as sessionRecords } from "./records.ts";
import { findFamilyId } from "./refresh-token.ts";
import { findLive } from "./live-sessions.ts";
import { IDLE_MS } from "../policy/lifetimes.ts";
import { GRACE_MS } from "./sessions.ts";

/** Minimum interval between two writes of the idle time. */
const KEEP_MS = 3_600_000;

export type BrowserSessions = ReturnType<typeof createBrowserSessions>;

export function createBrowserSessions({ store, expiry }: Pick<AuthDeps, "store" | "expiry">) {
  async function keep({ session }: Subject): Promise<void> {
    // Sessions of applications end by their policy, unless they are refreshed.
    if (!isFirstParty(session)) return;
    const nowMs = expiry.now();
    const toEnd = (absoluteExpiresAt: number): number => Math.min(nowMs + IDLE_MS, absoluteExpiresAt);
    if (toEnd(session.absoluteExpiresAt) - session.expiresAt < KEEP_MS) return;
    try {
      await store.transact(async (tx) => {
        const present = await tx.get(sessionRecords, session.id);
        if (present === undefined) return;
        await tx.put(sessionRecords, { ...present, expiresAt: toEnd(present.absoluteExpiresAt) });
      });
    } catch (error) {
      // A store that takes no writes still shows people their pages.
      if (!(error instanceof StoreError)) throw error;
    }
  }

  return {
    /** Marks a returning user's session as active; writes at most once an hour. */
    keep,
    /**
     * The session of a cookie, or undefined when it has ended. The token before the last verification is valid for 30
     * s more. A session that may only set up a second factor requires `mayEnrol`.
     */
    find: async (token: string, options?: { readonly mayEnrol: boolean }): Promise<Subject | undefined> => {
      const familyId = findFamilyId(token);
      if (familyId === undefined) return undefined;
      const hash = hashSecret(token);
      const subject = await store.read(async (tx) => {
        const nowMs = expiry.now();
        const session = await tx.by(sessionRecords, "byFamily", [familyId]);
        // An application's refresh token is never accepted as a browser cookie.
        if (session === undefined || !isFirstParty(session)) return undefined;
        const { refreshHash, previousRefreshHash, rotatedAt = 0 } = session;
        const isPresent =
          hash === refreshHash || (hash === previousRefreshHash && rotatedAt + GRACE_MS > nowMs);
        return isPresent ? findLive(tx, session, nowMs, options) : undefined;
      });
      if (subject !== undefined) await keep(subject);
      return subject;
    },
  };
}
