import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { describe, it } from "node:test";
import { AppError } from "../../../src/kit/errors.ts";
import {
  createPasswordHasher,
  defaultArgon2Cost,
  toHashPlaces,
} from "../../../src/auth/base/hashing/password-hash.ts";

const cost = { memoryKiB: 64, passes: 1, lanes: 1 };

describe("createPasswordHasher", () => {
  it("creates argon2id of 19 MiB, t=2, p=1 by default", async () => {
    const hasher = createPasswordHasher();
    const phc = await hasher.hash("correct horse");
    assert.match(phc, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/u);
    assert.equal(await hasher.verify("correct horse", phc), true);
    assert.equal(hasher.isOutdated(phc), false);
    assert.deepEqual(defaultArgon2Cost, { memoryKiB: 19_456, passes: 2, lanes: 1 });
  });

  it("knows a password again, and no other", async () => {
    const hasher = createPasswordHasher({ cost });
    for (const password of ["correct horse", "", "pässwörd 密码 🔑", "a\0b", "x".repeat(10_000)]) {
      const phc = await hasher.hash(password);
      assert.equal(await hasher.verify(password, phc), true);
      assert.equal(await hasher.verify(`${password}.`, phc), false);
    }
    assert.equal(await hasher.verify("a\0c", await hasher.hash("a\0b")), false);
    assert.equal(await hasher.verify("CORRECT HORSE", await hasher.hash("correct horse")), false);
  });

  it("salts: the same password never gives the same hash", async () => {
    const hasher = createPasswordHasher({ cost });
    const all = await Promise.all(Array.from({ length: 20 }, () => hasher.hash("same")));
    assert.equal(new Set(all).size, 20);
  });

  it("verifies imported hashes and calls them outdated", async () => {
    const hasher = createPasswordHasher({ cost });
    const imported = [
      ["a", "$2a$06$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe"],
      ["lètmein", "pbkdf2_sha256$36000$seasalt2$QkIBVCvGmTmyjPJ5yox2y/jQB8isvgUNK98FxOU1UYo="],
    ] as const;
    for (const [password, phc] of imported) {
      assert.equal(await hasher.verify(password, phc), true);
      assert.equal(await hasher.verify("other", phc), false);
      assert.equal(hasher.isKnown(phc), true);
      assert.equal(hasher.isOutdated(phc), true);
    }
  });

  it("answers false for a string that is no hash, or one that would burn minutes, without a turn in the queue", async () => {
    const hasher = createPasswordHasher({ cost, atOnce: 1, maxWaiting: 0 });
    const busy = hasher.hash("busy");
    const strings = [
      "",
      "x",
      "$argon2id$",
      `$2a$31$${"a".repeat(53)}`,
      `$argon2id$v=19$m=4194304,t=9,p=1$${"A".repeat(22)}$${"A".repeat(43)}`,
    ];
    for (const text of strings) {
      assert.equal(await hasher.verify("password", text), false);
      assert.equal(hasher.isKnown(text), false);
      assert.equal(hasher.isOutdated(text), true);
    }
    await busy;
  });

  it("calls outdated what is not argon2id with at least its own parameters", () => {
    const hasher = createPasswordHasher();
    const phc = (kind: string, settings: string, salt = 22, hash = 43): string =>
      `$${kind}$${settings}$${"A".repeat(salt)}$${"A".repeat(hash)}`;
    const fresh = ["v=19$m=19456,t=2,p=1", "v=19$m=65536,t=3,p=4", "v=19$m=19456,t=2,p=2"];
    for (const settings of fresh) assert.equal(hasher.isOutdated(phc("argon2id", settings)), false, settings);
    for (const settings of [
      "v=19$m=19455,t=2,p=1",
      "v=19$m=65536,t=1,p=1",
      "v=16$m=19456,t=2,p=1",
      "m=19456,t=2,p=1",
    ])
      assert.equal(hasher.isOutdated(phc("argon2id", settings)), true, settings);
    assert.equal(hasher.isOutdated(phc("argon2i", "v=19$m=65536,t=3,p=1")), true);
    assert.equal(hasher.isOutdated(phc("argon2d", "v=19$m=65536,t=3,p=1")), true);
    assert.equal(hasher.isOutdated(phc("argon2id", "v=19$m=19456,t=2,p=1", 11)), true);
    assert.equal(hasher.isOutdated(phc("argon2id", "v=19$m=19456,t=2,p=1", 22, 22)), true);
    const dearer = createPasswordHasher({ cost: { memoryKiB: 19_456, passes: 2, lanes: 2 } });
    assert.equal(dearer.isOutdated(phc("argon2id", "v=19$m=19456,t=2,p=1")), true);
  });

  it("tells hashes that take as long to check as its own from all others, weaker and stronger", () => {
    const hasher = createPasswordHasher();
    const phc = (kind: string, settings: string): string =>
      `$${kind}$${settings}$${"A".repeat(22)}$${"A".repeat(43)}`;
    assert.equal(hasher.isOwnCost(phc("argon2id", "v=19$m=19456,t=2,p=1")), true);
    for (const other of [
      phc("argon2id", "v=19$m=19455,t=2,p=1"),
      phc("argon2id", "v=19$m=65536,t=2,p=1"),
      phc("argon2id", "v=19$m=19456,t=3,p=1"),
      phc("argon2id", "v=16$m=19456,t=2,p=1"),
      phc("argon2i", "v=19$m=19456,t=2,p=1"),
      "$2a$06$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe",
      "no hash",
    ])
      assert.equal(hasher.isOwnCost(other), false, other);
  });

  it("runs as many as told, lets so many wait and refuses the rest with a time to come back", async () => {
    const hasher = createPasswordHasher({ cost, atOnce: 2, maxWaiting: 3 });
    const calls = Array.from({ length: 9 }, (_, index) => hasher.hash(`password ${index}`));
    assert.deepEqual([hasher.queue.running(), hasher.queue.waiting()], [2, 3]);
    const results = await Promise.allSettled(calls);
    const refused = results.flatMap((result) =>
      result.status === "rejected" ? [result.reason as unknown] : [],
    );
    assert.equal(refused.length, 4);
    for (const error of refused) {
      assert.ok(error instanceof AppError);
      assert.deepEqual([error.code, error.retryAfterSeconds], ["unavailable", 1]);
    }
    assert.deepEqual([hasher.queue.running(), hasher.queue.waiting()], [0, 0]);
  });

  it("has a place for each core, one more where that leaves a thread for files", () => {
    assert.deepEqual([1, 2, 3, 4, 16].map(toHashPlaces), [2, 3, 3, 4, 16]);
  });

  it("has those places and 64 to wait unless told", async () => {
    const hasher = createPasswordHasher({ cost });
    const places = toHashPlaces(availableParallelism());
    const calls = Array.from({ length: places + 65 }, () => hasher.hash("x"));
    assert.deepEqual([hasher.queue.running(), hasher.queue.waiting()], [places, 64]);
    const results = await Promise.allSettled(calls);
    assert.equal(results.filter(({ status }) => status === "rejected").length, 1);
  });

  it("refuses a cost at which it could not check its own hashes", () => {
    for (const changed of [
      { memoryKiB: 131_073 },
      { memoryKiB: 7 },
      { passes: 0 },
      { passes: 17 },
      { lanes: 9 },
      { lanes: 1.5 },
    ])
      assert.throws(() => createPasswordHasher({ cost: { ...cost, ...changed } }), RangeError);
  });
});
