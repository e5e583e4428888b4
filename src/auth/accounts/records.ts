import { defineCollection } from "../../store/store.ts";
import {
  userRecordSchema,
  profileRecordSchema,
  registrationRecordSchema,
  emailRecordSchema,
} from "./schema.ts";
import { accessRecordSchema, eventRecordSchema } from "./ledger-schema.ts";
import { upstreamLinkRecordSchema } from "./link-schema.ts";
import { passkeyRecordSchema } from "./passkey-schema.ts";

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

export const upstreamLinks = defineCollection({
  name: "upstreamLinks",
  revision: 1,
  schema: upstreamLinkRecordSchema,
  unique: { byIdentity: ["issuer", "subject"] },
  ordered: { byUser: ["userId"] },
});

export const passkeys = defineCollection({
  name: "passkeys",
  revision: 1,
  schema: passkeyRecordSchema,
  unique: { byCredential: ["credentialId"] },
  ordered: { byUser: ["userId"] },
});
