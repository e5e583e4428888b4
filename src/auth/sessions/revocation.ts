/** The end of what an application holds, by its own word (RFC 7009 section 2.1). */
import type { Tx } from "../../store/store.ts";
import { writeEvent } from "../accounts/events.ts";
import type { Caller } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import type { Target } from "../resources/target.ts";
import { sessions } from "./records.ts";
import type { Jwts } from "./jwt.ts";
import { findByAccessHash, findByToken } from "./live-sessions.ts";
import type { SessionRecord } from "./schema.ts";

/** "unknown" is as good as ended (section 2.2); "foreign": it belongs to another application, and counts on. */
export type Revoked = "ended" | "unknown" | "foreign";

export type Revocation = ReturnType<typeof createRevocation>;

export function createRevocation({
  store,
  clock,
  jwts,
  issuer,
}: Pick<AuthDeps, "store" | "clock"> & { jwts: Pick<Jwts, "read">; issuer: string }) {
  async function find(tx: Tx, token: string, jti: string | undefined): Promise<SessionRecord | undefined> {
    return jti === undefined ? findByToken(tx, token) : findByAccessHash(tx, jti);
  }

  return {
    /** Ends the application's session of an access or refresh token. The browser session continues, and no application is notified. */
    revoke: async (clientId: string, token: string, caller: Caller): Promise<Revoked> => {
      const said = token.startsWith("eyJ") ? await jwts.read(token, { issuer, typ: "at+jwt" }) : undefined;
      return store.transact(async (tx) => {
        const session = await find(tx, token, said?.jti);
        if (session === undefined) return "unknown";
        if (session.parentId === undefined || session.clientId !== clientId) return "foreign";
        await tx.remove(sessions, session.id);
        const { userId, id: sessionId } = session;
        const event = { kind: "application-signed-out", atMs: clock.now(), sessionId } as const;
        await writeEvent(tx, { userId, ...event, caller: { ...caller, clientId } });
        return "ended";
      });
    },
    /** The grant of an application's refresh token; undefined for a foreign or invalid one. */
    findGranted: (clientId: string, refreshToken: string): Promise<Target | undefined> =>
      store.read(async (tx) => {
        const session = await findByToken(tx, refreshToken);
        if (session?.clientId !== clientId) return undefined;
        return { audience: session.audience ?? [], scopes: session.scope?.split(" ") ?? [] };
      }),
  };
}
