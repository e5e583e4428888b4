/** The auth center's collections and indexes, declared once for every store. */
import { adminTokenCheckCollection } from "../records/admin-token-watch.ts";
import { auditCollection, auditHeadCollection } from "../records/audit-chain.ts";
import { outboxCollection } from "../records/outbox.ts";
import { settingsRecordSchema } from "../records/settings.ts";
import { defineCollection } from "../store/store.ts";
import {
  accessRecordSchema,
  avatarRecordSchema,
  checkInRecordSchema,
  clientRecordSchema,
  eventRecordSchema,
  inviteRecordSchema,
  likeRecordSchema,
  stateRecordSchema,
} from "./ledger-schema.ts";
import {
  attemptRecordSchema,
  challengeRecordSchema,
  codeRecordSchema,
  linkRecordSchema,
  sessionRecordSchema,
  signingKeyRecordSchema,
} from "./sessions/schema.ts";
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

export const clients = defineCollection({ name: "clients", revision: 1, schema: clientRecordSchema });

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
  ordered: { byUser: ["userId"], byAt: ["at"] },
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
  codes,
  challenges,
  links,
  attempts,
  signingKeys,
  checkIns,
  likes,
  avatars,
  invites,
  clients,
  access,
  events,
  auditCollection,
  auditHeadCollection,
  adminTokenCheckCollection,
  settings,
  state,
  outboxCollection,
] as const;
