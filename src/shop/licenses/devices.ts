/** Devices of a license: activation and deactivation in the running transaction. */
import type { Tx } from "../../store/store.ts";
import { type DeviceRecord, type LicenseRecord, toLicenseStatus } from "../licence-keys/license-schema.ts";
import { devices, licenses } from "../licence-keys/records.ts";
import { MAX_DEVICES } from "../products/license-schema.ts";

/** Ended devices that are remembered, so that a repeated deactivation is known. */
const ENDED_KEPT = 50;

/** Why a device cannot be activated. */
export type ActivationFault = "disabled" | "expired" | "limit";

/** Why a license takes no further device now; undefined if it does. */
export function findActivationFault(license: LicenseRecord, nowMs: number): ActivationFault | undefined {
  const status = toLicenseStatus(license, nowMs);
  if (status === "disabled" || status === "expired") return status;
  return license.used >= (license.maxDevices ?? MAX_DEVICES) ? "limit" : undefined;
}

/** Adds a device; the caller has looked for an {@link ActivationFault} in the same transaction. */
export async function activateDevice(
  tx: Tx,
  license: LicenseRecord,
  { name, fingerprint, atMs }: { name: string; fingerprint?: string | undefined; atMs: number },
): Promise<{ license: LicenseRecord; device: DeviceRecord }> {
  const device = await tx.insert(devices, {
    id: crypto.randomUUID(),
    licenseId: license.id,
    state: "active",
    name,
    fingerprint,
    createdAt: atMs,
  });
  return { license: await tx.put(licenses, { ...license, used: license.used + 1, updatedAt: atMs }), device };
}

/** Ends a device, once. */
export async function endDevice(
  tx: Tx,
  license: LicenseRecord,
  { device, by, atMs }: { device: DeviceRecord; by: NonNullable<DeviceRecord["endedBy"]>; atMs: number },
): Promise<LicenseRecord> {
  if (device.state === "ended") return license;
  await tx.put(devices, { ...device, state: "ended", endedAt: atMs, endedBy: by });
  const prefix = [license.id, "ended"];
  const { items } = await tx.list(devices, "byLicense", { prefix, limit: 1_000, reverse: true });
  for (const { id } of items.slice(ENDED_KEPT)) await tx.remove(devices, id);
  return tx.put(licenses, { ...license, used: Math.max(0, license.used - 1), updatedAt: atMs });
}
