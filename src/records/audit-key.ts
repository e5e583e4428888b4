/**
 * The key of a store's audit. It goes with the store rather than with each of the many callers that write entries: who
 * holds the store alone, and not the service's secret, can neither write an entry nor change one unseen.
 */
import type { ReadTx, Store } from "../store/store.ts";
import type { SecretBox } from "../kit/secrets/secret-box.ts";

/** A keyed hash, the same for the same text and purpose. */
export type Mac = SecretBox["mac"];

/** In a property of the transaction: a WeakMap of all that run would cost each question as much as a read. */
const AUDIT_MAC = Symbol("audit mac");
type Keyed = ReadTx & { [AUDIT_MAC]?: Mac };

function toKeyed(tx: ReadTx): Keyed {
  return tx;
}

/** Wraps a store so that its transactions write and check audit entries under this box's key. The outermost wrapper. */
export function withAuditKey(store: Store, box: Pick<SecretBox, "mac" | "lookup">): Store {
  // Entries keep their hashes when the secret changes; the head, which covers them all, is hashed with the new one.
  const mac: Mac = (text, purpose) =>
    purpose === "audit" ? box.lookup(text, purpose) : box.mac(text, purpose);
  return {
    transact: (work) =>
      store.transact((tx) => {
        toKeyed(tx)[AUDIT_MAC] = mac;
        return work(tx);
      }),
    read: (work) =>
      store.read((tx) => {
        toKeyed(tx)[AUDIT_MAC] = mac;
        return work(tx);
      }),
    check: () => store.check(),
    close: () => store.close(),
  };
}

/** The key of the transaction's store. Throws TypeError for a store that has none. */
export function getAuditMac(tx: ReadTx): Mac {
  const mac = toKeyed(tx)[AUDIT_MAC];
  if (mac === undefined) throw new TypeError("The store was opened without a key for its audit log");
  return mac;
}
