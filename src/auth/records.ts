/** The auth center's collections and indexes, declared once for every store. */
import { adminTokenCheckCollection } from "../records/admin-token-watch.ts";
import { auditCollection, auditHeadCollection } from "../records/audit-chain.ts";
import { outboxCollection } from "../records/outbox-record.ts";
import { apiKeys } from "../records/rights/schema.ts";
import { consoleSessions } from "../records/console-sessions.ts";
import { settingsRecordSchema } from "../records/settings.ts";
import { roleRecordSchema } from "./roles/schema.ts";
import { defineCollection } from "../store/store.ts";
import {
  accessRecordSchema,
  avatarRecordSchema,
  checkInRecordSchema,
  eventRecordSchema,
  inviteRecordSchema,
  likeRecordSchema,
  stateRecordSchema,
} from "./ledger-schema.ts";
import { machineTokenRecordSchema, usedAssertionRecordSchema } from "./machines/schema.ts";
import { resourceRecordSchema } from "./resources/schema.ts";
import { refusalRecordSchema } from "./refusals/schema.ts";
import { clientRecordSchema, originRecordSchema } from "./applications/schema.ts";
import { answeredChallengeRecordSchema, passkeyRecordSchema } from "./passkeys/schema.ts";
import { upstreamLinkRecordSchema, upstreamRecordSchema, usedStateRecordSchema } from "./upstream/schema.ts";
import { consentRecordSchema, deviceRequestRecordSchema } from "./oidc/schema.ts";
import { groupRecordSchema, membershipRecordSchema } from "./groups/schema.ts";
import {
  applicationCodeRecordSchema,
  attemptRecordSchema,
  challengeRecordSchema,
  codeRecordSchema,
  linkRecordSchema,
  logoutRecordSchema,
  pushedRequestRecordSchema,
  sessionRecordSchema,
} from "./sessions/schema.ts";
import { signingKeyRecordSchema } from "./signing-keys/schema.ts";
import {
  emailRecordSchema,
  profileRecordSchema,
  registrationRecordSchema,
  userRecordSchema,
} from "./accounts/schema.ts";

export const users = defineCollection({
  name: "users",
  revision: 1,
  schema: userRecordSchema,
  unique: { byUsername: ["usernameLower"], byEmail: ["emailLower"] },
  ordered: {
    byStatus: ["status"],
    byRole: ["role"],
    byName: ["usernameLower"],
    byCreated: ["createdAt"],
    byLastLogin: ["lastLoginAt"],
    byPurgeAfter: ["purgeAfter"],
    bySuspendedUntil: ["suspendedUntil"],
  },
});

export const profiles = defineCollection({
  name: "profiles",
  revision: 1,
  schema: profileRecordSchema,
  ordered: {
    byUsername: ["listed", "usernameLower"],
    byJoined: ["listed", "joinedAt"],
    byLikes: ["listed", "likes"],
  },
});

export const registrations = defineCollection({
  name: "registrations",
  revision: 1,
  schema: registrationRecordSchema,
  unique: { byUsername: ["usernameLower"] },
  ordered: { byEmail: ["emailLower"], byExpiresAt: ["expiresAt"] },
});

export const emails = defineCollection({
  name: "emails",
  revision: 1,
  schema: emailRecordSchema,
  unique: { byVerified: ["verifiedLower"] },
  ordered: { byUser: ["userId"] },
});

export const sessions = defineCollection({
  name: "sessions",
  revision: 1,
  schema: sessionRecordSchema,
  unique: { byAccess: ["accessHash"], byPreviousAccess: ["previousAccessHash"], byFamily: ["familyId"] },
  ordered: { byUser: ["userId"], byExpiresAt: ["expiresAt"] },
});

export const codes = defineCollection({
  name: "codes",
  revision: 2,
  schema: codeRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"] },
});

export const challenges = defineCollection({
  name: "challenges",
  revision: 1,
  schema: challengeRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"], byUser: ["userId"] },
});

export const passkeys = defineCollection({
  name: "passkeys",
  revision: 1,
  schema: passkeyRecordSchema,
  unique: { byCredential: ["credentialId"] },
  ordered: { byUser: ["userId"] },
});

/** Of passkeys. */
export const answeredChallenges = defineCollection({
  name: "answeredChallenges",
  revision: 1,
  schema: answeredChallengeRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"] },
});

export const links = defineCollection({
  name: "links",
  revision: 1,
  schema: linkRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"], byUser: ["userId"] },
});

export const attempts = defineCollection({
  name: "attempts",
  revision: 1,
  schema: attemptRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"] },
});

export const signingKeys = defineCollection({
  name: "signingKeys",
  revision: 1,
  schema: signingKeyRecordSchema,
});

export const checkIns = defineCollection({
  name: "checkIns",
  revision: 1,
  schema: checkInRecordSchema,
  ordered: { byUserDay: ["userId", "day"], byDay: ["day"] },
});

