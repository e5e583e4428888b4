/**
 * Keeps people, keys and machines with a few scopes from gaining more by them: only administrators change accounts and
 * groups that have roles (a new password or email address would open what the roles open), the install's own services
 * (a redirect URI would receive the sign-ins of administrators) and applications that administer in their own name.
 */
import type { Context } from "hono";
import type { Store } from "../../store/store.ts";
import { clients } from "../applications/records.ts";
import { groups } from "../groups/records.ts";
import { state } from "../base/records.ts";
import { users } from "../accounts/records.ts";
import { ADMIN_GROUP, isPrivileged } from "../accounts/held-scopes.ts";
import { refuseLimited } from "../edge/limited.ts";

const TARGET = /^\/api\/admin\/(users|groups|clients)\/([^/]+)/u;

const guarded: Readonly<Record<string, string>> = {
  users: "accounts that have roles",
  groups: "groups that have roles",
  clients: "the services of this install and applications that have machineScopes",
};

/** Creates the check of a request by someone who may not do everything. */
export function createProtection({ store }: { readonly store: Store }) {
  return async ({ req }: Context): Promise<void> => {
    if (req.method === "GET" || req.method === "HEAD") return;
    const [, noun, id = ""] = TARGET.exec(req.path) ?? [];
    if (noun === undefined) return;
    const isProtected = await store.read(async (tx) => {
      if (noun === "clients") {
        const client = await tx.get(clients, id);
        return client !== undefined && (client.isOwn || client.machineScopes.length > 0);
      }
      if (noun === "groups") return id === ADMIN_GROUP || (await tx.get(groups, id))?.roles !== undefined;
      const [user, all] = await Promise.all([tx.get(users, id), tx.get(state, "state")]);
      return user !== undefined && isPrivileged(user, all?.roleRules);
    });
    if (isProtected) refuseLimited(guarded[noun] ?? "this");
  };
}
