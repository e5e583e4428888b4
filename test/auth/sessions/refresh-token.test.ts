import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  deriveSuccessor,
  findFamilyId,
  newRefreshToken,
  newRotationNonce,
} from "../../../src/auth/sessions/refresh-token.ts";

/** All base64url characters: the last of 43 holds four bits of the 32 bytes and two that mean nothing. */
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

describe("newRefreshToken", () => {
  it("is ref_ and 32 random bytes", () => {
    assert.match(newRefreshToken(), /^ref_[\w-]{43}$/u);
    assert.equal(new Set(Array.from({ length: 1_000 }, newRefreshToken)).size, 1_000);
  });
});

describe("refresh tokens of earlier versions", () => {
  it("belong to the same family and have the same successors, so that people stay signed in after an upgrade", () => {
    const token = `ref_${Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString("base64url")}`;
    assert.equal(findFamilyId(token), "be45cb2605bf36bebde684841a28f0fd43c69850a3dce5fedba69928ee3a8991");
    assert.deepEqual(deriveSuccessor(token, "nonce"), {
      refreshToken: "ref_AAECAwQFBgcICQoLDA0OD4-TY4tsVwid4vsTqX1b8zw",
      accessToken: "acc_mhmCPd_0FR9GsUnaP0a_oeV97QzwMqhHslTKWBKsrUY",
    });
  });
});

describe("findFamilyId", () => {
  it("is the same for all tokens of a sign-in and differs between sign-ins", () => {
    const first = newRefreshToken();
    const second = deriveSuccessor(first, newRotationNonce()).refreshToken;
    const third = deriveSuccessor(second, newRotationNonce()).refreshToken;
    assert.match(findFamilyId(first) ?? "", /^[0-9a-f]{64}$/u);
    assert.equal(findFamilyId(second), findFamilyId(first));
    assert.equal(findFamilyId(third), findFamilyId(first));
    assert.notEqual(findFamilyId(newRefreshToken()), findFamilyId(first));
  });

  it("finds none in what is no refresh token", () => {
    const good = newRefreshToken();
    for (const bad of [
      "",
      "ref_",
      good.slice(0, -1),
      `${good}A`,
      `${good}=`,
      ` ${good}`,
      `${good}\n`,
      good.replace("ref_", "acc_"),
      good.replace("ref_", "REF_"),
      `ref_${"!".repeat(43)}`,
      "ref_".repeat(100_000),
    ])
      assert.equal(findFamilyId(bad), undefined, bad.slice(0, 60));
  });

  it("takes only one spelling of the last character", () => {
    const good = newRefreshToken();
    const spellings = Array.from(ALPHABET).map((last) => good.slice(0, -1) + last);
    const same = spellings.filter((token) =>
      Buffer.from(token.slice(4), "base64url").equals(Buffer.from(good.slice(4), "base64url")),
    );
    assert.equal(same.length, 4);
    assert.deepEqual(
      same.filter((token) => findFamilyId(token) !== undefined),
      [good],
    );
  });
});

describe("deriveSuccessor", () => {
  it("gives the same tokens for the same nonce, others for another nonce or another spent token", () => {
    const spent = newRefreshToken();
    const nonce = newRotationNonce();
    const once = deriveSuccessor(spent, nonce);
    assert.deepEqual(deriveSuccessor(spent, nonce), once);
    assert.match(once.refreshToken, /^ref_[\w-]{43}$/u);
    assert.match(once.accessToken, /^acc_[\w-]{43}$/u);
    const others = [deriveSuccessor(spent, newRotationNonce()), deriveSuccessor(newRefreshToken(), nonce)];
    for (const other of others) {
      assert.notEqual(other.refreshToken, once.refreshToken);
      assert.notEqual(other.accessToken, once.accessToken);
    }
  });

  it("needs the secret half: who knows the family and the nonce alone derives something else", () => {
    const spent = newRefreshToken();
    const nonce = newRotationNonce();
    const family = Buffer.from(spent.slice(4), "base64url").subarray(0, 16);
    const guessed = `ref_${Buffer.concat([family, Buffer.alloc(16)]).toString("base64url")}`;
    assert.notEqual(deriveSuccessor(guessed, nonce).accessToken, deriveSuccessor(spent, nonce).accessToken);
  });

  it("throws for what is no refresh token", () => {
    assert.throws(() => deriveSuccessor("ref_x", newRotationNonce()), /malformed/u);
  });
});