export const likes = defineCollection({
  name: "likes",
  revision: 1,
  schema: likeRecordSchema,
  ordered: { byProfile: ["profileId"], byLiker: ["likerId"] },
});

export const avatars = defineCollection({ name: "avatars", revision: 1, schema: avatarRecordSchema });

export const invites = defineCollection({
  name: "invites",
  revision: 1,
  schema: inviteRecordSchema,
  unique: { byCode: ["codeHash"] },
  checks: { uses: { field: "usedCount", atLeast: 0, atMost: { field: "maxUses" } } },
});

export const clients = defineCollection({ name: "clients", revision: 2, schema: clientRecordSchema });
export const origins = defineCollection({ name: "origins", revision: 1, schema: originRecordSchema });

/** Where applications act for people, besides the install's own services. */
export const resources = defineCollection({
  name: "resources",
  revision: 1,
  schema: resourceRecordSchema,
  unique: { byIdentifier: ["identifier"] },
});

/** Of applications that administer in their own name. */
export const machineTokens = defineCollection({
  name: "machineTokens",
  revision: 1,
  schema: machineTokenRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"] },
});

export const usedAssertions = defineCollection({
  name: "usedAssertions",
  revision: 1,
  schema: usedAssertionRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"] },
});

export const refusals = defineCollection({
  name: "refusals",
  revision: 1,
  schema: refusalRecordSchema,
  ordered: { byClient: ["clientId", "at"], byUser: ["userId"], byExpiresAt: ["expiresAt"] },
});

export const applicationCodes = defineCollection({
  name: "applicationCodes",
  revision: 1,
  schema: applicationCodeRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"] },
});

/** What people allowed applications to get. */
export const consents = defineCollection({
  name: "consents",
  revision: 1,
  schema: consentRecordSchema,
  ordered: { byUser: ["userId"] },
});

/** Devices that wait for a person. */
export const deviceRequests = defineCollection({
  name: "deviceRequests",
  revision: 1,
  schema: deviceRequestRecordSchema,
  unique: { byUserCode: ["userCodeMac"] },
  ordered: { byExpiresAt: ["expiresAt"], byUser: ["userId"] },
});

export const pushedRequests = defineCollection({
  name: "pushedRequests",
  revision: 1,
  schema: pushedRequestRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"] },
});

export const logouts = defineCollection({
  name: "logouts",
  revision: 1,
  schema: logoutRecordSchema,
  ordered: { byDue: ["nextAttemptAt"], byExpiresAt: ["expiresAt"] },
});

export const roles = defineCollection({
  name: "roles",
  revision: 1,
  schema: roleRecordSchema,
  unique: { byName: ["nameKey"] },
});

export const groups = defineCollection({ name: "groups", revision: 1, schema: groupRecordSchema });

export const memberships = defineCollection({
  name: "memberships",
  revision: 1,
  schema: membershipRecordSchema,
  ordered: { byGroup: ["groupId", "userId"], byUser: ["userId"] },
});

export const upstreams = defineCollection({
  name: "upstreams",
  revision: 1,
  schema: upstreamRecordSchema,
  unique: { byIssuer: ["issuer"] },
});

export const upstreamLinks = defineCollection({
  name: "upstreamLinks",
  revision: 1,
  schema: upstreamLinkRecordSchema,
  unique: { byIdentity: ["issuer", "subject"] },
  ordered: { byUser: ["userId"] },
});

export const usedStates = defineCollection({
  name: "usedStates",
  revision: 1,
  schema: usedStateRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"] },
});

export const access = defineCollection({
  name: "access",
  revision: 1,
  schema: accessRecordSchema,
  ordered: { byUser: ["userId"], byLastAt: ["lastAt"] },
});

export const events = defineCollection({
  name: "events",
  revision: 1,
  schema: eventRecordSchema,
  ordered: { byUser: ["userId"], byAt: ["at"], byKind: ["kind", "at"] },
});

export const settings = defineCollection({ name: "settings", revision: 1, schema: settingsRecordSchema });
export const state = defineCollection({ name: "state", revision: 1, schema: stateRecordSchema });

/** Everything that the auth center's store must know at its start. */
export const authCollections = [
  users,
  profiles,
  registrations,
  emails,
  sessions,
  apiKeys,
  consoleSessions,
  codes,
  challenges,
  passkeys,
  answeredChallenges,
  links,
  attempts,
  signingKeys,
  checkIns,
  likes,
  avatars,
  invites,
  clients,
  origins,
  resources,
  machineTokens,
  usedAssertions,
  refusals,
  applicationCodes,
  consents,
  deviceRequests,
  pushedRequests,
  logouts,
  groups,
  roles,
  memberships,
  upstreams,
  upstreamLinks,
  usedStates,
  access,
  events,
  auditCollection,
  auditHeadCollection,
  adminTokenCheckCollection,
  settings,
  state,
  outboxCollection,
] as const;
