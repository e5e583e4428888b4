/** Both access tokens of a session's record: the current one, and the one before the last refresh. */
import { ACCESS_MS, MAX_ACCESS_MS } from "../policy/lifetimes.ts";
import type { SessionRecord } from "./schema.ts";

/** The end of the access token with this hash. */
export function toAccessEnd(session: SessionRecord, hash: string): number {
  return session.accessHash === hash ? session.accessExpiresAt : (session.previousAccessExpiresAt ?? 0);
}

/** Whether the access token with this hash is valid now. */
export function isAccessCurrent(session: SessionRecord, hash: string, nowMs: number): boolean {
  const expiresAt = toAccessEnd(session, hash);
  return expiresAt > nowMs && expiresAt <= nowMs + MAX_ACCESS_MS + ACCESS_MS;
}

/** The narrowed scope of an access token; undefined: everything that was granted. */
export interface Narrowed {
  readonly scope?: string | undefined;
  readonly audience?: readonly string[] | undefined;
}

/** The session as the access token with this hash shows it. */
export function withAccess(session: SessionRecord, hash: string): SessionRecord {
  const isPresent = session.accessHash === hash;
  return withNarrowed(session, {
    scope: isPresent ? session.accessScope : session.previousAccessScope,
    audience: isPresent ? session.accessAudience : session.previousAccessAudience,
  });
}

/** The session with less than what was granted (RFC 6749 section 6, RFC 8707 section 2.2). */
export function withNarrowed(session: SessionRecord, { scope, audience }: Narrowed): SessionRecord {
  if (scope === undefined && audience === undefined) return session;
  return {
    ...session,
    ...(scope !== undefined && { scope }),
    ...(audience !== undefined && { audience: [...audience] }),
  };
}

/** Whether a renewal asks for what the last one got. */
export function isSameNarrowing(session: SessionRecord, { scope, audience }: Narrowed): boolean {
  return (
    session.accessScope === scope && session.accessAudience?.join(" ") === audience?.toSorted().join(" ")
  );
}

/** Options of a token refresh. */
export interface RefreshOptions extends Narrowed {
  readonly clientId?: string;
}
