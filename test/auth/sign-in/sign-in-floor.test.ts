/** How long a failed sign-in takes while imported hashes, which cost more to check, are there. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { hash as hashBcrypt } from "@node-rs/bcrypt";
import { createAccount } from "../../../src/auth/accounts/accounts.ts";
import { authCollections } from "../../../src/auth/app/records.ts";
import { authSecretCheck } from "../../../src/auth/app/secret-check.ts";
import { assertSecret } from "../../../src/records/secret-check.ts";
import { createPasswordHasher } from "../../../src/auth/base/hashing/password-hash.ts";
import { createSecretBox } from "../../../src/kit/secrets/secret-box.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { type TestApp, createTestApp, PASSWORD } from "../app-fixture.ts";
import { importLines, read } from "../http/admin-requests.ts";
import { logIn, OTHER, post, register } from "../http/people.ts";

const FLOOR_MS = 1_000;
const cheap = createPasswordHasher({ cost: { memoryKiB: 8, passes: 1, lanes: 1 } });
const foreign = await hashBcrypt(PASSWORD, 4);

let store: Store;
let addresses = 0;
/** Another address each time, so that none has too many failures. */
const anywhere = (): { from: string } => {
  addresses += 1;
  return { from: `198.51.${addresses >> 8}.${addresses & 255}` };
};

beforeEach(async () => {
  store = createMemoryStore({ collections: authCollections });
  // As at each start: a new store cannot contain such a hash.
  await assertSecret(store, createSecretBox("a secret of the test suite, long enough"), authSecretCheck);
});

async function importUser(app: TestApp, username: string, more: object = {}, query = ""): Promise<void> {
  const fields = { username, email: `${username}@example.org`, emailVerified: true, passwordHash: foreign };
  const response = await importLines(app, JSON.stringify({ ...fields, ...more }), { query });
  assert.equal((await read<{ created: number }>(response, 200)).created, 1);
}

async function addAccounts(app: TestApp, count: number): Promise<void> {
  await app.store.transact(async (tx) => {
    for (let i = 0; i < count; i += 1)
      await createAccount(tx, {
        username: `user${i}`,
        email: `user${i}@example.org`,
        registeredVia: { clientId: "test", mode: "open" },
        nowMs: app.clock.now(),
      });
  });
}

/** An app whose pauses are noted. */
async function createPaused(more: { store?: Store } = {}): Promise<{
  app: TestApp;
  isDelayed(): Promise<boolean>;
}> {
  const pauses: number[] = [];
  const app = await createTestApp({
    store,
    pause: async (ms) => {
      pauses.push(ms);
    },
    ...more,
  });
  return {
    app,
    isDelayed: async () => {
      pauses.length = 0;
      assert.equal((await logIn(app, "nobody", PASSWORD, anywhere())).status, 401);
      return pauses.length > 0;
    },
  };
}

describe("a failed sign-in while imported hashes are there", () => {
  it("takes the same time whatever it failed for, and a right password takes its own", async () => {
    const clock = createFixedClock();
    const app = await createTestApp({
      store,
      clock,
      hasher: {
        ...cheap,
        verify: (password, phc) => {
          clock.advance(phc === foreign ? 300 : 20);
          return cheap.verify(password, phc);
        },
      },
      pause: async (ms) => clock.advance(ms),
    });
    const time = async (identifier: string, password: string, path = "login"): Promise<unknown> => {
      const beganMs = clock.monotonic();
      const { status } = await post(app, path, { identifier, password }, anywhere());
      return [status, clock.monotonic() - beganMs];
    };
    await app.signUp("ann");
    await app.signUp("bare", { passwordHash: undefined });
    await app.signUp("dora", { status: "deleted" });
    await register(app, "walt");
    assert.deepEqual(await time("ann", OTHER), [401, 40]);
    await importUser(app, "ivan");
    for (const [name, password] of [
      ["ivan", OTHER],
      ["ivan@example.org", OTHER],
      ["ann", OTHER],
      ["nobody", PASSWORD],
      ["bare", PASSWORD],
      ["dora", PASSWORD],
      ["walt", OTHER],
    ] as const)
      assert.deepEqual([name, await time(name, password)], [name, [401, FLOOR_MS]]);
    assert.deepEqual(await time("walt", PASSWORD), [403, FLOOR_MS]);
    assert.deepEqual(await time("ivan", PASSWORD, "me/restore"), [401, FLOOR_MS]);
    for (let failures = 0; failures < 6; failures += 1)
      assert.deepEqual(await time("bob", OTHER), [401, FLOOR_MS]);
    assert.deepEqual(await time("ann", PASSWORD), [200, 20]);
  });

  it("blocks no one: neither the account's turn nor a hash is held", async () => {
    let answer = (): void => assert.fail("It did not wait");
    let wait = (): void => undefined;
    const isWaiting = new Promise<void>((resolve) => {
      wait = resolve;
    });
    const app = await createTestApp({
      store,
      hasher: cheap,
      pause: () => {
        wait();
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    });
    await importUser(app, "ivan");
    const failed = logIn(app, "ivan", OTHER);
    await Promise.race([isWaiting, failed]);
    assert.deepEqual([cheap.queue.running(), cheap.queue.waiting()], [0, 0]);
    assert.equal((await logIn(app, "ivan")).status, 200);
    answer();
    assert.equal((await failed).status, 401);
  });

  it("is answered at once again when the last one was replaced", async () => {
    const { app, isDelayed } = await createPaused();
    await addAccounts(app, 600);
    await importUser(app, "ivan");
    await importUser(app, "olga");
    assert.equal(await isDelayed(), true);
    assert.equal((await logIn(app, "olga")).status, 200);
    // A full step: more accounts are looked at within a second.
    assert.ok((await app.auth.sweep()) >= 200);
    assert.equal(await app.auth.sweep(), 0);
    assert.equal(await isDelayed(), true);
    assert.equal((await logIn(app, "ivan")).status, 200);
    await app.auth.sweep();
    assert.equal(await isDelayed(), false);
  });

  it("is delayed when an import came while the accounts were looked at", async () => {
    const { app, isDelayed } = await createPaused();
    await addAccounts(app, 600);
    await app.auth.sweep();
    // Of 1970: it comes before all that were checked.
    await importUser(app, "ivan", { createdAt: 1 });
    for (let sweeps = 0; sweeps < 4; sweeps += 1) await app.auth.sweep();
    assert.equal(await isDelayed(), true);
  });

  it("is not delayed for hashes like ours, nor for a trial", async () => {
    const { app, isDelayed } = await createPaused();
    await importUser(app, "ann", { passwordHash: await cheap.hash(PASSWORD) });
    await importUser(app, "ivan", {}, "?dryRun=true");
    assert.equal(await isDelayed(), false);
  });

  it("is delayed over the store of an older release until it was found that there are none", async () => {
    const older = createMemoryStore({ collections: authCollections });
    const { app, isDelayed } = await createPaused({ store: older });
    await addAccounts(app, 600);
    await assertSecret(older, createSecretBox("a secret of the test suite, long enough"), authSecretCheck);
    assert.equal(await isDelayed(), true);
    await app.auth.sweep();
    assert.equal(await isDelayed(), true);
    await app.auth.sweep();
    assert.equal(await isDelayed(), false);
  });

  it("is delayed after a start that finds an unrecorded one", async () => {
    const first = await createPaused();
    await first.app.signUp("ivan", { passwordHash: foreign });
    const { app, isDelayed } = await createPaused();
    assert.equal(await isDelayed(), false);
    await app.auth.sweep();
    assert.equal(await isDelayed(), true);
  });
});
