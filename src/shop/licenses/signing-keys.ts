/** Ed25519 keys of license files: one signs, retired ones stay public, withdrawn ones are gone. */
import { CompactSign, exportJWK, generateKeyPair, importJWK } from "jose";
import { z } from "zod";
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import type { ReadTx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { MAX_OFFLINE_DAYS } from "../products/license-schema.ts";
import { licenseSigningKeys } from "./records.ts";
import type { LicenseSigningKeyRecord } from "./signing-schema.ts";

const SEAL = "license-signing-key";
const DAY_MS = 86_400_000;
const MAX_KEYS = 50;
const ALGORITHM = "EdDSA";
/** The media type of the header, so that no other token of the shop is taken for a license. */
const TYPE = "license+jwt";

const jwkSchema = z.record(z.string(), z.string());
const publicSchema = z.object({ x: z.string() });
type NewKey = Pick<LicenseSigningKeyRecord, "id" | "x" | "sealedPrivateJwk" | "createdAt">;
type Deps = Pick<ShopDeps, "store" | "clock" | "box">;

/** The newest first. */
async function listKeys(tx: ReadTx): Promise<readonly LicenseSigningKeyRecord[]> {
  return (await tx.list(licenseSigningKeys, "id", { limit: MAX_KEYS, reverse: true })).items;
}

function findCurrent(keys: readonly LicenseSigningKeyRecord[]): LicenseSigningKeyRecord | undefined {
  return keys.find(({ retiredAt }) => retiredAt === undefined);
}

/** When the last file of a retired key has expired; undefined for the key that signs. */
export function toFilesEnd({
  retiredAt,
  filesUntil,
}: Pick<LicenseSigningKeyRecord, "retiredAt" | "filesUntil">): number | undefined {
  return retiredAt === undefined ? undefined : (filesUntil ?? retiredAt + MAX_OFFLINE_DAYS * DAY_MS);
}

/** The keys of license files. */
export class LicenseSigningKeys {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The newest first; creates the first one. */
  async list(): Promise<readonly LicenseSigningKeyRecord[]> {
    const { store } = this.#deps;
    const known = await store.read(listKeys);
    if (findCurrent(known) !== undefined) return known;
    const key = await this.#generate();
    return store.transact(async (tx) => {
      const keys = await listKeys(tx);
      // Another process may have been faster.
      if (findCurrent(keys) === undefined) await tx.insert(licenseSigningKeys, key);
      return listKeys(tx);
    });
  }

  /** Those that verify files which can still be valid. */
  async listPublished(): Promise<readonly LicenseSigningKeyRecord[]> {
    const nowMs = this.#deps.clock.now();
    return (await this.list()).filter((key) => (toFilesEnd(key) ?? nowMs) >= nowMs);
  }

  /** Signs with a new key from now on; files of the former one stay valid. Throws `conflict` for too many keys. */
  async rotate(actor: AuditActor): Promise<readonly LicenseSigningKeyRecord[]> {
    const { store, clock } = this.#deps;
    const key = await this.#generate();
    return store.transact(async (tx) => {
      const keys = await listKeys(tx);
      if (keys.length >= MAX_KEYS)
        throw new AppError("conflict", `There are ${MAX_KEYS} keys already. Withdraw old ones first`);
      for (const former of keys)
        if (former.retiredAt === undefined)
          await tx.put(licenseSigningKeys, { ...former, retiredAt: clock.now() });
      await tx.insert(licenseSigningKeys, key);
      await writeAudit(tx, { actor, action: "license-key.rotate", target: key.id }, clock);
      return listKeys(tx);
    });
  }

  /** Removes a key that was stolen: its files are no longer valid. Throws `not_found`, `conflict` for the key that signs. */
  withdraw(id: string, actor: AuditActor): Promise<void> {
    const { store, clock } = this.#deps;
    return store.transact(async (tx) => {
      const key = await tx.get(licenseSigningKeys, id);
      if (key === undefined) throw new AppError("not_found", "This signing key does not exist");
      if (key.retiredAt === undefined)
        throw new AppError("conflict", "This key signs license files. Rotate the keys first");
      await tx.remove(licenseSigningKeys, id);
      await writeAudit(tx, { actor, action: "license-key.withdraw", target: id }, clock);
    });
  }

  /** Signs claims as a compact JWS (RFC 7515, RFC 8037) that is valid until `untilMs`. */
  async sign(claims: Readonly<Record<string, unknown>>, untilMs: number): Promise<string> {
    const current = findCurrent(await this.list());
    if (current === undefined) throw new Error("No key signs license files");
    if ((current.filesUntil ?? 0) < untilMs) await this.#keepUntil(current.id, untilMs);
    const jwk = jwkSchema.parse(JSON.parse(this.#deps.box.open(current.sealedPrivateJwk, SEAL)));
    return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: current.id })
      .sign(await importJWK(jwk, ALGORITHM));
  }

  /** Notes how long a key is needed, before a file leaves; a day more, so that files of one day need one write. */
  #keepUntil(id: string, untilMs: number): Promise<void> {
    return this.#deps.store.transact(async (tx) => {
      const key = await tx.get(licenseSigningKeys, id);
      if (key === undefined || (key.filesUntil ?? 0) >= untilMs) return;
      await tx.put(licenseSigningKeys, { ...key, filesUntil: untilMs + DAY_MS });
    });
  }

  async #generate(): Promise<NewKey> {
    const { clock, box } = this.#deps;
    const pair = await generateKeyPair(ALGORITHM, { crv: "Ed25519", extractable: true });
    const { x } = publicSchema.parse(await exportJWK(pair.publicKey));
    const sealedPrivateJwk = box.seal(JSON.stringify(await exportJWK(pair.privateKey)), SEAL);
    return { id: newId("lsk", clock.now()), x, sealedPrivateJwk, createdAt: clock.now() };
  }
}
