import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createSecretCheck, hashSecret, newAdminToken } from "../../src/kit/secrets/admin-token.ts";
import { newId, newSecret } from "../../src/kit/secrets/id.ts";

describe("newId", () => {
  it("is a prefix, ten characters of time and sixteen of chance, safe in URLs", () => {
    const id = newId("srv");
    assert.match(id, /^srv_[0-9a-hjkmnp-tv-z]{26}$/u);
    assert.equal(encodeURIComponent(id), id);
  });

  it("sorts by time, up to the last 48-bit millisecond", () => {
    const times = [
      0,
      1,
      31,
      32,
      Date.UTC(2026, 0, 1),
      Date.UTC(2026, 0, 1) + 1,
      Date.UTC(2100, 0, 1),
      2 ** 48 - 1,
    ];
    const ids = times.map((time) => newId("x", time));
    assert.deepEqual([...ids].sort(), ids);
    assert.match(newId("x", 2 ** 48 - 1), /^x_7zzzzzzzzz/u);
  });

  it("does not repeat", () => {
    assert.equal(new Set(Array.from({ length: 10_000 }, () => newId("x", 5))).size, 10_000);
  });
});

describe("newSecret and newAdminToken", () => {
  it("carry as many random bytes as asked, in base64url", () => {
    assert.match(newSecret("agt"), /^agt_[\w-]{43}$/u);
    assert.match(newSecret("c", 10), /^c_[\w-]{14}$/u);
    assert.match(newAdminToken(), /^adm_[\w-]{43}$/u);
    assert.notEqual(newAdminToken(), newAdminToken());
  });
});

describe("createSecretCheck", () => {
  it("knows each of its secrets and no other, whatever the length", () => {
    const isKnown = createSecretCheck([hashSecret("first"), hashSecret("second")]);
    assert.equal(isKnown("first"), true);
    assert.equal(isKnown("second"), true);
    for (const other of [
      "",
      "f",
      "First",
      "first ",
      "firstsecond",
      "x".repeat(1_000_000),
      "\ud800",
      hashSecret("first"),
    ]) {
      assert.equal(isKnown(other), false);
    }
    assert.equal(isKnown(undefined), false);
  });

  it("rejects all without secrets, or with the hash of an empty one", () => {
    assert.equal(createSecretCheck([])("x"), false);
    const careless = createSecretCheck([hashSecret("")]);
    assert.equal(careless(""), false);
    assert.equal(careless(undefined), false);
  });

  it("throws for what is no hash", () => {
    assert.throws(() => createSecretCheck(["secret in plain text"]), /64 hex digits/u);
  });

  it("hashes as SHA-256 does (FIPS 180-2, appendix B.1)", () => {
    assert.equal(hashSecret("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});
