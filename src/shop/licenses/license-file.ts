/** License files: signed claims about one device, which programs verify without a network. */
import { toStableNumber } from "../../kit/secrets/stable-number.ts";
import type { ShopDeps } from "../base/deps.ts";
import type { DeviceRecord } from "../licence-keys/license-schema.ts";
import { type SoldLicense, nameProduct } from "./find-license.ts";
import type { LicenseSigningKeys } from "./signing-keys.ts";

const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;

export const toSeconds = (ms: number): number => Math.floor(ms / SECOND_MS);

/** When a file that is issued now ends: after the offline days, and with the license at the latest. */
export function toFileEnd({ license }: SoldLicense, nowMs: number): number {
  return Math.min(nowMs + license.offlineDays * DAY_MS, license.expiresAt ?? Number.POSITIVE_INFINITY);
}

/** A name for the file of a device: "photo-desk.license". */
export function toFileName(sold: SoldLicense): string {
  return `${sold.product?.slug.split("/").at(-1) ?? "software"}.license`;
}

export type LicenseFiles = ReturnType<typeof createLicenseFiles>;

export function createLicenseFiles(
  { clock, publicUrl }: Pick<ShopDeps, "clock" | "publicUrl">,
  keys: Pick<LicenseSigningKeys, "sign">,
) {
  return {
    /** The file of a device; it has no personal data. */
    issue: (sold: SoldLicense, device: DeviceRecord): Promise<string> => {
      const nowMs = clock.now();
      const { license } = sold;
      const { title, variant } = nameProduct(sold);
      const untilMs = toFileEnd(sold, nowMs);
      const claims = {
        iss: publicUrl,
        sub: String(license.number),
        iat: toSeconds(nowMs),
        exp: toSeconds(untilMs),
        license_id: license.number,
        product_id: toStableNumber(license.productId),
        product_name: title,
        variant_id: toStableNumber(license.stockId),
        variant_name: variant === "" ? "Default" : variant,
        activation_limit: license.maxDevices ?? null,
        expires_at: license.expiresAt === undefined ? null : toSeconds(license.expiresAt),
        instance_id: device.id,
        instance_name: device.name,
        fingerprint: device.fingerprint ?? null,
      };
      return keys.sign(claims, untilMs);
    },
  };
}
