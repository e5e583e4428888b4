/** The user of a page: the person of its browser's session, and whether they still have to set something up. */
import type { Context } from "hono";
import type { HostCookie } from "../../kit/http/cookies.ts";
import type { Subject } from "../sessions/subject.ts";
import type { AuthDeps } from "../base/deps.ts";
import { findGraceEnd } from "../policy/grace.ts";
import { passkeys } from "../accounts/records.ts";
import { hasSecondFactor } from "../accounts/status.ts";
import type { Activity } from "../sessions/activity.ts";
import type { BrowserSessions } from "../sessions/browser-sessions.ts";
import type { RegistrationSettings } from "../settings/schema.ts";

/** The client ID for the pages' own sessions and uses. */
export const PAGES_CLIENT = "account-center";

/** The signed-in user; or one who must set up a second factor first. */
export interface Person {
  readonly subject: Subject | undefined;
  readonly enrolling: Subject | undefined;
}

interface SearchDeps extends Pick<AuthDeps, "store"> {
  readonly browserSessions: BrowserSessions;
  readonly activity: Activity;
  readonly session: Pick<HostCookie, "read">;
}

export function createPersonSearch({ store, browserSessions, activity, session }: SearchDeps) {
  return {
    findPerson: async (c: Context): Promise<Person> => {
      const token = session.read(c);
      const person = token === undefined ? undefined : await browserSessions.find(token, { mayEnrol: true });
      if (person === undefined) return { subject: undefined, enrolling: undefined };
      if (person.session.mustEnrol === true) return { subject: undefined, enrolling: person };
      activity.note(person, PAGES_CLIENT);
      return { subject: person, enrolling: undefined };
    },
    /**
     * When a second factor will be due, epoch milliseconds; undefined where it will not. Reads something only where
     * everyone needs one and the account may have none.
     */
    findGrace: async (
      subject: Subject | undefined,
      { requireTwoFactor }: Pick<RegistrationSettings, "requireTwoFactor">,
    ): Promise<number | undefined> => {
      if (subject === undefined || hasSecondFactor(subject.user)) return undefined;
      const end = findGraceEnd(requireTwoFactor, subject.user);
      if (end === undefined) return undefined;
      const count = await store.read((tx) => tx.count(passkeys, "byUser", { prefix: [subject.user.id] }));
      return count === 0 ? end : undefined;
    },
  };
}
