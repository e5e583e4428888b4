/** Finds the owner of a token with one read. Writes nothing. */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import type { Subject } from "./subject.ts";
import type { AuthDeps } from "../base/deps.ts";
import { sessions } from "./records.ts";
import { isAccessCurrent, withAccess } from "./access-state.ts";
import { findByAccessHash, findLive } from "./live-sessions.ts";
import { findFamilyId } from "./refresh-token.ts";

/** Creates what finds the person of a token. */
export function createTokenSearch({ store, expiry }: Pick<AuthDeps, "store" | "expiry">) {
  function findByHash(hash: string, options?: { readonly mayEnrol: boolean }): Promise<Subject | undefined> {
    const nowMs = expiry.now();
    return store.read(async (tx) => {
      const session = await findByAccessHash(tx, hash);
      if (session === undefined || !isAccessCurrent(session, hash, nowMs)) return undefined;
      return findLive(tx, withAccess(session, hash), nowMs, options);
    });
  }

  return {
    /** The owner of an access token, or undefined if the token is invalid or expired. */
    find: (accessToken: string): Promise<Subject | undefined> =>
      accessToken.startsWith("acc_") ? findByHash(hashSecret(accessToken)) : Promise.resolve(undefined),
    /** The same, also of a session that opens only the setting up of a second factor. */
    findEnrolling: (accessToken: string): Promise<Subject | undefined> =>
      accessToken.startsWith("acc_")
        ? findByHash(hashSecret(accessToken), { mayEnrol: true })
        : Promise.resolve(undefined),
    /** The same as `find` by the SHA-256 of the access token, for who has proved otherwise that it was given one. */
    findByHash: (hash: string): Promise<Subject | undefined> => findByHash(hash),
    /** The owner of an unused refresh token, or undefined. Does not use it up. */
    findByRefresh: async (refreshToken: string): Promise<Subject | undefined> => {
      const familyId = findFamilyId(refreshToken);
      if (familyId === undefined) return undefined;
      const hash = hashSecret(refreshToken);
      return store.read(async (tx) => {
        const session = await tx.by(sessions, "byFamily", [familyId]);
        return session?.refreshHash === hash ? findLive(tx, session, expiry.now()) : undefined;
      });
    },
  };
}
