/** Licenses for administrators: lists, changes, devices. */
import { AppError } from "../../kit/errors.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { type ExpectedVersion, assertVersion } from "../../records/versions.ts";
import type { Page, ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import type { LicenseRecord } from "../licence-keys/license-schema.ts";
import { devices, licenses } from "../licence-keys/records.ts";
import { endDevice } from "./devices.ts";
import { type LicenseSearch, searchLicenses } from "./license-search.ts";
import { type ShownLicense, findLicense, showLicense } from "./find-license.ts";

export interface LicenseQuery extends LicenseSearch {
  readonly orderId?: string | undefined;
  /** Of a license from another shop. */
  readonly email?: string | undefined;
  /** The key itself. */
  readonly key?: string | undefined;
}

/** Changes of a license; null removes a limit, the end, or the holder. */
export interface LicenseChange extends ExpectedVersion {
  readonly maxDevices?: number | null | undefined;
  /** Epoch milliseconds. */
  readonly expiresAt?: number | null | undefined;
  readonly disabled?: boolean | undefined;
  readonly holderName?: string | null | undefined;
  readonly holderEmail?: string | null | undefined;
}

type Deps = Pick<ShopDeps, "store" | "clock" | "box">;

async function getLicense(tx: ReadTx, id: string): Promise<LicenseRecord> {
  const license = await tx.get(licenses, id);
  if (license === undefined) throw new AppError("not_found", "This license does not exist");
  return license;
}

/** null takes away, undefined leaves as it is. */
function pick<T>(wanted: T | null | undefined, present: T | undefined): T | undefined {
  return wanted === undefined ? present : (wanted ?? undefined);
}

function toIndex({ productId, orderId, email }: LicenseQuery) {
  if (orderId !== undefined) return ["byOrder", [orderId]] as const;
  if (productId !== undefined) return ["byProduct", [productId]] as const;
  if (email !== undefined) return ["byHolder", [email.trim().toLowerCase()]] as const;
  return ["byTime", []] as const;
}

function listBy(tx: ReadTx, query: LicenseQuery): Promise<Page<LicenseRecord>> {
  const { limit, cursor } = query;
  const [index, prefix] = toIndex(query);
  return tx.list(licenses, index, { prefix, limit, cursor, reverse: true });
}

function isSearch({ q = "", status }: LicenseQuery): boolean {
  return q.trim() !== "" || status !== undefined;
}

/** The administration of licenses. */
export class LicenseAdmin {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The newest first. Throws `bad_cursor`. */
  list(query: LicenseQuery): Promise<Page<ShownLicense>> {
    const { store, box, clock } = this.#deps;
    return store.read(async (tx) => {
      const { key } = query;
      if (key !== undefined) {
        const found = await findLicense(tx, box, key);
        return { items: found === undefined ? [] : [await showLicense(tx, box, found)] };
      }
      const page = isSearch(query)
        ? await searchLicenses(tx, { box, nowMs: clock.now() }, query)
        : await listBy(tx, query);
      const items: ShownLicense[] = [];
      for (const license of page.items) items.push(await showLicense(tx, box, license));
      return { ...page, items };
    });
  }

  /** Throws `not_found`. */
  get(id: string): Promise<ShownLicense> {
    return this.#deps.store.read(async (tx) => showLicense(tx, this.#deps.box, await getLicense(tx, id)));
  }

  /** Throws `not_found`, `version_conflict`, `stale_version`. */
  change(
    id: string,
    { actor, ...change }: LicenseChange & { readonly actor: AuditActor },
  ): Promise<ShownLicense> {
    const { store, clock } = this.#deps;
    return store.transact(async (tx) => {
      const before = await getLicense(tx, id);
      assertVersion(before.version, change);
      const { version: _version, ifMatch: _ifMatch, ...fields } = change;
      const changed = await this.#apply(tx, before, change);
      const names = Object.entries(fields).filter(([, value]) => value !== undefined);
      // Not who holds it: that would outlive the license in the audit log.
      const changes = names.map(([name, value]) => (name.startsWith("holder") ? name : `${name}: ${value}`));
      await writeAudit(tx, { actor, action: "license.change", target: id, changes }, clock);
      return showLicense(tx, this.#deps.box, changed);
    });
  }

  /** Ends a device; once more changes nothing. Throws `not_found`. */
  deactivate(id: string, deviceId: string, actor: AuditActor): Promise<ShownLicense> {
    const { store, clock } = this.#deps;
    return store.transact(async (tx) => {
      const license = await getLicense(tx, id);
      const device = await tx.get(devices, deviceId);
      if (device?.licenseId !== id) throw new AppError("not_found", "This device does not exist");
      const changed = await endDevice(tx, license, { device, by: "admin", atMs: clock.now() });
      const changes = [`device: ${deviceId}`];
      await writeAudit(tx, { actor, action: "license.deactivate", target: id, changes }, clock);
      return showLicense(tx, this.#deps.box, changed);
    });
  }

  #apply(tx: Tx, before: LicenseRecord, change: LicenseChange): Promise<LicenseRecord> {
    const atMs = this.#deps.clock.now();
    const { maxDevices, expiresAt, disabled, holderName, holderEmail } = change;
    const email = pick(holderEmail, before.holderEmail);
    const isDisabled = disabled ?? before.disabledAt !== undefined;
    return tx.put(licenses, {
      ...before,
      maxDevices: pick(maxDevices, before.maxDevices),
      expiresAt: pick(expiresAt, before.expiresAt),
      holderName: pick(holderName, before.holderName),
      holderEmail: email,
      holderMailbox: email?.toLowerCase(),
      disabledAt: isDisabled ? (before.disabledAt ?? atMs) : undefined,
      disabledReason: isDisabled ? (before.disabledReason ?? "admin") : undefined,
      updatedAt: atMs,
    });
  }
}
