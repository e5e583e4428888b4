/**
 * Password hashes as texts, our own and those that were made elsewhere and imported: argon2, bcrypt, scrypt and
 * PBKDF2.
 */
import { pbkdf2, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { parseOptions as parseArgon2, verify as verifyArgon2 } from "@node-rs/argon2";
import { verify as verifyBcrypt } from "@node-rs/bcrypt";

// An import must not be able to plant a hash that burns minutes: these keep a check under about 6 s.
const LONGEST_TEXT = 512;
const LEAST_SALT_BYTES = 8;
const LEAST_HASH_BYTES = 16;
const MOST_ARGON2_KIB = 128 * 1024;
const MOST_ARGON2_PASSES = 16;
const MOST_ARGON2_LANES = 8;
const MOST_BCRYPT_COST = 14;
const MOST_SCRYPT_BYTES = 128 * 1024 * 1024;
/** Memory times `p`: lanes run one after the other, so memory alone would not bound the time. */
const MOST_SCRYPT_WORK_BYTES = 4 * MOST_SCRYPT_BYTES;
/** Over all blocks of the hash: one longer than the digest costs the iterations again for each block. */
const MOST_PBKDF2_ITERATIONS = 5_000_000;

interface Argon2Hash {
  readonly scheme: "argon2";
  readonly text: string;
  readonly variant: "id" | "i" | "d";
  /** 16 (0x10) or 19 (0x13, RFC 9106). */
  readonly revision: number;
  readonly memoryKiB: number;
  readonly passes: number;
  readonly lanes: number;
  readonly saltBytes: number;
  readonly hashBytes: number;
}

interface BcryptHash {
  readonly scheme: "bcrypt";
  readonly text: string;
}

interface DerivedKey {
  readonly salt: Buffer;
  readonly key: Buffer;
}

interface ScryptHash extends DerivedKey {
  readonly scheme: "scrypt";
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
}

interface Pbkdf2Hash extends DerivedKey {
  readonly scheme: "pbkdf2";
  readonly digest: "sha256" | "sha512";
  readonly iterations: number;
}

/** A password hash that was read and can be checked at a bearable cost. */
export type PasswordHash = Argon2Hash | BcryptHash | ScryptHash | Pbkdf2Hash;

const number = "([1-9][0-9]{0,9})";
const base64 = "([A-Za-z0-9+/]+)";
/** passlib writes "." for "+". */
const anyBase64 = "([A-Za-z0-9+/.]+)";

// PHC strings (github.com/P-H-C/phc-string-format); argon2 without "v=" is of before version 19.
const argon2Form = new RegExp(
  `^\\$argon2(id|i|d)(?:\\$v=(16|19))?\\$m=${number},t=${number},p=${number}\\$${base64}\\$${base64}$`,
  "u",
);
// The cost, 22 characters of salt, 31 of hash. $2x$ is left out: it marks hashes of a faulty library.
/** 16 bytes of salt and 23 of hash in bcrypt's own base64, whose last characters have bits that must be 0. */
const bcryptForm =
  /^\$2[aby]\$(0[4-9]|[1-3][0-9])\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/u;
const scryptForm = new RegExp(
  `^\\$scrypt\\$ln=${number},r=${number},p=${number}\\$${anyBase64}\\$${anyBase64}$`,
  "u",
);
const pbkdf2Form = new RegExp(
  `^\\$pbkdf2-(sha256|sha512)\\$(?:i=)?${number}(?:,l=${number})?\\$${anyBase64}\\$${anyBase64}$`,
  "u",
);
// The salt of Django is used as the text that it is.
const djangoForm = new RegExp(`^pbkdf2_(sha256|sha512)\\$${number}\\$([!#-~]+)\\$([A-Za-z0-9+/]+=*)$`, "u");

/** Reads base64 without padding; undefined unless writing it gives the same text again. */
function fromBase64(text: string): Buffer | undefined {
  const plain = text.replaceAll(".", "+");
  const bytes = Buffer.from(plain, "base64");
  return bytes.toString("base64").replace(/={1,2}$/u, "") === plain ? bytes : undefined;
}

function toDerivedKey(salt: Buffer | undefined, key: Buffer | undefined): DerivedKey | undefined {
  if (salt === undefined || salt.length < LEAST_SALT_BYTES) return undefined;
  if (key === undefined || key.length < LEAST_HASH_BYTES) return undefined;
  return { salt, key };
}

/** The library's result, or undefined if it throws: only the library decides what it can check. */
function attempt<R>(read: () => R): R | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function readArgon2(text: string): Argon2Hash | undefined {
  const [, variant, revision, memory, passes, lanes] = argon2Form.exec(text) ?? [];
  if (variant !== "id" && variant !== "i" && variant !== "d") return undefined;
  if (Number(memory) > MOST_ARGON2_KIB || Number(passes) > MOST_ARGON2_PASSES) return undefined;
  if (Number(lanes) > MOST_ARGON2_LANES) return undefined;
  const options = attempt(() => parseArgon2(text));
  if (options === undefined) return undefined;
  if (options.saltLen < LEAST_SALT_BYTES || options.outputLen < LEAST_HASH_BYTES) return undefined;
  return {
    scheme: "argon2",
    text,
    variant,
    revision: Number(revision ?? 16),
    memoryKiB: options.memoryCost,
    passes: options.timeCost,
    lanes: options.parallelism,
    saltBytes: options.saltLen,
    hashBytes: options.outputLen,
  };
}

function readBcrypt(text: string): BcryptHash | undefined {
  const [, cost] = bcryptForm.exec(text) ?? [];
  if (cost === undefined || Number(cost) > MOST_BCRYPT_COST) return undefined;
  return { scheme: "bcrypt", text };
}

function readScrypt(text: string): ScryptHash | undefined {
  const [, ln, r, p, salt, key] = scryptForm.exec(text) ?? [];
  if (salt === undefined || key === undefined) return undefined;
  const blockSize = Number(r);
  const parallelization = Number(p);
  const cost = 2 ** Number(ln);
  if (Number(ln) >= 16 * blockSize) return undefined; // RFC 7914 section 6: N < 2^(128 * r / 8)
  const bytes = 128 * cost * blockSize;
  if (bytes > MOST_SCRYPT_BYTES || bytes * parallelization > MOST_SCRYPT_WORK_BYTES) return undefined;
  const derived = toDerivedKey(fromBase64(salt), fromBase64(key));
  return derived && { scheme: "scrypt", cost, blockSize, parallelization, ...derived };
}

function readPbkdf2(text: string): Pbkdf2Hash | undefined {
  const django = djangoForm.exec(text);
  const phc = django ?? pbkdf2Form.exec(text) ?? [];
  const [digest, rounds] = phc.slice(1);
  const [salt, key] = phc.slice(-2);
  if ((digest !== "sha256" && digest !== "sha512") || salt === undefined || key === undefined)
    return undefined;
  const bytes = django === null ? fromBase64(key) : fromPaddedBase64(key);
  const derived = toDerivedKey(django === null ? fromBase64(salt) : Buffer.from(salt, "utf8"), bytes);
  if (derived === undefined) return undefined;
  // PHC strings may say how long the hash is; the hash says it too.
  const length = django === null ? phc[3] : undefined;
  if (length !== undefined && Number(length) !== derived.key.length) return undefined;
  const iterations = Number(rounds);
  const blocks = Math.ceil(derived.key.length / (digest === "sha256" ? 32 : 64));
  if (iterations * blocks > MOST_PBKDF2_ITERATIONS) return undefined;
  return { scheme: "pbkdf2", digest, iterations, ...derived };
}

function fromPaddedBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}

