/** The keys that tokens are signed with: one of each kind at a time, published before it signs and for long after. */
import { type JWTHeaderParameters, errors, exportJWK, generateKeyPair, importJWK } from "jose";
import { z } from "zod";
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import { writeAudit } from "../../records/audit.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { type SigningAlgorithm, signingAlgorithms } from "../applications/schema.ts";
import type { Actor } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { signingKeys } from "./records.ts";
import type { SigningKeyRecord } from "./schema.ts";

const DAY_MS = 86_400_000;
/** A key signs for 90 days, and is known for 30 more: ID tokens come back as hints at the sign-out. */
const SIGNS_MS = 90 * DAY_MS;
const OVERLAP_MS = 30 * DAY_MS;
/** A key is published so long before it takes over. */
const AHEAD_MS = 2 * DAY_MS;
/** The same where an administrator rotates: twice as long as applications may keep the key set. */
const PUBLISH_MS = 10 * 60_000;
const SEAL = "signing-key";
const MAX_KEYS = 100;
/** Of new RSA keys, in bits: 128 bits of security (NIST SP 800-57 part 1, table 2). Older keys have 2,048. */
const RSA_BITS = 3_072;
const jwkSchema = z.record(z.string(), z.string());

type CryptographicKey = Awaited<ReturnType<typeof importJWK>>;
type NewKey = Pick<SigningKeyRecord, "id" | "publicJwk" | "sealedPrivateJwk">;
type KeyDeps = Pick<AuthDeps, "store" | "clock" | "box">;

/** The newest first. */
async function listKeys(tx: ReadTx): Promise<readonly SigningKeyRecord[]> {
  return (await tx.list(signingKeys, "id", { limit: MAX_KEYS, reverse: true })).items;
}

function isOf(algorithm: SigningAlgorithm): (key: SigningKeyRecord) => boolean {
  return ({ publicJwk }) => publicJwk["alg"] === algorithm;
}

/** Finds the key that signs now. */
function findSigning(
  keys: readonly SigningKeyRecord[],
  algorithm: SigningAlgorithm,
  nowMs: number,
): SigningKeyRecord | undefined {
  return keys
    .filter(isOf(algorithm))
    .find(({ createdAt, signsFrom = createdAt, retiresAt }) => signsFrom <= nowMs && retiresAt > nowMs);
}

/** From when on a further key has to sign; undefined while there is no need of one. */
function findGap(
  keys: readonly SigningKeyRecord[],
  algorithm: SigningAlgorithm,
  nowMs: number,
): number | undefined {
  if (findSigning(keys, algorithm, nowMs) === undefined) return nowMs;
  const end = Math.max(...keys.filter(isOf(algorithm)).map(({ retiresAt }) => retiresAt));
  return end - nowMs < AHEAD_MS ? end : undefined;
}

