/** Authorization requests that applications send ahead, past the browser (RFC 9126): each is good once, for a minute, for its application. */
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { newSecret } from "../../kit/secrets/id.ts";
import type { z } from "zod";
import type { ReadTx } from "../../store/store.ts";
import type { AuthDeps } from "../base/deps.ts";
import { pushedRequests } from "./records.ts";
import type { pushedRequestRecordSchema } from "../sessions/schema.ts";

/** Prefix of their URIs (section 2.2). */
export const PUSHED = "urn:ietf:params:oauth:request_uri:";
const PUSHED_SECONDS = 60;
/** As long as a sign-in with its detours takes. */
const OPEN_MS = 60 * 60_000;

export type PushedRequests = ReturnType<typeof createPushedRequests>;

/** A request that a browser has brought. */
export interface OpenRequest {
  readonly parameters: ReadonlyMap<string, string>;
  /** Epoch milliseconds, of the clock for whatever expires. */
  readonly openedAt: number;
}

type Known = z.infer<typeof pushedRequestRecordSchema>;

function toOpen({ parameters }: Known, openedAt: number): OpenRequest {
  return { parameters: new Map(Object.entries(parameters)), openedAt };
}

const toId = (requestUri: string): string => hashSecret(requestUri.slice(PUSHED.length));

export function createPushedRequests({ store, expiry }: Pick<AuthDeps, "store" | "expiry">) {
  async function find(tx: ReadTx, clientId: string, requestUri: string): Promise<Known | undefined> {
    const found = await tx.get(pushedRequests, toId(requestUri));
    return found?.clientId === clientId && found.expiresAt > expiry.now() ? found : undefined;
  }

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
    /**
     * The parameters for a browser that brings the address, until {@link spend}; undefined for what was answered, is too
     * old, or is another application's.
     */
    open: async (clientId: string, requestUri: string): Promise<OpenRequest | undefined> => {
      const known = await store.read((tx) => find(tx, clientId, requestUri));
      if (known === undefined) return undefined;
      if (known.openedAt !== undefined) return toOpen(known, known.openedAt);
      const nowMs = expiry.now();
      await store.transact(async (tx) => {
        const present = await find(tx, clientId, requestUri);
        if (present?.openedAt === undefined && present !== undefined)
          await tx.put(pushedRequests, { ...present, openedAt: nowMs, expiresAt: nowMs + OPEN_MS });
      });
      return toOpen(known, nowMs);
    },
    /** The same, without using it up, for pages that show the request. */
    peek: (clientId: string, requestUri: string): Promise<ReadonlyMap<string, string> | undefined> =>
      store.read(async (tx) => {
        const known = await find(tx, clientId, requestUri);
        return known && new Map(Object.entries(known.parameters));
      }),
    /** Uses it up; whether it was there. */
    spend: (requestUri: string): Promise<boolean> =>
      store.transact((tx) => tx.remove(pushedRequests, toId(requestUri))),
  };
}
