/** Ends all sessions at once: the first thing to do after a break-in. */
import { toIdStart } from "../../kit/secrets/id.ts";
import { writeAudit } from "../../records/audit.ts";
import { CONSOLE_SECONDS, consoleSessions } from "../../records/console-sessions.ts";
import type { Tx } from "../../store/store.ts";
import type { Actor } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { changeState } from "../base/state.ts";
import { deviceRequests } from "../oidc/records.ts";
import { sessions } from "../sessions/records.ts";
import { endSession } from "../sessions/session-ends.ts";

const BATCH = 500;

/**
 * Removes what a clock that was ahead has dated after `revokedBefore`, a batch at a time: that of another node, or of this
 * machine before it was set right. Resolves with whether there may be more.
 */
async function endAhead(tx: Tx, revokedBefore: number): Promise<boolean> {
  const begun = await tx.list(sessions, "id", { from: [toIdStart("ses", revokedBefore)], limit: BATCH });
  for (const session of begun.items) await endSession(tx, session, revokedBefore);
  const expiresAt = revokedBefore + CONSOLE_SECONDS * 1_000;
  const entered = await tx.list(consoleSessions, "byExpiresAt", { from: [expiresAt], limit: BATCH });
  for (const { id } of entered.items) await tx.remove(consoleSessions, id);
  const asked = await tx.list(deviceRequests, "byExpiresAt", { from: [revokedBefore], limit: BATCH });
  const approved = asked.items.filter(({ proof }) => (proof?.at ?? 0) >= revokedBefore);
  for (const { id } of approved) await tx.remove(deviceRequests, id);
  return [begun, entered].some(({ nextCursor }) => nextCursor !== undefined);
}

/** Ends every session that was begun until now; resolves with the time before which all are dead, epoch ms. */
export async function revokeAllSessions(
  { store, clock, expiry }: Pick<AuthDeps, "store" | "clock" | "expiry">,
  actor: Actor,
): Promise<number> {
  const [revokedBefore, isMore] = await store.transact(async (tx) => {
    // One more than now: a session of this very millisecond ends too.
    const before = expiry.now() + 1;
    await changeState(tx, { revokedBefore: before });
    await writeAudit(tx, { actor, action: "sessions.revoke-all", target: "sessions" }, clock);
    return [before, await endAhead(tx, before)] as const;
  });
  for (let goesOn = isMore; goesOn;) goesOn = await store.transact((tx) => endAhead(tx, revokedBefore));
  return revokedBefore;
}
