/** Fills the data folder of an auth center with accounts and sessions, as the program itself would have written them. */
import { createAccount } from "../../../src/auth/accounts/accounts.ts";
import { createSessions } from "../../../src/auth/sessions/sessions.ts";
import { readSettings, replaceSettings } from "../../../src/auth/settings/settings.ts";
import { authCollections } from "../../../src/auth/app/records.ts";
import { withAuditKey } from "../../../src/records/audit-key.ts";
import { systemClock as clock } from "../../../src/kit/time/clock.ts";
import { silentLog as log } from "../../../src/kit/observe/log.ts";
import { createOutbox } from "../../../src/records/outbox.ts";
import { createPasswordHasher } from "../../../src/auth/base/hashing/password-hash.ts";
import { createSecretBox } from "../../../src/kit/secrets/secret-box.ts";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";
import { PEER_PASSWORD } from "./peer-process.ts";

const BATCH = 250;
const WRITERS = 8;

/** How much to write. */
export interface SeedOptions {
  readonly folder: string;
  readonly secret: string;
  /** Accounts "person-0", … with the same password as the peers' ones. */
  readonly accounts: number;
  readonly sessions: number;
  readonly isVerificationRequired?: boolean;
}

/** The tokens of every session that was made, in the order of the accounts. */
export interface Seeded {
  readonly accessTokens: readonly string[];
  readonly refreshTokens: readonly string[];
}

/** Writes accounts and sessions; registrations have no limit a day, and need no mailbox unless told. */
export async function seedAuth(options: SeedOptions): Promise<Seeded> {
  const { folder, secret, accounts, sessions: wanted } = options;
  const box = createSecretBox(secret);
  const journal = await openJournalStore({
    folder: `${folder}/auth`,
    name: "auth",
    collections: authCollections,
    clock,
    log,
  });
  const store = withAuditKey(journal, box);
  const outbox = createOutbox({ store, clock, log, box, sender: () => undefined });
  const sessions = createSessions({ store, clock, expiry: clock, outbox, box });
  const passwordHash = await createPasswordHasher().hash(PEER_PASSWORD);
  const actor = { name: "bench", clientId: "bench", requestId: "bench" };
  const caller = {
    clientId: "bench",
    clientAddress: "127.0.0.1",
    ipPrefix: "127.0.0.0/24",
    userAgent: "bench",
    requestId: "bench",
  };
  await store.transact(async (tx) => {
    const { fields } = await readSettings(tx, "registration");
    const emailVerification = options.isVerificationRequired === true ? "required" : "off";
    const open = { ...fields, emailVerification, maxPerAddressPerDay: 100_000 } as const;
    await replaceSettings(tx, { group: "registration", fields: open, actor, clock });
  });
  const accessTokens: string[] = [];
  const refreshTokens: string[] = [];
  const each = Math.ceil(wanted / accounts);

  async function writeBatch(start: number): Promise<void> {
    const made = await store.transact(async (tx) => {
      const tokens: { accessToken: string; refreshToken: string }[] = [];
      for (let n = start; n < Math.min(accounts, start + BATCH); n += 1) {
        const user = await createAccount(tx, {
          username: `person-${n}`,
          email: `person-${n}@example.org`,
          emailVerifiedAt: clock.now(),
          passwordHash,
          registeredVia: { clientId: "bench", mode: "open" },
          nowMs: clock.now(),
        });
        for (let i = 0; i < each; i += 1)
          tokens.push(await sessions.open(tx, { user, caller, amr: ["pwd"] }));
      }
      return tokens;
    });
    for (const { accessToken, refreshToken } of made) {
      accessTokens.push(accessToken);
      refreshTokens.push(refreshToken);
    }
  }

  const starts = Array.from({ length: Math.ceil(accounts / BATCH) }, (_, n) => n * BATCH);
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      for (let start = starts.shift(); start !== undefined; start = starts.shift()) await writeBatch(start);
    }),
  );
  await store.close();
  return { accessTokens, refreshTokens };
}
