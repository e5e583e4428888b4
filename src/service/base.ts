/** What every service stands on: its store, the box of its secret, and its limits. */
import { type LimitSource, createSharedLimits } from "../bus/shared-limit.ts";
import type { ServiceName } from "../config.ts";
import type { SecretBox } from "../kit/secrets/secret-box.ts";
import { type SecretCheck, assertSecret } from "../records/secret-check.ts";
import type { Collection, Store } from "../store/store.ts";
import { openSecretBox } from "./secrets.ts";
import type { ServiceContext } from "./service.ts";
import { openStore } from "./storage.ts";

export interface ServiceBase {
  readonly store: Store;
  readonly box: SecretBox;
  readonly limits: LimitSource;
}

/**
 * Opens it; the caller closes the store.
 * @throws Error when the store cannot be opened, or was made with another secret
 */
export async function openBase(
  context: ServiceContext,
  name: ServiceName,
  options: { readonly collections: readonly Collection[]; readonly secretCheck: SecretCheck },
): Promise<ServiceBase> {
  const store = await openStore(context, { name, collections: options.collections });
  try {
    // After the store's lock: of two first starts at once, only the one that goes on may make the secret.
    const box = await openSecretBox(context, name);
    await assertSecret(store, box, options.secretCheck);
    const { bus, clock } = context;
    return { store, box, limits: createSharedLimits({ bus, clock, mac: (text) => box.mac(text, "limits") }) };
  } catch (error) {
    await store.close();
    throw error;
  }
}
