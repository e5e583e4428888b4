/** Sessions and events of an account, as an administrator sees them. */
import { AppError } from "../../kit/errors.ts";
import type { Page } from "../../store/store.ts";
import { getUser } from "../accounts/accounts.ts";
import { listEvents, writeEvent } from "../accounts/events.ts";
import { endSession } from "../sessions/session-ends.ts";
import type { AuthDeps } from "../base/deps.ts";
import type { EventRecord } from "../accounts/ledger-schema.ts";
import { sessions as sessionRecords } from "../sessions/records.ts";
import { writeAudit } from "../../records/audit.ts";
import type { SessionRecord } from "../sessions/schema.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { ActionBy } from "./user-action.ts";

export type UserActivity = ReturnType<typeof createUserActivity>;

/** Creates the reading of it, and the end of a session. */
export function createUserActivity({
  store,
  clock,
  expiry,
  sessions,
}: Pick<AuthDeps, "store" | "clock" | "expiry"> & { sessions: Sessions }) {
  const assertKnown = (id: string): Promise<unknown> => store.read((tx) => getUser(tx, id));
  return {
    /** The live ones, the newest first. Throws `not_found`. */
    sessions: async (id: string): Promise<SessionRecord[]> => {
      await assertKnown(id);
      return sessions.list(id);
    },
    /** The newest first. Throws `not_found`, `bad_cursor`. */
    events: async (id: string, page: { limit: number; cursor?: string }): Promise<Page<EventRecord>> => {
      await assertKnown(id);
      return listEvents(store, { userId: id, ...page });
    },
    /** Throws `not_found` if the account does not have the session. */
    endSession: (id: string, sessionId: string, { actor, caller }: ActionBy): Promise<void> =>
      store.transact(async (tx) => {
        const session = await tx.get(sessionRecords, sessionId);
        if (session?.userId !== id)
          throw new AppError("not_found", `The account has no session "${sessionId}"`);
        await endSession(tx, session, expiry.now());
        const event = { kind: "session-revoked", caller, atMs: clock.now(), sessionId } as const;
        await writeEvent(tx, { userId: id, ...event });
        const changes = [`session: ${sessionId}`, `device: ${session.label}`];
        await writeAudit(tx, { actor, action: "user.end-session", target: id, changes }, clock);
      }),
  };
}
