import assert from "node:assert/strict";
import { pbkdf2Sync } from "node:crypto";
import { describe, it } from "node:test";
import { hash as hashBcrypt } from "@node-rs/bcrypt";
import fc from "fast-check";
import { parsePasswordHash, verifyPasswordHash } from "../../../src/auth/base/hashing/foreign-hash.ts";

async function verify(password: string, text: string): Promise<boolean> {
  const hash = parsePasswordHash(text);
  assert.ok(hash, `"${text}" is not known`);
  return verifyPasswordHash(password, hash);
}

const unpadded = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64").replace(/=+$/u, "");
const fromHex = (hex: string): string => unpadded(Buffer.from(hex, "hex"));
const fromText = (text: string): string => unpadded(Buffer.from(text));

interface Vector {
  readonly source: string;
  readonly password: string;
  readonly text: string;
}

const insecureSecret =
  "$pbkdf2-sha512$310000$c8p78n7pUMln0jzvd4aK4Q$JNRBzwAo0ek5qKn50cFzzvE9RXV88h1wJn5KGiHrD0YKtZaR/nCb2CJPOsKaPK0hjf.9yHxzQGZziziccp6Yng";
const jBcryptA = "$2a$06$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe";
const argon2id = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
const longSalt = fromText("saltSALTsaltSALTsaltSALTsaltSALTsalt");

const vectors: readonly Vector[] = [
  { source: "argon2 reference test.c, id version 19", password: "password", text: argon2id },
  {
    source: "argon2 reference test.c, i version 16 without v=",
    password: "password",
    text: "$argon2i$m=65536,t=2,p=1$c29tZXNhbHQ$9sTbSlTio3Biev89thdrlKKiCaYsjjYVJxGAL3swxpQ",
  },
  { source: "jBCrypt", password: "a", text: jBcryptA },
  { source: "jBCrypt as $2b$", password: "a", text: jBcryptA.replace("$2a$", "$2b$") },
  { source: "jBCrypt as $2y$", password: "a", text: jBcryptA.replace("$2a$", "$2y$") },
  {
    source: "jBCrypt, empty password",
    password: "",
    text: "$2a$06$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s.",
  },
  {
    source: "jBCrypt, three letters",
    password: "abc",
    text: "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i",
  },
  {
    source: "crypt_blowfish, what follows 72 bytes is cut",
    password:
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789chars after 72 are ignored",
    text: "$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui",
  },
  {
    source: "RFC 7914 section 12, third scrypt vector",
    password: "pleaseletmein",
    text: `$scrypt$ln=14,r=8,p=1$${fromText("SodiumChloride")}$${fromHex(
      "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887",
    )}`,
  },
  {
    source: "passlib documentation, scrypt",
    password: "password",
    text: "$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD+iCs5E",
  },
  {
    source: "RFC 6070's fifth input with SHA-256",
    password: "passwordPASSWORDpassword",
    text: `$pbkdf2-sha256$i=4096$${longSalt}$${fromHex(
      "348c89dbcbd32b2f32d814b8116e84cf2b17347ebc1800181c4e2a1fb8dd53e1c635518c7dac47e9",
    )}`,
  },
  {
    source: "RFC 6070's fifth input with SHA-256, as a PHC string with the length",
    password: "passwordPASSWORDpassword",
    text: `$pbkdf2-sha256$i=4096,l=40$${longSalt}$${fromHex(
      "348c89dbcbd32b2f32d814b8116e84cf2b17347ebc1800181c4e2a1fb8dd53e1c635518c7dac47e9",
    )}`,
  },
  {
    source: "RFC 6070's fifth input with SHA-512",
    password: "passwordPASSWORDpassword",
    text: `$pbkdf2-sha512$i=4096$${longSalt}$${fromHex(
      "8c0511f4c6e597c6ac6315d8f0362e225f3c501495ba23b868c005174dc4ee71115b59f9e60cd9532fa33e0f75aefe30225c583a186cd82bd4daea9724a3d3b8",
    )}`,
  },
  {
    source: "tests of passlib, pbkdf2_sha256",
    password: "password",
    text: "$pbkdf2-sha256$1212$4vjV83LKPjQzk31VI4E0Vw$hsYF68OiOUPdDZ1Fg.fJPeq1h/gXXY7acBp9/6c.tmQ",
  },
  { source: "Authelia documentation, passlib's alphabet", password: "insecure_secret", text: insecureSecret },
  {
    source: "Django's tests",
    password: "lètmein",
    text: "pbkdf2_sha256$36000$seasalt2$QkIBVCvGmTmyjPJ5yox2y/jQB8isvgUNK98FxOU1UYo=",
  },
];

