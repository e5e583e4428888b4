/** The parts of the auth center, wired together over a store. */
import { createForwardClock } from "../kit/time/forward-clock.ts";
import { type LimitSource, createLocalLimits } from "../bus/shared-limit.ts";
import { withAuditKey } from "../records/audit-key.ts";
import { sweepEvents } from "./accounts/events.ts";
import { createImpersonation } from "./admin/impersonation.ts";
import { createOperation } from "./admin/operation.ts";
import { createUserActions } from "./admin/user-actions.ts";
import { createUserAdmin } from "./admin/user-admin.ts";
import { createUserChanges } from "./admin/user-change.ts";
import { createClients } from "./applications/clients.ts";
import { createCheckIns } from "./check-in/check-in.ts";
import { createCodeGuesses } from "./codes/code-guesses.ts";
import { createCodeSending } from "./codes/code-sending.ts";
import { createCodes } from "./codes/codes.ts";
import type { AuthDeps } from "./deps.ts";
import { createEmails } from "./emails/emails.ts";
import { createMailQuota } from "./mails/mail-quota.ts";
import { createMe } from "./me/me.ts";
import { sweepPurge } from "./me/removal.ts";
import { createForeignHashSearch } from "./passwords/foreign-hashes.ts";
import { createPasswordCheck } from "./passwords/password-check.ts";
import { createPasswords } from "./passwords/passwords.ts";
import { createAvatars } from "./people/avatars.ts";
import { createDirectory } from "./people/directory.ts";
import { createLikes } from "./people/likes.ts";
import { createProfiles } from "./people/profiles.ts";
import { createInvites } from "./registration/invite-admin.ts";
import { createRegistration } from "./registration/registration.ts";
import { createSecondFactor } from "./second-factor/second-factor.ts";
import { createActivity } from "./sessions/activity.ts";
import { createJwts } from "./sessions/jwt.ts";
import { createSessions } from "./sessions/sessions.ts";
import { createUsedApplications } from "./sessions/used-applications.ts";
import { createSettingsAdmin } from "./settings/settings-admin.ts";
import { createSignIn } from "./sign-in/sign-in.ts";
import { sweepRecords } from "./sweep.ts";
import { createUserExport } from "./transfer/export.ts";
import { createUserImport } from "./transfer/import.ts";

/** What signing in is made of; each part builds on those before. */
function createAccess(deps: AuthDeps) {
  const sessions = createSessions(deps);
  const codes = createCodes(deps);
  const mailQuota = createMailQuota(deps);
  const codeGuesses = createCodeGuesses({ ...deps, codes });
  const passwordCheck = createPasswordCheck(deps);
  const secondFactor = createSecondFactor(deps);
  const parts = { ...deps, sessions, codes, codeGuesses, mailQuota, passwordCheck, secondFactor };
  return {
    sessions,
    secondFactor,
    codeSending: createCodeSending(parts),
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
  readonly pause?: AuthDeps["pause"];
  /** Where people reach the service, when it is known. */
  readonly publicUrl?: string;
  /** Of JWTs; the public address unless told, "" while none is known. */
  readonly issuer?: string;
}

/** All parts by name; only the composition, the application and tests take them whole. */
export type Auth = ReturnType<typeof createAuth>;

/** Makes the parts. */
export function createAuth({ limits, pause, publicUrl, issuer, ...given }: AuthOptions) {
  const deps: AuthDeps = {
    ...given,
    store: withAuditKey(given.store, given.box),
    limits: limits ?? createLocalLimits(given.clock),
    expiry: createForwardClock(given.clock),
    pause: pause ?? ((ms) => new Promise((resolve) => setTimeout(resolve, Math.ceil(ms)))),
  };
  const { store, clock, expiry, outbox } = deps;
  const access = createAccess(deps);
  const activity = createActivity(deps);
  const parts = { ...deps, ...access, activity };
  const foreignHashes = createForeignHashSearch(deps);
  return {
    ...parts,
    publicUrl,
    issuer: issuer ?? publicUrl ?? "",
    applications: createUsedApplications(parts),
    profiles: createProfiles(deps),
    avatars: createAvatars(deps),
    checkIns: createCheckIns(deps),
    likes: createLikes(deps),
    directory: createDirectory(deps),
    userAdmin: createUserAdmin(parts),
    userChanges: createUserChanges(deps),
    userActions: createUserActions(deps),
    impersonation: createImpersonation(parts),
    userImport: createUserImport(deps),
    userExport: createUserExport(deps),
    settingsAdmin: createSettingsAdmin(deps),
    invites: createInvites(deps),
    clients: createClients(deps),
    operation: createOperation(deps),
    /**
     * Removes what has expired, at most a few hundred of each kind, looks for foreign hashes in a few hundred
     * accounts, and says how many records that were; call it every minute, and sooner after many.
     */
    sweep: async (): Promise<number> => {
      await access.jwts.sweep();
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
