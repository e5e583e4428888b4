/** A store whose audit has a key, as services have it, for parts that are tested without their service. */
import { withAuditKey } from "../../src/records/audit-key.ts";
import { createSecretBox } from "../../src/kit/secrets/secret-box.ts";
import type { Store } from "../../src/store/store.ts";

/** Wraps a store with a key of the suite, or with the key of another secret. */
export function withTestKey(store: Store, secret: string = "a secret of the test suite, long enough"): Store {
  return withAuditKey(store, createSecretBox(secret));
}
