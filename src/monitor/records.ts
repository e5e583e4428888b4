/** The monitor's collections and indexes, declared once for every store. */
import { adminTokenCheckCollection } from "../records/admin-token-watch.ts";
import { auditCollection, auditHeadCollection } from "../records/audit-chain.ts";
import { nodeLeases } from "../records/node-leases.ts";
import { outboxCollection } from "../records/outbox-record.ts";
import { apiKeys } from "../records/rights/schema.ts";
import type { SecretCheck } from "../records/secret-check.ts";
import { settingsRecordSchema as settingGroupSchema } from "../records/settings.ts";
import { defineCollection } from "../store/store.ts";
import { accessTokenRecordSchema } from "./access/schema.ts";
import { alertRules, incidents } from "./alerts/records.ts";
import { channels, notices } from "./channels/records.ts";
import { maintenances } from "./maintenance/records.ts";
import { checkEvents, checkStandings, checks, checkUpgrades } from "./checks/records.ts";
import { followerCollections } from "./status/followers/records.ts";
import { posts, statusPages } from "./status/records.ts";
import { bookmarkRecordSchema, monthRecordSchema } from "./usage/schema.ts";
import { heartbeatPings, heartbeatStates, heartbeatWatch } from "./heartbeats/records.ts";
import {
  adminSessionRecordSchema,
  enrolmentRecordSchema,
  ownerRecordSchema,
  secretCheckRecordSchema,
  serverRecordSchema,
  settingsRecordSchema,
} from "./schema.ts";

export const servers = defineCollection({
  name: "servers",
  revision: 1,
  schema: serverRecordSchema,
  ordered: { byDisplayOrder: ["displayOrder"] },
});

export const enrolments = defineCollection({
  name: "enrolments",
  revision: 1,
  schema: enrolmentRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"] },
});

export const adminSessions = defineCollection({
  name: "adminSessions",
  revision: 1,
  schema: adminSessionRecordSchema,
  ordered: { byExpiresAt: ["expiresAt"] },
});

/** Viewers' links, and tokens for /metrics. */
export const accessTokens = defineCollection({
  name: "accessTokens",
  revision: 1,
  schema: accessTokenRecordSchema,
});

export const settings = defineCollection({
  name: "settings",
  revision: 1,
  schema: settingsRecordSchema,
});

/** Groups of settings that hold secrets, apart from those that are shown whole. */
export const settingGroups = defineCollection({
  name: "settingGroups",
  revision: 1,
  schema: settingGroupSchema,
});

/** Usage: traffic and uptime by day, a record a server and month. */
export const months = defineCollection({
  name: "months",
  revision: 1,
  schema: monthRecordSchema,
  ordered: { byMonth: ["month"] },
});

/** Where counting of usage stands, a record a server. */
export const bookmarks = defineCollection({
  name: "bookmarks",
  revision: 1,
  schema: bookmarkRecordSchema,
});

/** Which node owns what: the leader's work, and the stream of each server. A record changes only with its owner. */
export const owners = defineCollection({
  name: "leads",
  revision: 1,
  schema: ownerRecordSchema,
});

/** The fingerprint of the secret that seals what the monitor keeps. */
export const secretChecks = defineCollection({
  name: "secretChecks",
  revision: 1,
  schema: secretCheckRecordSchema,
});

export const monitorSecretCheck: SecretCheck = {
  service: "monitor",
  kept: "this monitor was",
  sealed: "tokens of channels, header values of checks and the password of the mail server",
  place: { collection: "secretChecks", id: "secret", path: ["check"] },
  findOrStore: async (tx, check) => {
    const record =
      (await tx.get(secretChecks, "secret")) ?? (await tx.insert(secretChecks, { id: "secret", check }));
    return record.check;
  },
};

/** Everything that the monitor's store must know at its start. */
export const monitorCollections = [
  servers,
  enrolments,
  adminSessions,
  apiKeys,
  accessTokens,
  auditCollection,
  auditHeadCollection,
  adminTokenCheckCollection,
  settings,
  settingGroups,
  months,
  bookmarks,
  channels,
  notices,
  alertRules,
  maintenances,
  incidents,
  checks,
  checkStandings,
  checkEvents,
  checkUpgrades,
  heartbeatStates,
  heartbeatPings,
  heartbeatWatch,
  statusPages,
  posts,
  ...followerCollections,
  outboxCollection,
  secretChecks,
  owners,
  nodeLeases,
] as const;
