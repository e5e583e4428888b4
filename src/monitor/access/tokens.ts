/** Tokens that open one thing, as administrators make, list and delete them. */
import type { Clock } from "../../kit/time/clock.ts";
import { AppError } from "../../kit/errors.ts";
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { newSecret } from "../../kit/secrets/id.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import type { Store } from "../../store/store.ts";
import { accessTokens } from "./records.ts";
import { MAX_TOKENS } from "./access.ts";
import type { AccessTokenRecord, TokenScope } from "./schema.ts";

/** Prefixes of tokens by scope. */
export const tokenPrefixes: Readonly<Record<TokenScope, string>> = { view: "view", metrics: "met" };

export interface AccessTokenInput {
  readonly scope: TokenScope;
  readonly name: string;
  /** Epoch ms; absent: it counts until it is deleted. */
  readonly expiresAt?: number | undefined;
}

export interface AccessTokens {
  /** Creates a token; only this call returns the token itself. Throws `invalid` for an end that has passed, `conflict`. */
  create(
    input: AccessTokenInput,
    actor: AuditActor,
  ): Promise<{ readonly record: AccessTokenRecord; readonly token: string }>;
  /** The newest first. */
  list(): Promise<readonly AccessTokenRecord[]>;
  /** Deletes a token, which becomes invalid. Throws `not_found`. */
  remove(id: string, actor: AuditActor): Promise<void>;
}

/** Creates the tokens' logic on a store. */
export function createAccessTokens({ store, clock }: { store: Store; clock: Clock }): AccessTokens {
  return {
    create: async ({ scope, name, expiresAt }, actor) => {
      const createdAt = clock.now();
      if (expiresAt !== undefined && expiresAt <= createdAt)
        throw new AppError("invalid", "The expiry is in the past. Choose a later time, or omit it");
      const token = newSecret(tokenPrefixes[scope]);
      const record = await store.transact(async (tx) => {
        if ((await tx.count(accessTokens)) >= MAX_TOKENS)
          throw new AppError("conflict", `You can have up to ${MAX_TOKENS} access tokens. Delete some first`);
        const target = `${scope} ${name}`;
        await writeAudit(tx, { actor, action: "access-token.create", target }, clock);
        return tx.insert(accessTokens, { id: hashSecret(token), scope, name, createdAt, expiresAt });
      });
      return { record, token };
    },
    list: async () => {
      const { items } = await store.read((tx) => tx.list(accessTokens, "id", { limit: MAX_TOKENS }));
      return items.toSorted((a, b) => b.createdAt - a.createdAt);
    },
    remove: async (id, actor) => {
      await store.transact(async (tx) => {
        const token = await tx.get(accessTokens, id);
        if (token === undefined) throw new AppError("not_found", "This access token does not exist");
        await tx.remove(accessTokens, id);
        const target = `${token.scope} ${token.name}`;
        await writeAudit(tx, { actor, action: "access-token.delete", target }, clock);
      });
    },
  };
}
