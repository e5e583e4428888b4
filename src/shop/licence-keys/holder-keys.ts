/** License keys that another shop sold, for who proved to have the email address that bought them. */
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { ReadTx, Store } from "../../store/store.ts";
import { products, secrets } from "../products/records.ts";
import { type LicenseStatus, toLicenseStatus } from "./license-schema.ts";
import { SECRET_PURPOSE } from "./product-secret.ts";
import { licenses } from "./records.ts";

/** Keys of one person that are shown. */
const SHOWN = 100;

export interface HolderKey {
  readonly id: string;
  readonly title: string;
  readonly value: string;
  readonly status: LicenseStatus;
  readonly expiresAt: number | undefined;
}

interface Deps {
  readonly store: Store;
  readonly box: Pick<SecretBox, "open">;
  readonly clock: { now(): number };
}

export type HolderKeys = ReturnType<typeof createHolderKeys>;

export function createHolderKeys({ store, box, clock }: Deps) {
  async function listOf(tx: ReadTx, address: string): Promise<HolderKey[]> {
    const range = { prefix: [address.toLowerCase()], limit: SHOWN };
    const { items } = await tx.list(licenses, "byHolder", range);
    const shown: HolderKey[] = [];
    for (const license of items) {
      const key = await tx.get(secrets, license.id);
      const product = await tx.get(products, license.productId);
      // Those of orders are on the pages of their orders.
      if (key === undefined || license.orderId !== undefined) continue;
      shown.push({
        id: license.id,
        title: product?.title ?? "",
        value: box.open(key.sealed, SECRET_PURPOSE),
        status: toLicenseStatus(license, clock.now()),
        expiresAt: license.expiresAt,
      });
    }
    return shown;
  }

  /** Keys of addresses that the auth center has verified. */
  return (verified: readonly string[]): Promise<HolderKey[]> =>
    store.read(async (tx) => {
      const all: HolderKey[] = [];
      for (const address of new Set(verified)) all.push(...(await listOf(tx, address)));
      return all;
    });
}
