/** The auth center as one thing: its parts wired together over a store. */
import type { Clock } from "../kit/time/clock.ts";
import { createForwardClock } from "../kit/time/forward-clock.ts";
import type { Outbox } from "../records/outbox.ts";
import type { Store } from "../store/store.ts";
import { type Activity, createActivity } from "./sessions/activity.ts";
import { type Administration, createAdministration } from "./admin/administration.ts";
import { type Avatars, createAvatars } from "./people/avatars.ts";
import { type CheckIns, createCheckIns } from "./check-in/check-in.ts";
import { withAuditKey } from "../records/audit-key.ts";
import { type CodeSending, createCodeSending } from "./codes/code-sending.ts";
import { createCodeGuesses } from "./codes/code-guesses.ts";
import { createCodes } from "./codes/codes.ts";
import { type Emails, createEmails } from "./emails/emails.ts";
import { sweepEvents } from "./accounts/events.ts";
import { createForeignHashSearch } from "./passwords/foreign-hashes.ts";
import { type Jwts, createJwts } from "./sessions/jwt.ts";
import { createMailQuota } from "./mails/mail-quota.ts";
import { type Me, createMe } from "./me/me.ts";
import { createPasswordCheck } from "./passwords/password-check.ts";
import { type Passwords, createPasswords } from "./passwords/passwords.ts";
import { type Registration, createRegistration } from "./registration/registration.ts";
import { type SecondFactor, createSecondFactor } from "./second-factor/second-factor.ts";
import { type SignIn, createSignIn } from "./sign-in/sign-in.ts";
import { sweepRecords } from "./sweep.ts";
import { sweepPurge } from "./me/removal.ts";
import type { SecretBox } from "../kit/secrets/secret-box.ts";
import { type LimitSource, createLocalLimits } from "../bus/shared-limit.ts";
import type { AuthDeps } from "./deps.ts";
import { type Directory, createDirectory } from "./people/directory.ts";
import { type Likes, createLikes } from "./people/likes.ts";
import { type Profiles, createProfiles } from "./people/profiles.ts";
import { type Sessions, createSessions } from "./sessions/sessions.ts";

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
