/** Whether the secret is the one that the monitor's sealed values were made with. */
import type { SecretBox } from "../kit/secrets/secret-box.ts";
import type { Store } from "../store/store.ts";
import { secretChecks } from "./records.ts";

const ID = "secret";

/** Remembers the secret's fingerprint at the first start. Throws Error when the store was made with another one. */
export async function assertSecret(store: Store, box: SecretBox): Promise<void> {
  const check = box.mac("fingerprint", "secret-check");
  const known = await store.transact(async (tx) => {
    const record = await tx.get(secretChecks, ID);
    if (record !== undefined) return record.check;
    await tx.insert(secretChecks, { id: ID, check });
    return check;
  });
  if (known === check) return;
  throw new Error(
    "The secret is not the one that this monitor was kept with: put monitor-secret.json back from the backup, or set MONITOR_SECRET to the former value, the same on every node; with another one, tokens of channels cannot be read",
  );
}