describe("verifyPasswordHash", () => {
  for (const { source, password, text } of vectors) {
    it(`knows the password of a published hash and no other: ${source}`, async () => {
      assert.equal(await verify(password, text), true);
      assert.equal(await verify(`x${password}`, text), false);
    });
  }

  it("reads a dot as a plus in the older alphabet", async () => {
    assert.equal(await verify("insecure_secret", insecureSecret.replaceAll(".", "+")), true);
  });

  it("takes hashes of any length: what differs in one bit, or is a beginning, is no match", async () => {
    const salt = Buffer.from("12345678");
    for (const length of [16, 20, 33, 64, 100]) {
      const key = pbkdf2Sync("password", salt, 1_000, length, "sha256");
      const text = (bytes: Uint8Array): string => `$pbkdf2-sha256$1000$${unpadded(salt)}$${unpadded(bytes)}`;
      assert.equal(await verify("password", text(key)), true);
      const changed = Buffer.from(key);
      changed[length - 1] = (changed[length - 1] ?? 0) ^ 1;
      assert.equal(await verify("password", text(changed)), false);
      assert.equal(await verify("password", text(Buffer.concat([key, Buffer.alloc(4)]))), false);
    }
  });

  it("cuts a password at 72 bytes for bcrypt, not at 72 characters", async () => {
    const text = await hashBcrypt("é".repeat(40), 4);
    assert.equal(await verify("é".repeat(36), text), true);
    assert.equal(await verify("é".repeat(35), text), false);
  });

  it("tells passwords apart that differ after a zero", async () => {
    assert.equal(await verify("a\0b", jBcryptA), false);
  });
});

const salt = fromText("12345678");
const key = unpadded(Buffer.alloc(32, 7));
const argon2 = (settings: string): string => `$argon2id$v=19$${settings}$${salt}$${key}`;
const bcrypt = (cost: string): string => jBcryptA.replace("$06$", `$${cost}$`);
const scrypt = (settings: string): string => `$scrypt$${settings}$${salt}$${key}`;

/** The dearest and the shortest that are allowed. */
const known: readonly string[] = [
  argon2("m=131072,t=1,p=1"),
  argon2("m=64,t=16,p=8"),
  argon2("m=64,t=1,p=1").replace("argon2id", "argon2d"),
  bcrypt("04"),
  bcrypt("14"),
  scrypt("ln=17,r=8,p=1"),
  scrypt("ln=17,r=8,p=4"),
  scrypt("ln=15,r=1,p=1"),
  scrypt("ln=1,r=1,p=1"),
  `$pbkdf2-sha256$5000000$${salt}$${key}`,
  `$pbkdf2-sha256$i=1$${salt}$${unpadded(Buffer.alloc(16))}`,
  `$pbkdf2-sha512$2500000$${salt}$${unpadded(Buffer.alloc(128))}`,
  `pbkdf2_sha256$5000000$12345678$${key}=`,
];

