/** The parts of the auth center, wired together over a store. */
import { isLoopbackHost } from "../../kit/mail/smtp-url.ts";
import type { Outbound } from "../../kit/outbound/outbound.ts";
import { createForwardClock } from "../../kit/time/forward-clock.ts";
import { type LimitSource, createLocalLimits } from "../../bus/shared-limit.ts";
import { withAuditKey } from "../../records/audit-key.ts";
import { sweepEvents } from "../accounts/events.ts";
import { createChangeNotices } from "../administrators/change-notices.ts";
import { createAdministration } from "../administrators/administrators.ts";
import { createImpersonation } from "../admin/impersonation.ts";
import { createOperation } from "../admin/operation.ts";
import { createPasswordLinks } from "../admin/password-link.ts";
import { createUserActions } from "../admin/user-actions.ts";
import { createUserActivity } from "../admin/user-activity.ts";
import { createUserAdmin } from "../admin/user-admin.ts";
import { createUserChanges } from "../admin/user-change.ts";
import { createAssertions } from "../client-keys/assertions.ts";
import { createMachineTokens } from "../machines/machine-tokens.ts";
import { createClients } from "../applications/clients.ts";
import { type ResourcePlaces, createResourceNames } from "../resources/target.ts";
import { createResources } from "../resources/resources.ts";
import { createRefusals } from "../refusals/refusals.ts";
import { createCheckIns } from "../check-in/check-in.ts";
import { createCodeGuesses } from "../codes/code-guesses.ts";
import { createCodeSending } from "../codes/code-sending.ts";
import { createCodes } from "../codes/codes.ts";
import type { AuthDeps } from "../base/deps.ts";
import { createConsents } from "../oidc/consents.ts";
import { createDevices } from "../oidc/devices.ts";
import { createGrants } from "../oidc/grants.ts";
import { type LogoutDelivery, createLogoutDelivery } from "../oidc/logout-delivery.ts";
import { createPushedRequests } from "../oidc/pushed-requests.ts";
import { createIdTokens } from "../oidc/id-tokens.ts";
import { createTrials } from "../oidc/trial.ts";
import { createAdminEmails } from "../emails/admin-emails.ts";
import { createEmails } from "../emails/emails.ts";
import { createForward } from "../forward/forward.ts";
import { createGroups } from "../groups/groups.ts";
import { createMailPreviews } from "../mails/previews.ts";
import { createMailQuota } from "../mails/mail-quota.ts";
import { createPasskeySignIn } from "../passkeys/passkey-sign-in.ts";
import { createPasskeys } from "../passkeys/passkeys.ts";
import { findRelyingParty } from "../passkeys/relying-party.ts";
import { createMe } from "../me/me.ts";
import { sweepPurge } from "../me/removal.ts";
import { createForeignHashSearch } from "../passwords/foreign-hashes.ts";
import { createPasswordCheck } from "../passwords/password-check.ts";
import { createPasswords } from "../passwords/passwords.ts";
import { createAvatars } from "../people/avatars.ts";
import { createDirectory } from "../people/directory.ts";
import { createLikes } from "../people/likes.ts";
import { createProfiles } from "../people/profiles.ts";
import { createApprovalNotices } from "../registration/approval-notices.ts";
import { createInvites } from "../registration/invite-admin.ts";
import { createRegistration } from "../registration/registration.ts";
import { createSecondFactor } from "../second-factor/second-factor.ts";
import { createAccessTokens } from "../sessions/access-tokens.ts";
import { type Activity, createActivity } from "../sessions/activity.ts";
import { createApplicationCodes } from "../oidc/application-codes.ts";
import { createBrowserSessions } from "../sessions/browser-sessions.ts";
import { createJwts } from "../sessions/jwt.ts";
import { createRoles } from "../roles/roles.ts";
import { createRevocation } from "../sessions/revocation.ts";
import { createSigningKeys } from "../signing-keys/signing-keys.ts";
import { createSessions } from "../sessions/sessions.ts";
import { createUsedApplications } from "../sessions/used-applications.ts";
import { createSettingsAdmin } from "../settings/settings-admin.ts";
import { createSignIn } from "../sign-in/sign-in.ts";
import { sweepRecords } from "./sweep.ts";
import { createFlows } from "../upstream/flows.ts";
import { createLinks } from "../upstream/links.ts";
import { createNewcomers } from "../upstream/newcomers.ts";
import { createUpstreamOutbound } from "../upstream/outbound-fetch.ts";
import { createUpstreams } from "../upstream/upstreams.ts";
import { createUserExport } from "../transfer/export.ts";
import { createUserImport } from "../transfer/import.ts";

