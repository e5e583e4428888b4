import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findTotpStep, newTotpSecret, toTotpUri } from "../../../src/auth/second-factor/totp.ts";

/** RFC 6238 appendix B: the ASCII text "12345678901234567890". */
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

/** Seconds since 1970, the 8 digits of the table, and its T. */
const vectors = [
  [59, "94287082", 0x1],
  [1_111_111_109, "07081804", 0x23523ec],
  [1_111_111_111, "14050471", 0x23523ed],
  [1_234_567_890, "89005924", 0x273ef07],
  [2_000_000_000, "69279037", 0x3f940aa],
  [20_000_000_000, "65353130", 0x27bc86aa],
] as const;

describe("findTotpStep", () => {
  for (const [seconds, digits, step] of vectors) {
    it(`agrees with RFC 6238 appendix B at ${seconds} s`, () => {
      assert.equal(findTotpStep({ secret, code: digits.slice(-6), nowMs: seconds * 1_000 }), step);
    });
  }

  it("takes a code one step early and one step late, always with its own step, and no further", () => {
    const [seconds, digits, step] = vectors[3];
    const start = Math.floor(seconds / 30) * 30_000;
    const find = (nowMs: number): number | undefined =>
      findTotpStep({ secret, code: digits.slice(-6), nowMs });
    assert.equal(find(start - 30_001), undefined);
    assert.equal(find(start - 30_000), step);
    assert.equal(find(start), step);
    assert.equal(find(start + 29_999), step);
    assert.equal(find(start + 59_999), step);
    assert.equal(find(start + 60_000), undefined);
  });

  it("reads over spaces", () => {
    for (const code of ["287082", "287 082", " 287082 ", "2 8 7 0 8 2"])
      assert.equal(findTotpStep({ secret, code, nowMs: 59_000 }), 1, JSON.stringify(code));
  });

  it("finds nothing for what is no code of six digits", () => {
    for (const code of [
      "",
      "287083",
      "28708",
      "2870820",
      "94287082",
      "287082\n",
      "287\t082",
      "287-082",
      "0x4618a",
      "２８７０８２",
      "٢٨٧٠٨٢",
      "-87082",
      "2e7082",
      "x".repeat(1_000_000),
    ]) {
      assert.equal(findTotpStep({ secret, code, nowMs: 59_000 }), undefined, code.slice(0, 20));
    }
  });

  it("takes the secret of an app that shows it in small letters", () => {
    assert.equal(findTotpStep({ secret: secret.toLowerCase(), code: "287082", nowMs: 59_000 }), 1);
  });

  it("finds nothing at times beyond reason, and does not throw", () => {
    const times = [
      Number.NaN,
      Infinity,
      -Infinity,
      1e300,
      -1e300,
      -1e15,
      -30_001,
      Number.MAX_SAFE_INTEGER * 30_000,
    ];
    // The code of counter 0, which the library also gives for what is no counter, and the one it gives for -1.
    for (const code of ["755224", "094451", "000000"])
      for (const nowMs of times)
        assert.equal(findTotpStep({ secret, code, nowMs }), undefined, `${code} at ${nowMs}`);
  });

  it("knows step 0, and the step after it from before 1970", () => {
    // RFC 4226 appendix D: counters 0 and 1 of the same secret.
    assert.equal(findTotpStep({ secret, code: "755224", nowMs: 0 }), 0);
    assert.equal(findTotpStep({ secret, code: "755224", nowMs: -1 }), 0);
    assert.equal(findTotpStep({ secret, code: "287082", nowMs: 0 }), 1);
    assert.equal(findTotpStep({ secret, code: "287082", nowMs: -1 }), undefined);
    assert.equal(findTotpStep({ secret, code: "094451", nowMs: 0 }), undefined); // what the library gives for -1
  });

  it("refuses a secret that is none, or so short that its codes could be worked out", () => {
    for (const broken of ["", "GEZDGNBVGY3TQOJQ", "not base32!"])
      assert.throws(() => findTotpStep({ secret: broken, code: "287082", nowMs: 59_000 }));
  });
});

describe("newTotpSecret", () => {
  it("has 20 random bytes in base32", () => {
    const secrets = Array.from({ length: 100 }, () => newTotpSecret());
    assert.equal(new Set(secrets).size, 100);
    for (const text of secrets) assert.match(text, /^[A-Z2-7]{32}$/u);
  });
});

describe("toTotpUri", () => {
  it("names issuer, account and settings", () => {
    assert.equal(
      toTotpUri({ secret, issuer: "Trivet", account: "ada@example.org" }),
      `otpauth://totp/Trivet:ada%40example.org?issuer=Trivet&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
  });

  it("keeps every character of the names apart from those of the address", () => {
    const issuer = "Ärger & Söhne: 100% #1?";
    const account = "a/b:c?secret=X&d=é +🔑@example.org";
    const uri = new URL(toTotpUri({ secret, issuer, account }));
    assert.equal(uri.searchParams.get("issuer"), issuer);
    assert.deepEqual(uri.searchParams.getAll("secret"), [secret]);
    assert.equal(uri.hash, "");
    const [path] = uri.href.slice("otpauth://totp/".length).split("?");
    assert.deepEqual(path?.split(":").map(decodeURIComponent), [issuer, account]);
  });

  it("refuses a secret that is none", () => {
    assert.throws(() => toTotpUri({ secret: "GEZA", issuer: "Trivet", account: "ada" }), RangeError);
  });
});
