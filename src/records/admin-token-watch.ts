/**
 * Whether all processes on one store take the same administrator token. The last one that started leaves the token's
 * fingerprint; another one is warned of, not refused, since a token that is being replaced looks the same.
 */
import { z } from "zod";
import { type Store, defineCollection } from "../store/store.ts";
import type { Log } from "../kit/observe/log.ts";
import type { SecretBox } from "../kit/secrets/secret-box.ts";

const ID = "token";

/** The keyed fingerprint of the administrator token at the last start. */
export const adminTokenCheckCollection = defineCollection({
  name: "adminTokenChecks",
  revision: 1,
  schema: z.object({ id: z.string(), version: z.number().int(), check: z.string() }),
});

export interface AdminTokenWatchDeps {
  readonly store: Store;
  readonly box: SecretBox;
  readonly log: Log;
  /** SHA-256 of the tokens that count here, hex. */
  readonly tokenHashes: readonly string[];
}

/**
 * Leaves the fingerprint and warns when another one was there; the returned function, called every minute, warns
 * when another process has replaced it since.
 */
export async function watchAdminToken(deps: AdminTokenWatchDeps): Promise<() => Promise<void>> {
  const { store, box, log, tokenHashes } = deps;
  const own = box.lookup(tokenHashes.join(" "), "admin-token");
  const before = await store.transact(async (tx) => {
    const record = await tx.get(adminTokenCheckCollection, ID);
    if (record === undefined) await tx.insert(adminTokenCheckCollection, { id: ID, check: own });
    else if (record.check !== own) await tx.put(adminTokenCheckCollection, { ...record, check: own });
    return record?.check ?? own;
  });
  if (before !== own)
    log.warn(
      "The administrator token differs from the one at the last start on this database. Every node needs the same ADMIN_TOKEN; otherwise only some nodes accept the token. Restart the nodes that use the previous one",
    );
  let last = own;
  return async () => {
    const record = await store.read((tx) => tx.get(adminTokenCheckCollection, ID));
    const found = record?.check ?? own;
    if (found !== own && found !== last)
      log.warn(
        "Another node has started on this database with a different administrator token. Set the same ADMIN_TOKEN on every node, and restart the nodes with a different one",
      );
    last = found;
  };
}
