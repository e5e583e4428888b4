/** What a session's record says of its two access tokens: the present one, and the one before the last renewal. */
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

/** The scope that the access token with this hash was narrowed to; undefined: everything that was granted. */
export function findAccessScope(session: SessionRecord, hash: string): string | undefined {
  return session.accessHash === hash ? session.accessScope : session.previousAccessScope;
}

/** The session as its access token shows it, which may have a narrower scope than what was granted (RFC 6749 section 6). */
export function withAccessScope(session: SessionRecord, scope: string | undefined): SessionRecord {
  return scope === undefined ? session : { ...session, scope };
}

/** What an application says when it renews its tokens. */
export interface RefreshOptions {
  readonly clientId?: string;
  /** A narrower scope for the access token than was granted. */
  readonly scope?: string | undefined;
}