/** Text members only, which is all that these keys have. */
function toTexts(jwk: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(jwk).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

async function generate({ clock, box }: KeyDeps, alg: SigningAlgorithm): Promise<NewKey> {
  const kind = alg === "EdDSA" ? { crv: "Ed25519" } : { modulusLength: RSA_BITS };
  const pair = await generateKeyPair(alg, { ...kind, extractable: true });
  const id = newId("key", clock.now());
  const publicJwk = { ...toTexts(await exportJWK(pair.publicKey)), kid: id, alg, use: "sig" };
  return {
    id,
    publicJwk,
    sealedPrivateJwk: box.seal(JSON.stringify(await exportJWK(pair.privateKey)), SEAL),
  };
}

function insertKey(tx: Tx, key: NewKey, { nowMs, signsFrom }: { nowMs: number; signsFrom: number }) {
  const retiresAt = signsFrom + SIGNS_MS;
  return tx.insert(signingKeys, {
    ...key,
    createdAt: nowMs,
    signsFrom,
    retiresAt,
    expiresAt: retiresAt + OVERLAP_MS,
  });
}

/** Creates what sees to it that there is a key, and soon enough the next one. */
function createMaker(deps: KeyDeps) {
  const { store, clock } = deps;
  const making = new Map<SigningAlgorithm, Promise<void>>();

  async function makeKey(alg: SigningAlgorithm): Promise<void> {
    const key = await generate(deps, alg);
    await store.transact(async (tx) => {
      const nowMs = clock.now();
      // Another process may have been faster.
      const signsFrom = findGap(await listKeys(tx), alg, nowMs);
      if (signsFrom !== undefined) await insertKey(tx, key, { nowMs, signsFrom });
    });
  }

  return (alg: SigningAlgorithm): Promise<void> => {
    const made = making.get(alg) ?? makeKey(alg).finally(() => making.delete(alg));
    making.set(alg, made);
    return made;
  };
}

function createRotate(deps: KeyDeps) {
  const { store, clock } = deps;
  return async ({ withdraw }: { withdraw: boolean }, actor: Actor): Promise<void> => {
    const made = await Promise.all(signingAlgorithms.map((alg) => generate(deps, alg)));
    await store.transact(async (tx) => {
      const nowMs = clock.now();
      const keys = await listKeys(tx);
      const signsFrom = withdraw ? nowMs : nowMs + PUBLISH_MS;
      const isWaiting = ({ signsFrom: from = 0 }: SigningKeyRecord): boolean => from > nowMs;
      if (!withdraw && keys.some((key) => isWaiting(key) && (key.signsFrom ?? 0) <= signsFrom))
        throw new AppError(
          "conflict",
          "New keys were created a moment ago and will be used for signing within ten minutes",
        );
      if (!withdraw && keys.length > MAX_KEYS - 2 * signingAlgorithms.length)
        throw new AppError("conflict", "Too many signing keys exist. Wait until old ones expire");
      for (const key of keys)
        if (withdraw || isWaiting(key)) await tx.remove(signingKeys, key.id);
        else if (key.retiresAt > signsFrom)
          await tx.put(signingKeys, { ...key, retiresAt: signsFrom, expiresAt: signsFrom + OVERLAP_MS });
      for (const key of made) await insertKey(tx, key, { nowMs, signsFrom });
      const changes = withdraw ? ["withdraw: true"] : [];
      await writeAudit(tx, { actor, action: "signing-keys.rotate", target: "signing-keys", changes }, clock);
    });
  };
}

/** Keys in the form to sign and check with, each imported once. */
function createImports() {
  const made = new Map<string, CryptographicKey>();
  return async (id: string, read: () => Promise<CryptographicKey>): Promise<CryptographicKey> => {
    const known = made.get(id) ?? (await read());
    if (made.size >= MAX_KEYS) made.clear();
    made.set(id, known);
    return known;
  };
}

export type SigningKeys = ReturnType<typeof createSigningKeys>;

export function createSigningKeys(deps: KeyDeps) {
  const { store, clock, box } = deps;
  const make = createMaker(deps);
  const privateKeys = createImports();
  const publicKeys = createImports();
  const listKnown = async (): Promise<SigningKeyRecord[]> =>
    (await store.read(listKeys)).filter(({ expiresAt }) => expiresAt > clock.now());

  return {
    /** The key that signs now; one is made when there is none. */
    getSigning: async (alg: SigningAlgorithm): Promise<SigningKeyRecord> => {
      const present = findSigning(await store.read(listKeys), alg, clock.now());
      if (present !== undefined) return present;
      await make(alg);
      const made = findSigning(await store.read(listKeys), alg, clock.now());
      if (made === undefined) throw new AppError("unavailable", "No signing key is available. Try again");
      return made;
    },
    /** Sees that there is a key of each kind, and the next one two days before it is needed. */
    complete: async (): Promise<void> => {
      const keys = await store.read(listKeys);
      const nowMs = clock.now();
      await Promise.all(signingAlgorithms.filter((alg) => findGap(keys, alg, nowMs) !== undefined).map(make));
    },
    /** Those that are still in use, the newest first. */
    list: listKnown,
    /** The key that a token names. Throws where none is known. */
    findPublic: async ({ kid, alg }: JWTHeaderParameters): Promise<CryptographicKey> => {
      const key = (await listKnown()).find(({ id }) => id === kid);
      if (key === undefined || key.publicJwk["alg"] !== alg) throw new errors.JWKSNoMatchingKey();
      return publicKeys(key.id, () => importJWK(key.publicJwk, alg));
    },
    /** Its private half. */
    open: ({ id, sealedPrivateJwk, publicJwk }: SigningKeyRecord): Promise<CryptographicKey> =>
      privateKeys(id, () => {
        const jwk: unknown = JSON.parse(box.open(sealedPrivateJwk, SEAL));
        return importJWK(jwkSchema.parse(jwk), publicJwk["alg"]);
      }),
    /**
     * New keys of every kind: they sign in ten minutes, when applications know them. With `withdraw` they sign now, and
     * tokens of older keys become invalid. Throws `conflict` ten minutes after the last time.
     */
    rotate: createRotate(deps),
    /** Removes unused keys. */
    sweep: async (): Promise<void> => {
      await store.transact(async (tx) => {
        const nowMs = clock.now();
        for (const key of await listKeys(tx)) {
          if (key.expiresAt <= nowMs) await tx.remove(signingKeys, key.id);
        }
      });
    },
  };
}
