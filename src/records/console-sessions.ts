/** Sessions of a console that begin with the administrator token; people who administer come with their own. */
import { z } from "zod";
import { hashSecret } from "../kit/secrets/admin-token.ts";
import { newSecret } from "../kit/secrets/id.ts";
import { timeMs } from "../kit/text/schemas.ts";
import type { Clock } from "../kit/time/clock.ts";
import { type ReadTx, type Store, type Tx, defineCollection } from "../store/store.ts";
import { type AuditActor, writeAudit } from "./audit.ts";

/** Life of a session, in seconds. */
export const CONSOLE_SECONDS = 12 * 60 * 60;
const LABEL_LENGTH = 6;
const SWEEP_BATCH = 200;

export const consoleSessionRecordSchema = z.object({
  /** Hash of the cookie's token. */
  id: z.string(),
  version: z.number().int(),
  /** The session's name in the audit. */
  label: z.string(),
  /** Hash of the administrator token's hash: with another token the session ends. */
  tokenId: z.string(),
  createdAt: timeMs,
  expiresAt: timeMs,
});

export const consoleSessions = defineCollection({
  name: "consoleSessions",
  revision: 1,
  schema: consoleSessionRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"] },
});

export interface ConsoleSession {
  /** As the audit names it. */
  readonly name: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** Where a request came from, for the audit. */
export type ConsoleCaller = Omit<AuditActor, "name">;

export interface ConsoleSessions {
  /** Begins a session of who showed `adminToken`, which was checked; resolves with the cookie's token. */
  open(adminToken: string, from: ConsoleCaller): Promise<string>;
  /** The session of a cookie; undefined when it has ended. */
  find(token: string): Promise<ConsoleSession | undefined>;
  /** Ends it; nothing happens when there is none. */
  end(token: string, from: ConsoleCaller): Promise<void>;
}

export interface ConsoleSessionsDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** Time for expiry, epoch ms. */
  readonly expiry: { now(): number };
  /** SHA-256 of the administrator tokens that count, hex. */
  readonly tokenHashes: readonly string[];
  /** Sessions made before that time have ended, epoch ms; none by default. */
  readonly readRevokedBefore?: (tx: ReadTx) => Promise<number>;
}

export function createConsoleSessions(deps: ConsoleSessionsDeps): ConsoleSessions {
  const { store, clock, expiry, readRevokedBefore = () => Promise.resolve(0) } = deps;
  const tokenIds = new Set(deps.tokenHashes.map(hashSecret));
  return {
    open: async (adminToken, from) => {
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
    find: (token) =>
      store.read(async (tx) => {
        const session = await tx.get(consoleSessions, hashSecret(token));
        if (session === undefined || session.expiresAt <= expiry.now()) return undefined;
        if (!tokenIds.has(session.tokenId)) return undefined;
        if (session.createdAt < (await readRevokedBefore(tx))) return undefined;
        return { name: `session ${session.label}`, expiresAt: session.expiresAt };
      }),
    end: (token, from) =>
      store.transact(async (tx) => {
        const session = await tx.get(consoleSessions, hashSecret(token));
        if (session === undefined) return;
        await tx.remove(consoleSessions, session.id);
        const actor = { ...from, name: `session ${session.label}` };
        await writeAudit(tx, { actor, action: "console.sign-out", target: "console" }, clock);
      }),
  };
}

/** Removes sessions that have expired, at most 200; resolves with how many. */
export async function sweepConsoleSessions(tx: Tx, nowMs: number): Promise<number> {
  const range = { to: [nowMs], limit: SWEEP_BATCH };
  const { items } = await tx.list(consoleSessions, "byExpiresAt", range);
  for (const { id } of items) await tx.remove(consoleSessions, id);
  return items.length;
}
