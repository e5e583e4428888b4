/**
 * `node --import tsx test/lab/bench/auth-growth-seed.ts FOLDER ACCOUNTS`: a data folder with so many accounts, profiles
 * and sessions, written as the store's readable snapshot, in as much memory for a million as for a thousand. AUTH_SECRET
 * is "a secret of the benchmarks, long enough"; tokens are "acc_0", "acc_1", … for 15 minutes, and every password is that of the peers.
 */
import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import process from "node:process";
import { createAccount } from "../../../src/auth/accounts/accounts.ts";
import { createPasswordHasher } from "../../../src/auth/base/hashing/password-hash.ts";
import { authCollections } from "../../../src/auth/app/records.ts";
import { profiles, users } from "../../../src/auth/accounts/records.ts";
import { sessions } from "../../../src/auth/sessions/records.ts";
import { createSessions } from "../../../src/auth/sessions/sessions.ts";
import { toIdStart } from "../../../src/kit/secrets/id.ts";
import { createSecretBox } from "../../../src/kit/secrets/secret-box.ts";
import { nodeFileLayer } from "../../../src/kit/files/file-layer.ts";
import { silentLog as log } from "../../../src/kit/observe/log.ts";
import { systemClock as clock } from "../../../src/kit/time/clock.ts";
import { createOutbox } from "../../../src/records/outbox.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import { writeSnapshotText } from "../../../src/store/journal/snapshot-adapter.ts";
import { PEER_PASSWORD } from "./peer-process.ts";

const SECRET = "a secret of the benchmarks, long enough";
/** Between one account and the next. */
const STEP_MS = 10;

type Fields = Readonly<Record<string, unknown>>;

/** One account as the program itself makes it, by collection. */
async function makeOne(nowMs: number): Promise<ReadonlyMap<string, Fields>> {
  const store = createMemoryStore({ collections: authCollections });
  const box = createSecretBox(SECRET);
  const outbox = createOutbox({ store, clock, log, box, sender: () => undefined });
  const passwordHash = await createPasswordHasher().hash(PEER_PASSWORD);
  const caller = {
    clientId: "bench",
    clientAddress: "127.0.0.1",
    ipPrefix: "127.0.0.0/24",
    userAgent: "bench",
    requestId: "bench",
  };
  return store.transact(async (tx) => {
    const user = await createAccount(tx, {
      username: "person",
      email: "person@example.org",
      emailVerifiedAt: nowMs,
      passwordHash,
      registeredVia: { clientId: "bench", mode: "open" },
      nowMs,
    });
    const { session } = await createSessions({ store, clock, expiry: clock, outbox, box }).open(tx, {
      user,
      caller,
      amr: ["pwd"],
    });
    const profile = await tx.get(profiles, user.id);
    return new Map<string, Fields>([
      [users.name, user],
      [profiles.name, { ...profile }],
      [sessions.name, session],
    ]);
  });
}

/** What tells the nth record of a collection from the one that it is made after. */
function toOwn(collection: string, parts: { nth: number; atMs: number }): Fields {
  const { nth, atMs } = parts;
  const tail = String(nth).padStart(16, "0");
  const userId = `${toIdStart("usr", atMs)}${tail}`;
  const name = `person-${nth}`;
  const names = { username: name, usernameLower: name };
  if (collection === profiles.name) return { id: userId, ...names, displayName: name, joinedAt: atMs };
  if (collection === users.name) {
    const email = `${name}@example.org`;
    return { id: userId, ...names, email, emailLower: email, createdAt: atMs };
  }
  const toHash = (what: string): string => createHash("sha256").update(`${what} ${nth}`).digest("hex");
  return {
    id: `${toIdStart("ses", atMs)}${tail}`,
    userId,
    familyId: toHash("family"),
    // Tokens "acc_0", "acc_1", …
    accessHash: createHash("sha256").update(`acc_${nth}`).digest("hex"),
    refreshHash: toHash("refresh"),
  };
}

async function* toPages(made: Fields, options: { name: string; accounts: number; nowMs: number }) {
  const { name, accounts, nowMs } = options;
  for (let nth = 0; nth < accounts; nth += 1) {
    const own = toOwn(name, { nth, atMs: nowMs - (accounts - nth) * STEP_MS });
    yield [{ ...made, ...own, id: String(own["id"]), version: 1 }];
  }
}

async function* toNothing() {}

async function write(data: string, accounts: number): Promise<void> {
  const folder = `${data}/auth`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const nowMs = clock.now();
  const one = await makeOne(nowMs);
  await writeSnapshotText(
    { files: nodeFileLayer, folder, name: "auth", clock },
    authCollections.map(({ name, revision }) => {
      const made = one.get(name);
      return {
        name,
        revision,
        pages: made === undefined ? toNothing() : toPages(made, { name, accounts, nowMs }),
      };
    }),
  );
}

const [folder = "", accounts = ""] = process.argv.slice(2);
if (folder === "" || !/^\d+$/u.test(accounts)) {
  console.error("Usage: auth-growth-seed.ts FOLDER ACCOUNTS");
  process.exit(2);
}
await write(folder, Number(accounts));
