/** Whether a service's secret is the one that the store's sealed values were made with. */
import type { SecretBox } from "../kit/secrets/secret-box.ts";
import type { Store, Tx } from "../store/store.ts";

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
  /** Returns the stored fingerprint; stores this one when there is none. */
  readonly findOrStore: (tx: Tx, fingerprint: string) => Promise<unknown>;
}

/** The fingerprint of the secret that a store's values are sealed with. */
export function toFingerprint(box: SecretBox): string {
  return box.mac("fingerprint", "secret-check");
}

/** Remembers the secret's fingerprint at the first start. Throws Error when the store was made with another one. */
export async function assertSecret(store: Store, box: SecretBox, check: SecretCheck): Promise<void> {
  const fingerprint = toFingerprint(box);
  const known = await store.transact((tx) => check.findOrStore(tx, fingerprint));
  if (known === fingerprint) return;
  const { service, kept, sealed } = check;
  throw new Error(
    `The secret is not the one that ${kept} sealed with. Restore the previous ${service}-secret.json from your copy or from a backup with keys, or set ${service.toUpperCase()}_SECRET to the previous value on every node. With another secret, ${sealed} cannot be read`,
  );
}
