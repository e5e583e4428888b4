/** Whether a service's secret is the one that the store's sealed values were made with. */
import type { SecretBox } from "../kit/secrets/secret-box.ts";
import type { ReadTx, Store, Tx } from "../store/store.ts";

/** How a store remembers the secret of its records. */
export interface StoredSecretCheck {
  /** The fingerprint, or a mark while the secret is being changed. */
  readonly check: string;
  /** The first secret of the records, sealed; absent until the secret was changed. */
  readonly lookups?: string | undefined;
}

/** How one service remembers its secret. */
export interface SecretCheck {
  /** Such as "monitor"; the secret's file and variable are named after it. */
  readonly service: string;
  /** Owner of the secret in the error message, such as "this monitor was". */
  readonly kept: string;
  /** Data that another secret cannot decrypt. */
  readonly sealed: string;
  /** Where the stored fingerprint is, for those who read it without opening the store. */
  readonly place: { readonly collection: string; readonly id: string; readonly path: readonly string[] };
  /** Undefined while there is no fingerprint. */
  readonly read: (tx: ReadTx) => Promise<StoredSecretCheck | undefined>;
  readonly write: (tx: Tx, stored: StoredSecretCheck) => Promise<unknown>;
}

/** The fingerprint of the secret that a store's values are sealed with. */
export function toFingerprint(box: SecretBox): string {
  return box.mac("fingerprint", "secret-check");
}

/** Before the fingerprint of a changed secret: earlier versions know no lookups and must not start. */
const CHANGED = "changed:";
const CHANGING = "changing:";

/** Whether records with this check were sealed with the secret of the box. */
export function isSecretOf(check: string, box: SecretBox): boolean {
  const fingerprint = toFingerprint(box);
  return check === fingerprint || check === CHANGED + fingerprint;
}

/** What is stored once the records are sealed with another secret than the first one. */
export function toChangedCheck(box: SecretBox): string {
  return CHANGED + toFingerprint(box);
}

/** The mark of records that are being sealed with another secret, in place of the fingerprint. */
export function toChangeMark(next: SecretBox): string {
  return CHANGING + toFingerprint(next);
}

/** What to do about a change of the secret that has not finished; undefined if there is none. */
export function findChangeRemedy(check: string, service: string): string | undefined {
  if (!check.startsWith(CHANGING)) return undefined;
  return `a change of the sealing key has not finished. Run "trivet change-key ${service}" again, on the machine where it began`;
}

/**
 * Remembers the secret's fingerprint at the first start, and returns the box to use with these records. Throws Error
 * when the store was made with another secret.
 */
export async function assertSecret(store: Store, box: SecretBox, check: SecretCheck): Promise<SecretBox> {
  const fingerprint = toFingerprint(box);
  const known = await store.transact(async (tx) => {
    const stored = await check.read(tx);
    if (stored === undefined) await check.write(tx, { check: fingerprint });
    return stored ?? { check: fingerprint };
  });
  if (isSecretOf(known.check, box)) return known.lookups === undefined ? box : box.withLookups(known.lookups);
  const { service, kept, sealed } = check;
  const remedy = findChangeRemedy(known.check, service);
  if (remedy !== undefined) throw new Error(`The ${service} cannot start: ${remedy}`);
  throw new Error(
    `The secret is not the one that ${kept} sealed with. Restore the previous ${service}-secret.json from your copy or from a backup with keys, or set ${service.toUpperCase()}_SECRET to the previous value on every node. With another secret, ${sealed} cannot be read`,
  );
}
