/** An administrator's look into an account: short, shown to its owner, and never into another administrator's. */
import { AppError } from "../../kit/errors.ts";
import { isUsable } from "../accounts/status.ts";
import { getUser } from "../accounts/accounts.ts";
import { writeAudit } from "../../records/audit.ts";
import type { AuthDeps } from "../base/deps.ts";
import { writeEvent } from "../accounts/events.ts";
import type { Sessions, TokenSet } from "../sessions/sessions.ts";
import { tellOwner } from "../mails/owner-notices.ts";
import type { ActionBy } from "./user-action.ts";

const MINUTE_MS = 60_000;

export type Impersonation = ReturnType<typeof createImpersonation>;

/** Creates the look into accounts. */
export function createImpersonation(
  deps: Pick<AuthDeps, "store" | "clock" | "expiry" | "outbox" | "publicUrl"> & { sessions: Sessions },
) {
  const { store, clock, expiry, sessions } = deps;
  return {
    /**
     * Opens a session in the account for some minutes. Throws `not_found`, `forbidden` for an administrator's
     * account, `conflict` for one that cannot be used.
     */
    begin: async (
      id: string,
      { minutes, reason, actor, caller }: ActionBy & { minutes: number; reason: string },
    ): Promise<TokenSet> => {
      const tokens = await store.transact(async (tx) => {
        const user = await getUser(tx, id);
        if (user.role === "admin") throw new AppError("forbidden", "Administrators cannot be impersonated");
        if (!isUsable(user, expiry.now()))
          throw new AppError("conflict", `The account is ${user.status} and cannot be impersonated`);
        const impersonation = { by: actor.name, ttlMs: minutes * MINUTE_MS };
        const opened = await sessions.open(tx, { user, caller, amr: ["impersonation"], impersonation });
        const sessionId = opened.session.id;
        const changes = [`minutes: ${minutes}`, `reason: ${reason}`, `session: ${sessionId}`];
        await writeAudit(tx, { actor, action: "user.impersonate", target: id, changes }, clock);
        await writeEvent(tx, { userId: id, kind: "impersonated", caller, atMs: clock.now(), sessionId });
        await tellOwner(tx, deps, { user, notice: "impersonated" });
        return opened;
      });
      return tokens;
    },
  };
}
