/** Sessions of the console that begin with the administrator token; people who administer come with their own. */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { newSecret } from "../../kit/secrets/id.ts";
import { writeAudit } from "../../records/audit.ts";
import type { Actor } from "../caller.ts";
import type { AuthDeps } from "../deps.ts";
import { consoleSessions, state } from "../records.ts";

/** Life of a session, in seconds. */
export const CONSOLE_SECONDS = 12 * 60 * 60;
const LABEL_LENGTH = 6;

export interface ConsoleSession {
  /** As the audit names it. */
  readonly name: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}

export type ConsoleSessions = ReturnType<typeof createConsoleSessions>;

/** Makes the logic; `tokenHashes` are SHA-256 of the administrator tokens that count, hex. */
export function createConsoleSessions(
  deps: Pick<AuthDeps, "store" | "clock" | "expiry"> & { readonly tokenHashes: readonly string[] },
) {
  const { store, clock, expiry } = deps;
  const tokenIds = new Set(deps.tokenHashes.map(hashSecret));
  return {
    /** Begins a session of who showed `adminToken`, which was checked; resolves with the cookie's token. */
    open: async (adminToken: string, from: Pick<Actor, "clientId" | "requestId">): Promise<string> => {
      const token = newSecret("con");
      const label = token.slice("con_".length, "con_".length + LABEL_LENGTH);
      const createdAt = expiry.now();
      const times = { createdAt, expiresAt: createdAt + CONSOLE_SECONDS * 1_000 };
      await store.transact(async (tx) => {
        const tokenId = hashSecret(hashSecret(adminToken));
        await tx.insert(consoleSessions, { id: hashSecret(token), label, tokenId, ...times });
        const actor = { ...from, name: `session ${label}` };
        await writeAudit(tx, { actor, action: "console.sign-in", target: "console" }, clock);
      });
      return token;
    },
    /** Whose cookie this is; undefined when the session has ended. */
    find: (token: string): Promise<ConsoleSession | undefined> =>
      store.read(async (tx) => {
        const session = await tx.get(consoleSessions, hashSecret(token));
        if (session === undefined || session.expiresAt <= expiry.now()) return undefined;
        const revokedBefore = (await tx.get(state, "state"))?.revokedBefore ?? 0;
        if (!tokenIds.has(session.tokenId) || session.createdAt < revokedBefore) return undefined;
        return { name: `session ${session.label}`, expiresAt: session.expiresAt };
      }),
    /** Ends it; nothing happens when there is none. */
    end: (token: string, from: Pick<Actor, "clientId" | "requestId">): Promise<void> =>
      store.transact(async (tx) => {
        const session = await tx.get(consoleSessions, hashSecret(token));
        if (session === undefined) return;
        await tx.remove(consoleSessions, session.id);
        const actor = { ...from, name: `session ${session.label}` };
        await writeAudit(tx, { actor, action: "console.sign-out", target: "console" }, clock);
      }),
  };
}
