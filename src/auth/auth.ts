/** The auth center as one thing: its parts wired together over a store. Hidden here: which part needs which, and what is swept when. */
import type { Clock } from "../kit/clock.ts";
import { createForwardClock } from "../kit/forward-clock.ts";
import type { Outbox } from "../kit/outbox.ts";
import type { Store } from "../store/store.ts";
import type { Activity } from "./activity.ts";
import { createActivity } from "./activity.ts";
import type { Administration } from "./administration.ts";
import { createAdministration } from "./administration.ts";
import type { Avatars } from "./avatars.ts";
import { createAvatars } from "./avatars.ts";
import type { CheckIns } from "./check-in.ts";
import { createCheckIns } from "./check-in.ts";
import { withAuditKey } from "../kit/audit-key.ts";
import type { CodeSending } from "./code-sending.ts";
import { createCodeSending } from "./code-sending.ts";
import { createCodeGuesses } from "./code-guesses.ts";
import { createCodes } from "./codes.ts";
import type { Emails } from "./emails.ts";
import { createEmails } from "./emails.ts";
import { sweepEvents } from "./events.ts";
import { createForeignHashSearch } from "./foreign-hashes.ts";
import type { Jwts } from "./jwt.ts";
import { createJwts } from "./jwt.ts";
import { createMailQuota } from "./mail-quota.ts";
import type { Me } from "./me.ts";
import { createMe } from "./me.ts";
import { createPasswordCheck } from "./password-check.ts";
import type { Passwords } from "./passwords.ts";
import { createPasswords } from "./passwords.ts";
import type { Registration } from "./registration.ts";
import { createRegistration } from "./registration.ts";
import type { SecondFactor } from "./second-factor.ts";
import { createSecondFactor } from "./second-factor.ts";
import type { SignIn } from "./sign-in.ts";
import { createSignIn } from "./sign-in.ts";
import { sweepRecords } from "./sweep.ts";
import { sweepPurge } from "./user-removal.ts";
import type { SecretBox } from "../kit/secret-box.ts";
import type { LimitSource } from "../kit/shared-limit.ts";
import { createLocalLimits } from "../kit/shared-limit.ts";
import type { AuthDeps } from "./deps.ts";
import type { Directory } from "./directory.ts";
import { createDirectory } from "./directory.ts";
import type { Likes } from "./likes.ts";
import { createLikes } from "./likes.ts";
import type { Profiles } from "./profiles.ts";
import { createProfiles } from "./profiles.ts";
import type { Sessions } from "./sessions.ts";
import { createSessions } from "./sessions.ts";

export interface Auth extends Administration {
  readonly store: Store;
  readonly clock: Clock;
  readonly expiry: Clock;
  readonly outbox: Outbox;
  readonly activity: Activity;
  readonly sessions: Sessions;
  readonly box: SecretBox;
  /** Where people reach the service, when it was told. */
  readonly publicUrl: string | undefined;
  /** Of JWTs; "" while no address is known. */
  readonly issuer: string;
  /** For limits of the edges. */
  readonly limits: LimitSource;
  readonly codeSending: CodeSending;
  readonly registration: Registration;
  readonly signIn: SignIn;
  readonly secondFactor: SecondFactor;
  readonly passwords: Passwords;
  readonly emails: Emails;
  readonly me: Me;
  readonly jwts: Jwts;
  readonly profiles: Profiles;
  readonly avatars: Avatars;
  readonly checkIns: CheckIns;
  readonly likes: Likes;
  readonly directory: Directory;
  /**
   * Removes what has expired, at most a few hundred of each kind, looks for foreign hashes in a few hundred accounts,
   * and says how many records that were; call it every minute, and sooner after many.
   */
  sweep(): Promise<number>;
}

/** What signing in is made of; each part builds on those before. */
function createAccess(deps: AuthDeps) {
  const sessions = createSessions(deps);
  const codes = createCodes(deps);
  const mailQuota = createMailQuota(deps);
  const codeGuesses = createCodeGuesses({ ...deps, codes });
  const codeSending = createCodeSending({ ...deps, codes, mailQuota });
  const passwordCheck = createPasswordCheck(deps);
  const secondFactor = createSecondFactor(deps);
  const parts = { ...deps, sessions, codes, codeGuesses, mailQuota, passwordCheck, secondFactor };
  return {
    sessions,
    codeSending,
    secondFactor,
    registration: createRegistration(parts),
    signIn: createSignIn(parts),
    passwords: createPasswords(parts),
    emails: createEmails(parts),
    me: createMe(deps),
    jwts: createJwts(deps),
  };
}

/** What the auth center is made from; limits count in this process alone unless told, and a pause is true time. */
export interface AuthOptions extends Omit<AuthDeps, "expiry" | "limits" | "pause"> {
  readonly limits?: LimitSource;
  readonly pause?: AuthDeps["pause"] | undefined;
  readonly publicUrl?: string | undefined;
  readonly issuer?: string;
}

/** Wires the auth center. */
export function createAuth(given: AuthOptions): Auth {
  const limits = given.limits ?? createLocalLimits(given.clock);
  const deps: AuthDeps = {
    ...given,
    store: withAuditKey(given.store, given.box),
    limits,
    expiry: createForwardClock(given.clock),
    pause: given.pause ?? ((ms) => new Promise((resolve) => setTimeout(resolve, Math.ceil(ms)))),
  };
  const { store, clock, expiry, outbox, box } = deps;
  const accessParts = createAccess(deps);
  const foreignHashes = createForeignHashSearch(deps);
  return {
    store,
    clock,
    expiry,
    outbox,
    activity: createActivity(deps),
    ...accessParts,
    ...createAdministration({ ...deps, sessions: accessParts.sessions }),
    box,
    limits,
    publicUrl: given.publicUrl,
    issuer: given.issuer ?? given.publicUrl ?? "",
    profiles: createProfiles(deps),
    avatars: createAvatars(deps),
    checkIns: createCheckIns(deps),
    likes: createLikes(deps),
    directory: createDirectory(deps),
    sweep: async () => {
      await accessParts.jwts.sweep();
      const swept = [
        await sweepRecords(store, expiry.now()),
        await sweepPurge(store, expiry.now()),
        await sweepEvents(store, clock),
        await outbox.sweep(),
        await foreignHashes.step(),
      ];
      return swept.reduce((sum, count) => sum + count, 0);
    },
  };
}
