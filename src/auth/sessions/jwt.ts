/**
 * Short tokens that applications check by themselves: EdDSA JWTs (RFC 9068, RFC 8037) and the keys to check them with
 * (RFC 7517).
 */
import { z } from "zod";
import { SignJWT, exportJWK, generateKeyPair, importJWK } from "jose";
import { AuthError } from "../errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import { pagesOf } from "../../store/every-page.ts";
import type { ReadTx } from "../../store/store.ts";
import type { Subject } from "../caller.ts";
import type { AuthDeps } from "../deps.ts";
import { clients, signingKeys } from "../records.ts";
import type { SigningKeyRecord } from "./schema.ts";

const DAY_MS = 86_400_000;
/** A key signs for 90 days, and is known for 30 more. */
const SIGNS_MS = 90 * DAY_MS;
const OVERLAP_MS = 30 * DAY_MS;
/** Life of a token, in seconds: it cannot be revoked. */
export const JWT_SECONDS = 300;
const SEAL = "signing-key";
const MAX_KEYS = 20;
const jwkSchema = z.record(z.string(), z.string());

type PrivateKey = Awaited<ReturnType<typeof importJWK>>;

/** Applications that are looked at together. */
const CLIENTS_AT_ONCE = 200;

async function listKeys(tx: ReadTx): Promise<readonly SigningKeyRecord[]> {
  return (await tx.list(signingKeys, "id", { limit: MAX_KEYS, reverse: true })).items;
}

async function assertAudience(tx: ReadTx, audience: string): Promise<void> {
  for await (const page of pagesOf(tx, clients, { index: "id", pageSize: CLIENTS_AT_ONCE }))
    if (page.some((client) => client.enabled && client.audiences.includes(audience))) return;
  throw new AuthError(
    "audience_not_allowed",
    `No registered application has the audience "${audience}"; an administrator adds it there`,
  );
}

/** Text members only, which is all that an Ed25519 key has. */
function toTexts(jwk: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(jwk).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function isSigning(key: SigningKeyRecord, nowMs: number): boolean {
  return key.createdAt <= nowMs && key.retiresAt > nowMs;
}

function createKeyRing({ store, clock, box }: Pick<AuthDeps, "store" | "clock" | "box">) {
  const opened = new Map<string, PrivateKey>();
  let making: Promise<SigningKeyRecord> | undefined;

  async function makeKey(): Promise<SigningKeyRecord> {
    const pair = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
    const id = newId("key", clock.now());
    const publicJwk = { ...toTexts(await exportJWK(pair.publicKey)), kid: id, alg: "EdDSA", use: "sig" };
    const sealedPrivateJwk = box.seal(JSON.stringify(await exportJWK(pair.privateKey)), SEAL);
    return store.transact(async (tx) => {
      const nowMs = clock.now();
      // Another process may have been faster.
      const present = (await listKeys(tx)).find((key) => isSigning(key, nowMs));
      if (present !== undefined) return present;
      const retiresAt = nowMs + SIGNS_MS;
      const expiresAt = retiresAt + OVERLAP_MS;
      return tx.insert(signingKeys, {
        id,
        publicJwk,
        sealedPrivateJwk,
        createdAt: nowMs,
        retiresAt,
        expiresAt,
      });
    });
  }

  return {
    /** The key that signs now; one is made when there is none. */
    getSigning: async (): Promise<SigningKeyRecord> => {
      const present = (await store.read(listKeys)).find((key) => isSigning(key, clock.now()));
      if (present !== undefined) return present;
      making ??= makeKey().finally(() => {
        making = undefined;
      });
      return making;
    },
    /** Its private half. */
    open: async (key: SigningKeyRecord): Promise<PrivateKey> => {
      const known = opened.get(key.id);
      if (known !== undefined) return known;
      const jwk: unknown = JSON.parse(box.open(key.sealedPrivateJwk, SEAL));
      const made = await importJWK(jwkSchema.parse(jwk), "EdDSA");
      // One key signs at a time.
      opened.clear();
      opened.set(key.id, made);
      return made;
    },
  };
}

export type Jwts = ReturnType<typeof createJwts>;

/** Makes the tokens' logic. */
export function createJwts(deps: Pick<AuthDeps, "store" | "clock" | "box">) {
  const { store, clock } = deps;
  const ring = createKeyRing(deps);
  return {
    /** A token for one audience. Throws `audience_not_allowed` unless a registered application has it. */
    issue: async (
      { user, session }: Subject,
      { audience, issuer }: { audience: string; issuer: string },
    ): Promise<string> => {
      await store.read((tx) => assertAudience(tx, audience));
      const key = await ring.getSigning();
      const iat = Math.floor(clock.now() / 1_000);
      const claims = {
        client_id: session.clientId,
        sid: session.id,
        auth_time: Math.floor(session.authenticatedAt / 1_000),
        amr: session.amr,
        acr: `aal${session.aal}`,
        preferred_username: user.username,
        ...(session.impersonatedBy === undefined ? {} : { act: { sub: session.impersonatedBy } }),
      };
      return new SignJWT(claims)
        .setProtectedHeader({ alg: "EdDSA", typ: "at+jwt", kid: key.id })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(user.id)
        .setJti(newId("jwt", clock.now()))
        .setIssuedAt(iat)
        .setExpirationTime(iat + JWT_SECONDS)
        .sign(await ring.open(key));
    },
    /** The public keys, as a JWK set's members. */
    keys: async (): Promise<Record<string, string>[]> => {
      const nowMs = clock.now();
      await ring.getSigning();
      const all = await store.read(listKeys);
      return all.filter(({ expiresAt }) => expiresAt > nowMs).map(({ publicJwk }) => publicJwk);
    },
    /** Removes keys that nobody needs any more. */
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
