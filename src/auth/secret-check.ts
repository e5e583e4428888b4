/** Whether the secret is the one that the store's sealed values were made with. */
import type { SecretBox } from "../kit/secrets/secret-box.ts";
import type { Store } from "../store/store.ts";
import { state, users } from "./records.ts";
import { changeState } from "./state.ts";

/** Remembers the secret's fingerprint at the first start. Throws Error when the store was made with another one. */
export async function assertSecret(store: Store, box: SecretBox): Promise<void> {
  const secretCheck = box.mac("fingerprint", "secret-check");
  const known = await store.transact(async (tx) => {
    const record = await tx.get(state, "state");
    if (record === undefined || record.secretCheck === "") {
      const isNew = record === undefined && (await tx.count(users)) === 0;
      await changeState(tx, { secretCheck, ...(isNew ? { foreignHashes: false } : {}) });
    }
    return record?.secretCheck ?? "";
  });
  if (known === "" || known === secretCheck) return;
  throw new Error(
    "The secret is not the one that these accounts were kept with: put auth-secret.json back from the backup, or set AUTH_SECRET to the former value, the same on every node; with another one, codes, second factors and the SMTP password cannot be read",
  );
}
