/** Applications that used an account, for its owner: the list, and the end of one's sessions. */
import { AppError } from "../../kit/errors.ts";
import { writeEvent } from "../accounts/events.ts";
import type { Caller } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import type { AccessRecord } from "../accounts/ledger-schema.ts";
import { access } from "../accounts/records.ts";
import type { Activity } from "./activity.ts";
import type { Sessions } from "./sessions.ts";

const MAX_LISTED = 500;

/** A use of the account by an application, with its live sessions. */
export interface UsedApplication extends Pick<AccessRecord, "clientId" | "firstAt" | "lastAt" | "count"> {
  readonly sessions: number;
  /** One of them goes on after the person has signed out of the browser. */
  readonly isOffline: boolean;
}

export type UsedApplications = ReturnType<typeof createUsedApplications>;

/** Creates the list of an account's applications. */
export function createUsedApplications(
  deps: Pick<AuthDeps, "store" | "clock"> & { sessions: Sessions; activity: Activity },
) {
  const { store, clock, sessions, activity } = deps;
  return {
    /** Each with the number of its live sessions. */
    list: async (userId: string): Promise<UsedApplication[]> => {
      const [live, used] = await Promise.all([
        sessions.list(userId),
        store.read((tx) => tx.list(access, "byUser", { prefix: [userId], limit: MAX_LISTED })),
      ]);
      const own = live.filter(({ impersonatedBy }) => impersonatedBy === undefined);
      const known = new Set(used.items.map(({ clientId }) => clientId));
      // Signed in a moment ago, and not counted yet.
      const fresh = own.filter(({ clientId }) => !known.has(clientId) && known.add(clientId));
      const uses = [
        ...used.items,
        ...fresh.map((session) => ({
          ...session,
          firstAt: session.createdAt,
          lastAt: session.lastSeenAt,
          count: 0,
        })),
      ];
      return uses.map(({ clientId, firstAt, lastAt, count }) => {
        const open = live.filter((session) => session.clientId === clientId);
        const isOffline = open.some((session) => session.isOffline === true);
        return { clientId, firstAt, lastAt, count, sessions: open.length, isOffline };
      });
    },
    /** Ends its sessions and forgets it. Throws `not_found` for one that did not use the account. */
    end: async (userId: string, clientId: string, caller: Caller): Promise<void> => {
      const ended = await sessions.end(userId, { select: (session) => session.clientId === clientId });
      // Unwritten counts would bring the application back.
      activity.forget(userId, clientId);
      await store.transact(async (tx) => {
        const isKnown = await tx.remove(access, `${userId}:${clientId}`);
        if (!isKnown && ended === 0)
          throw new AppError("not_found", `The application "${clientId}" did not use this account`);
        await writeEvent(tx, { userId, kind: "application-signed-out", caller, atMs: clock.now() });
      });
    },
  };
}