/**
 * Reads the text of a password hash; undefined when it is malformed, of no scheme known here, or beyond
 * the bounds: argon2 128 MiB, 16 passes, 8 lanes; bcrypt cost 14; scrypt 128 MiB, and 512 MiB times `p`;
 * PBKDF2 5,000,000 iterations; salt at least 8 bytes and hash at least 16.
 */
export function parsePasswordHash(text: string): PasswordHash | undefined {
  if (text.length > LONGEST_TEXT) return undefined;
  return readArgon2(text) ?? readBcrypt(text) ?? readScrypt(text) ?? readPbkdf2(text);
}

const pbkdf2Key = promisify(pbkdf2);

function scryptKey(password: string, hash: ScryptHash): Promise<Buffer> {
  const { cost, blockSize, parallelization } = hash;
  // Node refuses above 32 MiB unless told; the bound on memory was kept when the hash was read.
  const maxmem = 128 * blockSize * (cost + parallelization + 2);
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, key: Buffer): void => {
      if (error === null) resolve(key);
      else reject(error);
    };
    scrypt(password, hash.salt, hash.key.length, { cost, blockSize, parallelization, maxmem }, done);
  });
}

/** `timingSafeEqual` throws at unequal lengths; the length of a hash is no secret. */
function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/**
 * Whether a hash is one of this password, as the library that made it would say. Comparison takes
 * constant time. bcrypt sees only the first 72 bytes (UTF-8) of a password: a longer one is cut, as it
 * was when the hash was made, so everything that begins with those bytes is right.
 */
export async function verifyPasswordHash(password: string, hash: PasswordHash): Promise<boolean> {
  switch (hash.scheme) {
    case "argon2":
      return verifyArgon2(hash.text, password);
    case "bcrypt":
      return verifyBcrypt(password, hash.text);
    case "scrypt":
      return isSame(await scryptKey(password, hash), hash.key);
    case "pbkdf2": {
      const { salt, iterations, key, digest } = hash;
      return isSame(await pbkdf2Key(password, salt, iterations, key.length, digest), key);
    }
  }
}