/** Parts of signing in; each builds on those before. */
function createAccess(deps: AuthDeps) {
  const sessions = createSessions(deps);
  const codes = createCodes(deps);
  const mailQuota = createMailQuota(deps);
  const codeGuesses = createCodeGuesses({ ...deps, codes });
  const passwordCheck = createPasswordCheck(deps);
  const secondFactor = createSecondFactor(deps);
  const signingKeys = createSigningKeys(deps);
  const parts = { ...deps, sessions, codes, codeGuesses, mailQuota, passwordCheck, secondFactor };
  const registration = createRegistration(parts);
  const { countRegistration } = registration;
  return {
    sessions,
    secondFactor,
    codeSending: createCodeSending(parts),
    registration,
    newcomers: createNewcomers({ ...parts, countRegistration }),
    signIn: createSignIn(parts),
    passwords: createPasswords(parts),
    emails: createEmails(parts),
    links: createLinks(deps),
    me: createMe(deps),
    browserSessions: createBrowserSessions(deps),
    signingKeys,
    jwts: createJwts({ ...deps, signingKeys }),
  };
}

/** Parts that sign users in to applications. */
function createSignInForApplications(
  parts: AuthDeps &
    ReturnType<typeof createAccess> & {
      readonly activity: Activity;
      readonly issuer: string;
      readonly backchannel: Outbound | undefined;
      readonly resourceNames: ReturnType<typeof createResourceNames>;
    },
) {
  const applicationCodes = createApplicationCodes(parts);
  const consents = createConsents(parts);
  return {
    applicationCodes,
    consents,
    devices: createDevices({ ...parts, consents }),
    grants: createGrants({ ...parts, applicationCodes }),
    accessTokens: createAccessTokens(parts),
    idTokens: createIdTokens(parts),
    logoutDelivery: createLogoutDelivery({ ...parts, outbound: parts.backchannel }),
    pushedRequests: createPushedRequests(parts),
    trials: createTrials(parts),
    revocation: createRevocation(parts),
  };
}

/** Registered applications, their keys and tokens, and what they may request. */
function createRegistered(deps: AuthDeps, issuer: string) {
  const assertions = createAssertions({ ...deps, issuer });
  return {
    clients: createClients({ ...deps, issuer, assertions }),
    machineTokens: createMachineTokens(deps),
    resources: createResources(deps),
    refusals: createRefusals(deps),
  };
}

/** The names of resources: the center's own is where tokens say that it is. */
function createNames(places: AuthOptions["places"], issuer: string) {
  return createResourceNames({ ...places, ...(issuer === "" ? {} : { auth: [issuer] }) });
}

/** Options of the auth center; by default, limits count in this process only, and a pause is real time. */
export interface AuthOptions extends Omit<AuthDeps, "expiry" | "limits" | "pause" | "outbound"> {
  readonly limits?: LimitSource;
  readonly pause?: AuthDeps["pause"];
  /** Reaches public addresses alone unless told. */
  readonly outbound?: AuthDeps["outbound"];
  /** Reaches applications for back-channel logout; without it, notifications wait. */
  readonly backchannel?: Outbound;
  /** Of JWTs; the public address unless told, "" while none is known. */
  readonly issuer?: string;
  /** Where the install's other services are reached. */
  readonly places?: Pick<ResourcePlaces, "shop" | "monitor">;
  /** Whether people reach the center on this machine alone; as the issuer says unless told. */
  readonly isLoopback?: boolean;
}

