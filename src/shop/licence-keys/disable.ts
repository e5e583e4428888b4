/** Licenses end with the money of their order; nothing but an administrator enables them again. */
import { listEvery } from "../../store/every-page.ts";
import type { Tx } from "../../store/store.ts";
import type { DisabledReason, LicenseRecord } from "./license-schema.ts";
import { licenses } from "./records.ts";

/** Disables a license that is not disabled yet. */
export async function disableLicense(
  tx: Tx,
  license: LicenseRecord,
  { reason, atMs }: { readonly reason: DisabledReason; readonly atMs: number },
): Promise<LicenseRecord> {
  if (license.disabledAt !== undefined) return license;
  return tx.put(licenses, { ...license, disabledAt: atMs, disabledReason: reason, updatedAt: atMs });
}

/**
 * Disables licenses of an order: all, or so many of each line as `units` says, counted with those that are disabled
 * already; unused ones first, then the newest.
 */
export async function disableLicenses(
  tx: Tx,
  orderId: string,
  by: {
    readonly reason: DisabledReason;
    readonly atMs: number;
    readonly units?: ReadonlyMap<string, number> | undefined;
  },
): Promise<void> {
  const all = await listEvery(tx, licenses, { index: "byOrder", range: { prefix: [orderId] } });
  const present = all.filter(({ disabledReason }) => disabledReason !== "replaced");
  for (const lineId of new Set(present.map((license) => license.lineId ?? ""))) {
    const own = present.filter((license) => (license.lineId ?? "") === lineId);
    const wanted = by.units === undefined ? own.length : (by.units.get(lineId) ?? 0);
    const open = own.filter(({ disabledAt }) => disabledAt === undefined);
    const count = Math.max(0, wanted - (own.length - open.length));
    const order = open.toSorted((a, b) => a.used - b.used || (a.id < b.id ? 1 : -1));
    for (const license of order.slice(0, count)) await disableLicense(tx, license, by);
  }
}
