/** Finding a license by its key, with what programs learn of its order. */
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import { listEvery } from "../../store/every-page.ts";
import type { ReadTx } from "../../store/store.ts";
import type { DeviceRecord, LicenseRecord } from "../licence-keys/license-schema.ts";
import { SECRET_PURPOSE } from "../licence-keys/product-secret.ts";
import { devices, licenses } from "../licence-keys/records.ts";
import { orders } from "../orders/records.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { products, secrets } from "../products/records.ts";
import type { ProductRecord } from "../products/schema.ts";

/** Characters of a key at most. */
export const MAX_KEY_LENGTH = 2_000;

/**
 * The license of a key; people type generated keys in small letters, too. Both reads are of a keyed hash, so that the
 * time says nothing of how much of a guess was right.
 */
export async function findLicense(
  tx: ReadTx,
  box: SecretBox,
  typed: string,
): Promise<LicenseRecord | undefined> {
  const key = typed.trim();
  let found: LicenseRecord | undefined;
  for (const value of new Set([key, key.toUpperCase()])) {
    const prefix = [box.lookup(value, SECRET_PURPOSE)];
    const { items } = await tx.list(licenses, "byMac", { prefix, limit: 1, reverse: true });
    found ??= items[0];
  }
  return found;
}

/** A license with what is known of its sale. */
export interface SoldLicense {
  readonly license: LicenseRecord;
  readonly product: ProductRecord | undefined;
  readonly order: OrderRecord | undefined;
}

export async function readSale(tx: ReadTx, license: LicenseRecord): Promise<SoldLicense> {
  const { orderId, productId } = license;
  return {
    license,
    product: await tx.get(products, productId),
    order: orderId === undefined ? undefined : await tx.get(orders, orderId),
  };
}

/** Names as of the sale, or of the product now. */
export function nameProduct({ license, product, order }: SoldLicense): {
  readonly title: string;
  readonly variant: string;
} {
  const line = order?.lines.find(({ id }) => id === license.lineId);
  const variant = product?.variants.find(({ id }) => id === license.stockId);
  return {
    title: line?.title ?? product?.title ?? "",
    variant: Object.values(line?.options ?? variant?.options ?? {}).join(", "),
  };
}

/** A license with its key and its active devices. */
export interface ShownLicense extends SoldLicense {
  /** The key; views mask it. */
  readonly value: string;
  readonly devices: readonly DeviceRecord[];
}

export async function showLicense(tx: ReadTx, box: SecretBox, license: LicenseRecord): Promise<ShownLicense> {
  const key = await tx.get(secrets, license.id);
  return {
    ...(await readSale(tx, license)),
    value: key === undefined ? "" : box.open(key.sealed, SECRET_PURPOSE),
    devices: await listActiveDevices(tx, license.id),
  };
}

export function listActiveDevices(tx: ReadTx, licenseId: string): Promise<DeviceRecord[]> {
  return listEvery(tx, devices, { index: "byLicense", range: { prefix: [licenseId, "active"] } });
}
