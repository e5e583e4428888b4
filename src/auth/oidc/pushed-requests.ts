/** Authorization requests that applications send ahead, past the browser (RFC 9126): each is good once, for a minute, for its application. */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { newSecret } from "../../kit/secrets/id.ts";
import type { AuthDeps } from "../deps.ts";
import { pushedRequests } from "../records.ts";

/** What their addresses begin with (section 2.2). */
export const PUSHED = "urn:ietf:params:oauth:request_uri:";
const PUSHED_SECONDS = 60;

export type PushedRequests = ReturnType<typeof createPushedRequests>;

/** Makes the logic. */
export function createPushedRequests({ store, expiry }: Pick<AuthDeps, "store" | "expiry">) {
  return {
    /** Keeps the parameters, which were read and found good. */
    push: async (
      clientId: string,
      parameters: ReadonlyMap<string, string>,
    ): Promise<{ requestUri: string; expiresIn: number }> => {
      const name = newSecret("par");
      const expiresAt = expiry.now() + PUSHED_SECONDS * 1_000;
      const kept = { clientId, parameters: Object.fromEntries(parameters), expiresAt };
      await store.transact((tx) => tx.insert(pushedRequests, { id: hashSecret(name), ...kept }));
      return { requestUri: PUSHED + name, expiresIn: PUSHED_SECONDS };
    },
    /** The parameters, this once; undefined for what was used, is too old, or is another application's. */
    take: (clientId: string, requestUri: string): Promise<ReadonlyMap<string, string> | undefined> =>
      store.transact(async (tx) => {
        const found = await tx.get(pushedRequests, hashSecret(requestUri.slice(PUSHED.length)));
        if (found?.clientId !== clientId) return undefined;
        await tx.remove(pushedRequests, found.id);
        return found.expiresAt > expiry.now() ? new Map(Object.entries(found.parameters)) : undefined;
      }),
  };
}