const unknown: readonly string[] = [
  "",
  " ",
  "password",
  "$",
  "$$$$$",
  "5f4dcc3b5aa765d61d8327deb882cf99",
  "$1$salt$qJH7.N4xYta3aEG/dfqo/0",
  "!unusable",
  ...["m=131073,t=1,p=1", "m=64,t=17,p=1", "m=1024,t=1,p=9", "m=4294967295,t=1,p=1"].map(argon2),
  ...["m=7,t=1,p=1", "m=0,t=1,p=1", "m=64,t=0,p=1", "m=64,t=1,p=0", "m=15,t=1,p=2"].map(argon2),
  ...["m=64,t=1", "t=1,m=64,p=1", "m=064,t=1,p=1", "m=64,t=1,p=1,keyid=AAAA", "m=6e1,t=1,p=1"].map(argon2),
  argon2("m=64,t=1,p=1").replace("v=19", "v=18"),
  argon2("m=64,t=1,p=1").replace(salt, fromText("1234567")),
  argon2("m=64,t=1,p=1").replace(key, unpadded(Buffer.alloc(15))),
  `${argon2("m=64,t=1,p=1")}=`,
  `${argon2("m=64,t=1,p=1")}\n`,
  ` ${argon2("m=64,t=1,p=1")}`,
  argon2("m=64,t=1,p=1").replace("argon2id", "argon2x"),
  ...["03", "15", "31", "99", "6", "+6", "00"].map(bcrypt),
  jBcryptA.replace("$2a$", "$2x$"),
  jBcryptA.replace("$2a$", "$2$"),
  jBcryptA.slice(0, -1),
  `${jBcryptA}e`,
  `${jBcryptA}\n`,
  `${jBcryptA.slice(0, -1)}f`, // bits that no encoder writes
  ...["ln=18,r=8,p=1", "ln=17,r=9,p=1", "ln=17,r=8,p=5", "ln=1,r=1,p=9999999", "ln=63,r=8,p=1"].map(scrypt),
  ...["ln=16,r=1,p=1", "ln=0,r=8,p=1", "ln=4,r=0,p=1", "ln=4,r=8,p=0", "ln=9999999999,r=8,p=1"].map(scrypt),
  scrypt("ln=4,r=8,p=1").replace(salt, fromText("1234567")),
  scrypt("ln=4,r=8,p=1").replace(key, unpadded(Buffer.alloc(15))),
  scrypt("ln=4,r=8,p=1").replace(key, `${key.slice(0, -1)}d`), // bits that no encoder writes
  scrypt("ln=4,r=8,p=1").replace(key, `${key}AA`),
  `$pbkdf2-sha256$5000001$${salt}$${key}`,
  `$pbkdf2-sha256$0$${salt}$${key}`,
  `$pbkdf2-sha256$-1$${salt}$${key}`,
  `$pbkdf2-sha256$2500001$${salt}$${unpadded(Buffer.alloc(64))}`, // two blocks
  `$pbkdf2-sha256$1$${salt}$${unpadded(Buffer.alloc(600))}`,
  `$pbkdf2-sha256$1$${fromText("1234567")}$${key}`,
  `$pbkdf2-sha1$1000$${salt}$${key}`,
  `$pbkdf2-md5$1000$${salt}$${key}`,
  `pbkdf2_sha256$5000001$12345678$${key}=`,
  `pbkdf2_sha256$1000$1234567$${key}=`,
  `pbkdf2_sha256$1000$12345678$${key}`,
  `pbkdf2_sha256$1000$1234 5678$${key}=`,
  `pbkdf2_sha256$1000$12345678$${key}==`,
  "x".repeat(1_000_000),
  `$scrypt$ln=4,r=8,p=1$${"A".repeat(1_000_000)}$${key}`,
];

describe("parsePasswordHash", () => {
  for (const text of known) {
    it(`accepts values at a bound: ${text.slice(0, 40)}`, () => {
      assert.ok(parsePasswordHash(text));
    });
  }

  for (const text of unknown) {
    it(`takes nothing malformed or beyond a bound: ${JSON.stringify(text.slice(0, 40))} (${text.length})`, () => {
      assert.equal(parsePasswordHash(text), undefined);
    });
  }

  it("never throws, and what it takes can be checked, whatever one character becomes", async () => {
    const cheap = [
      argon2("m=64,t=1,p=1"),
      "$2a$04$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe",
      scrypt("ln=4,r=8,p=1"),
      `$pbkdf2-sha256$i=10$${salt}$${key}`,
      `pbkdf2_sha256$10$12345678$${key}=`,
    ];
    const cases = fc.tuple(fc.constantFrom(...cheap), fc.nat(), fc.string({ maxLength: 1, unit: "binary" }));
    await fc.assert(
      fc.asyncProperty(cases, async ([text, place, character]) => {
        const at = place % text.length;
        const hash = parsePasswordHash(text.slice(0, at) + character + text.slice(at + 1));
        // A digit more in the settings is allowed to cost; here it only has to be read.
        if (hash !== undefined && at > 30)
          assert.equal(typeof (await verifyPasswordHash("x", hash)), "boolean");
      }),
      { numRuns: 500, seed: 1 },
    );
  });
});
