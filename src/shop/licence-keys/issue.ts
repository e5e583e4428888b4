/** Licenses begin: with a delivered key, or as another shop had them. */
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { toStableNumber } from "../../kit/secrets/stable-number.ts";
import type { Tx } from "../../store/store.ts";
import { generateKey } from "../products/key-pattern.ts";
import type { LicenseTerms } from "../products/license-schema.ts";
import { secrets } from "../products/records.ts";
import type { SecretRecord } from "../products/schema.ts";
import type { DisabledReason, LicenseRecord } from "./license-schema.ts";
import { SECRET_PURPOSE } from "./product-secret.ts";
import { devices, licenses } from "./records.ts";

const DAY_MS = 86_400_000;
/** With the random bits that patterns must have, a second try is already unlikely. */
const MAX_TRIES = 5;

async function findNumber(tx: Tx, id: string): Promise<number> {
  for (let turn = 0; ; turn += 1) {
    const number = toStableNumber(turn === 0 ? id : `${id}#${turn}`);
    if ((await tx.by(licenses, "byNumber", [number])) === undefined) return number;
  }
}

/** The license of a key that is delivered now. */
export async function issueLicense(
  tx: Tx,
  key: SecretRecord,
  { terms, lineId, atMs }: { readonly terms: LicenseTerms; readonly lineId: string; readonly atMs: number },
): Promise<LicenseRecord> {
  const { id, mac, productId, stockId, orderId } = key;
  return tx.insert(licenses, {
    id,
    number: await findNumber(tx, id),
    mac,
    productId,
    stockId,
    orderId,
    lineId,
    maxDevices: terms.maxDevices,
    used: 0,
    expiresAt: terms.days === undefined ? undefined : atMs + terms.days * DAY_MS,
    offlineDays: terms.offlineDays,
    createdAt: atMs,
    updatedAt: atMs,
  });
}

/** Where a key belongs. */
export interface KeyPlace {
  readonly productId: string;
  readonly stockId: string;
  readonly orderId?: string | undefined;
}

/** Stores a key that no other product or license has; undefined where one has it. */
async function insertKey(
  tx: Tx,
  box: SecretBox,
  { value, atMs, ...place }: KeyPlace & { readonly value: string; readonly atMs: number },
): Promise<SecretRecord | undefined> {
  const mac = box.lookup(value, SECRET_PURPOSE);
  if ((await tx.by(secrets, "byMac", [place.stockId, mac])) !== undefined) return undefined;
  if ((await tx.count(licenses, "byMac", { prefix: [mac] })) > 0) return undefined;
  return tx.insert(secrets, {
    id: newId("key", atMs),
    productId: place.productId,
    stockId: place.stockId,
    sealed: box.seal(value, SECRET_PURPOSE),
    mac,
    state: "given",
    orderId: place.orderId,
    addedAt: atMs,
    givenAt: atMs,
  });
}

/** Stores a new key of a pattern as given. */
export async function giveGenerated(
  tx: Tx,
  box: SecretBox,
  { pattern, ...place }: KeyPlace & { readonly pattern: string; readonly atMs: number },
): Promise<SecretRecord> {
  for (let turn = 0; turn < MAX_TRIES; turn += 1) {
    const key = await insertKey(tx, box, { ...place, value: generateKey(pattern) });
    if (key !== undefined) return key;
  }
  throw new Error(`The pattern "${pattern}" generated ${MAX_TRIES} keys that exist already`);
}

/** A license of another shop, with its devices. */
export interface ForeignLicense {
  readonly productId: string;
  /** The variant, or the product without variants. */
  readonly stockId: string;
  readonly value: string;
  readonly holderName?: string | undefined;
  readonly holderEmail?: string | undefined;
  readonly maxDevices?: number | undefined;
  readonly expiresAt?: number | undefined;
  readonly offlineDays?: number | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly createdAt?: number | undefined;
  /** Programs keep the ids of their activations. */
  readonly devices?: readonly { readonly id: string; readonly name: string; readonly createdAt: number }[];
}

/**
 * Stores a license that another shop sold, so that its program finds it here.
 * @throws AppError `already_exists` for a key that is known
 */
export async function importLicense(
  tx: Tx,
  box: SecretBox,
  { productId, stockId, value, ...license }: ForeignLicense & { readonly atMs: number },
): Promise<LicenseRecord> {
  const { atMs, createdAt = atMs, holderEmail, isDisabled = false } = license;
  const key = await insertKey(tx, box, { productId, stockId, value, atMs });
  if (key === undefined) throw new AppError("already_exists", "This license key already exists");
  const reason: DisabledReason = "import";
  const stored = await tx.insert(licenses, {
    id: key.id,
    number: await findNumber(tx, key.id),
    mac: key.mac,
    productId,
    stockId,
    holderName: license.holderName,
    holderEmail,
    holderMailbox: holderEmail?.toLowerCase(),
    maxDevices: license.maxDevices,
    used: license.devices?.length ?? 0,
    expiresAt: license.expiresAt,
    offlineDays: license.offlineDays ?? 30,
    disabledAt: isDisabled ? atMs : undefined,
    disabledReason: isDisabled ? reason : undefined,
    createdAt,
    updatedAt: atMs,
  });
  for (const { id, name, createdAt: activatedAt } of license.devices ?? [])
    await tx.insert(devices, { id, licenseId: key.id, state: "active", name, createdAt: activatedAt });
  return stored;
}

/** Removes an imported license with its key and devices; for undoing an import. False where it is gone. */
export async function removeImported(tx: Tx, id: string): Promise<boolean> {
  const license = await tx.get(licenses, id);
  if (license === undefined || license.orderId !== undefined) return false;
  for (const state of ["active", "ended"])
    for (;;) {
      const { items } = await tx.list(devices, "byLicense", { prefix: [id, state], limit: 1_000 });
      if (items.length === 0) break;
      for (const device of items) await tx.remove(devices, device.id);
    }
  await tx.remove(secrets, id);
  return tx.remove(licenses, id);
}