/** Profiles and check-ins. */
function createPeople(deps: AuthDeps) {
  return {
    profiles: createProfiles(deps),
    avatars: createAvatars(deps),
    checkIns: createCheckIns(deps),
    likes: createLikes(deps),
    directory: createDirectory(deps),
  };
}

function createSweep(
  parts: AuthDeps & Pick<ReturnType<typeof createAccess>, "signingKeys"> & { logoutDelivery: LogoutDelivery },
) {
  const { store, clock, expiry, outbox, signingKeys, logoutDelivery } = parts;
  const foreignHashes = createForeignHashSearch(parts);
  return async (): Promise<number> => {
    await signingKeys.sweep();
    const swept = [
      await sweepRecords(store, expiry.now()),
      await sweepPurge(store, expiry.now()),
      await sweepEvents(store, clock),
      await outbox.sweep(),
      await logoutDelivery.sweep(),
      await foreignHashes.step(),
    ];
    return swept.reduce((sum, count) => sum + count, 0);
  };
}

/** All parts by name; only the composition, the application and tests take them whole. */
export type Auth = ReturnType<typeof createAuth>;

function isOnLoopback(issuer: string): boolean {
  return !URL.canParse(issuer) || isLoopbackHost(new URL(issuer).hostname.replace(/^\[|\]$/gu, ""));
}

export function createAuth({
  limits,
  pause,
  outbound,
  backchannel,
  publicUrl,
  issuer,
  places,
  isLoopback,
  ...given
}: AuthOptions) {
  const deps: AuthDeps = {
    ...given,
    publicUrl,
    store: withAuditKey(given.store, given.box),
    limits: limits ?? createLocalLimits(given.clock),
    outbound: outbound ?? createUpstreamOutbound({ allowPrivate: false }),
    expiry: createForwardClock(given.clock),
    pause: pause ?? ((ms) => new Promise((resolve) => setTimeout(resolve, Math.ceil(ms)))),
  };
  const knownIssuer = issuer ?? publicUrl ?? "";
  const access = createAccess(deps);
  const activity = createActivity(deps);
  const parts = { ...deps, ...access, activity, relyingParty: findRelyingParty(knownIssuer) };
  const resourceNames = createNames(places, knownIssuer);
  const forApplications = createSignInForApplications({
    ...parts,
    issuer: knownIssuer,
    backchannel,
    resourceNames,
  });
  const flows = createFlows({ ...deps, issuer: knownIssuer });
  return {
    ...parts,
    publicUrl,
    issuer: knownIssuer,
    applications: createUsedApplications(parts),
    flows,
    upstreams: createUpstreams({ ...deps, issuer: knownIssuer, flows }),
    ...createPeople(deps),
    userAdmin: createUserAdmin(parts),
    userChanges: createUserChanges(deps),
    userActions: createUserActions(deps),
    userActivity: createUserActivity(parts),
    adminEmails: createAdminEmails(deps),
    passwordLinks: createPasswordLinks(deps),
    administration: createAdministration({ ...deps, isLoopback: isLoopback ?? isOnLoopback(knownIssuer) }),
    impersonation: createImpersonation(parts),
    userImport: createUserImport({ ...deps, issuer: knownIssuer }),
    userExport: createUserExport(deps),
    settingsAdmin: createSettingsAdmin(deps),
    invites: createInvites(deps),
    approvalNotices: createApprovalNotices(deps),
    changeNotices: createChangeNotices(deps),
    ...createRegistered(deps, knownIssuer),
    resourceNames,
    forward: createForward(parts),
    ...forApplications,
    passkeys: createPasskeys(parts),
    passkeySignIn: createPasskeySignIn(parts),
    groups: createGroups(deps),
    roles: createRoles(deps),
    operation: createOperation(deps),
    mailPreviews: createMailPreviews(deps),
    /**
     * Removes what has expired, at most a few hundred of each kind, looks for foreign hashes in a few hundred
     * accounts, and says how many records that were; call it every minute, and sooner after many.
     */
    sweep: createSweep({ ...parts, ...forApplications }),
  };
}
