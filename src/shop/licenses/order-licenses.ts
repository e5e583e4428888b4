/** Licenses of an order for its buyer, who has opened it: devices, deactivation, files. */
import { AppError } from "../../kit/errors.ts";
import { listEvery } from "../../store/every-page.ts";
import type { ReadTx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import {
  type DeviceRecord,
  type LicenseRecord,
  type LicenseStatus,
  toLicenseStatus,
} from "../licence-keys/license-schema.ts";
import { devices, licenses } from "../licence-keys/records.ts";
import { endDevice } from "./devices.ts";
import { listActiveDevices, readSale } from "./find-license.ts";
import { type LicenseFiles, toFileName } from "./license-file.ts";

/** A license on the page of its order. */
export interface BuyersLicense {
  readonly license: LicenseRecord;
  readonly status: LicenseStatus;
  readonly devices: readonly DeviceRecord[];
}

type Deps = Pick<ShopDeps, "store" | "clock"> & { readonly licenseFiles: LicenseFiles };

/** An active device of an order, with its license. Throws `not_found`. */
async function getDevice(
  tx: ReadTx,
  orderId: string,
  deviceId: string,
): Promise<{ license: LicenseRecord; device: DeviceRecord }> {
  const device = await tx.get(devices, deviceId);
  const license = device && (await tx.get(licenses, device.licenseId));
  if (license?.orderId !== orderId || device === undefined)
    throw new AppError("not_found", "This device does not exist or was deactivated");
  return { license, device };
}

export type OrderLicenses = ReturnType<typeof createOrderLicenses>;

export function createOrderLicenses({ store, clock, licenseFiles }: Deps) {
  return {
    /** By the id of the key. */
    list: (orderId: string): Promise<ReadonlyMap<string, BuyersLicense>> =>
      store.read(async (tx) => {
        const found = new Map<string, BuyersLicense>();
        const all = await listEvery(tx, licenses, { index: "byOrder", range: { prefix: [orderId] } });
        for (const license of all)
          found.set(license.id, {
            license,
            status: toLicenseStatus(license, clock.now()),
            devices: await listActiveDevices(tx, license.id),
          });
        return found;
      }),
    /** Once more changes nothing. @throws AppError `not_found` */
    deactivate: (orderId: string, deviceId: string): Promise<void> =>
      store.transact(async (tx) => {
        const { license, device } = await getDevice(tx, orderId, deviceId);
        await endDevice(tx, license, { device, by: "buyer", atMs: clock.now() });
      }),
    /** The license file of a device. @throws AppError `not_found`, `conflict` for a license that is not valid */
    issueFile: async (orderId: string, deviceId: string): Promise<{ name: string; content: string }> => {
      const { device, sold } = await store.read(async (tx) => {
        const found = await getDevice(tx, orderId, deviceId);
        return { device: found.device, sold: await readSale(tx, found.license) };
      });
      const status = toLicenseStatus(sold.license, clock.now());
      if (device.state !== "active" || status === "disabled" || status === "expired")
        throw new AppError("conflict", "This license is not valid, so it has no license file");
      return { name: toFileName(sold), content: await licenseFiles.issue(sold, device) };
    },
  };
}
