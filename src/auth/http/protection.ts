/**
 * Keeps who may change accounts from becoming more by it: accounts and groups that have roles are changed by
 * administrators alone, whose password, address or sign-ins would else open what the roles open.
 */
import type { Context } from "hono";
import { AppError } from "../../kit/errors.ts";
import type { Store } from "../../store/store.ts";
import { groups, state, users } from "../records.ts";
import { ADMIN_GROUP, isPrivileged } from "../roles/held-scopes.ts";

const TARGET = /^\/api\/admin\/(users|groups)\/([^/]+)/u;

/** Throws `insufficient_scope`. */
export function refuseLimited(what: string): never {
  throw new AppError(
    "insufficient_scope",
    `Only administrators change ${what}: sign in as an administrator or send the administrator token`,
    { details: { scope: "administrator" } },
  );
}

/** Makes the check of a request by somebody who may not do everything. */
export function createProtection({ store }: { readonly store: Store }) {
  return async ({ req }: Context): Promise<void> => {
    if (req.method === "GET" || req.method === "HEAD") return;
    const [, noun, id = ""] = TARGET.exec(req.path) ?? [];
    if (noun === undefined) return;
    const isProtected = await store.read(async (tx) => {
      if (noun === "groups") return id === ADMIN_GROUP || (await tx.get(groups, id))?.roles !== undefined;
      const [user, all] = await Promise.all([tx.get(users, id), tx.get(state, "state")]);
      return user !== undefined && isPrivileged(user, all?.roleRules);
    });
    if (isProtected) refuseLimited(`${noun === "groups" ? "groups" : "accounts"} that have roles`);
  };
}
