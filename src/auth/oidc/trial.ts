/**
 * Claims that an application would get about an administrator who signs in there: computed without a sign-in and
 * without a token.
 */
import { AppError } from "../../kit/errors.ts";
import { type MissingStep, findMissingStep } from "../applications/may-use.ts";
import type { ClientRecord } from "../applications/schema.ts";
import type { Subject } from "../sessions/subject.ts";
import type { AuthDeps } from "../base/deps.ts";
import { clients } from "../applications/records.ts";
import { findLive } from "../sessions/live-sessions.ts";
import type { Sessions } from "../sessions/sessions.ts";

/** An administrator at an application. */
export interface Trial {
  readonly client: ClientRecord;
  readonly subject: Subject;
  /** Why the person may not use it, if so. */
  readonly refusal: "switched off" | MissingStep | undefined;
}

export interface Tester {
  /** Undefined for the administrator token. */
  readonly userId: string | undefined;
  readonly address: string;
}

export type Trials = ReturnType<typeof createTrials>;

export function createTrials({
  store,
  expiry,
  sessions,
}: Pick<AuthDeps, "store" | "expiry"> & { readonly sessions: Pick<Sessions, "list"> }) {
  return {
    /**
     * The account's newest sign-in at the application. Throws `not_found`, and `conflict` without an account and for
     * an account that has no session.
     */
    make: async (clientId: string, { userId, address }: Tester): Promise<Trial> => {
      const all = userId === undefined ? [] : await sessions.list(userId);
      const newest = all.find(({ parentId }) => parentId === undefined);
      const [client, subject] = await store.read((tx) =>
        Promise.all([tx.get(clients, clientId), findLive(tx, newest, expiry.now())]),
      );
      if (client === undefined) throw new AppError("not_found", `There is no application "${clientId}"`);
      if (userId === undefined)
        throw new AppError(
          "conflict",
          "The administrator token has no user account. Sign in to the console with your own account",
        );
      if (subject === undefined)
        throw new AppError("conflict", "No user account is signed in. Sign in at the auth center first");
      const { user, session, rules = {} } = subject;
      const missing = findMissingStep(client, { user, session, rules, address, nowMs: expiry.now() });
      return { client, subject, refusal: client.enabled ? missing : "switched off" };
    },
  };
}
