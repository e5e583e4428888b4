/** The monitor's collections and indexes, declared once for every store. */
import { adminTokenCheckCollection } from "../../records/admin-token-watch.ts";
import { auditCollection, auditHeadCollection } from "../../records/audit-chain.ts";
import { nodeLeases } from "../../records/node-leases.ts";
import { outboxCollection } from "../../records/outbox-record.ts";
import { apiKeys } from "../../records/rights/schema.ts";
import type { SecretCheck } from "../../records/secret-check.ts";
import { defineCollection } from "../../store/store.ts";
import { alertRules, incidents } from "../alerts/records.ts";
import { channels, notices, onCallReached } from "../channels/records.ts";
import { maintenances } from "../maintenance/records.ts";
import { checkEvents, checkStandings, checks, checkUpgrades } from "../checks/records.ts";
import { followerCollections } from "../status/followers/records.ts";
import { posts, statusPages } from "../status/records.ts";
import { heartbeatPings, heartbeatStates, heartbeatWatch } from "../heartbeats/records.ts";
import { secretCheckRecordSchema } from "../base/schema.ts";
import { servers } from "../fleet/records.ts";
import { serverParts } from "../parts/records.ts";
import { enrolments } from "../ingest/records.ts";
import { adminSessions, accessTokens } from "../access/records.ts";
import { settings, settingGroups } from "../site/records.ts";
import { months, bookmarks } from "../usage/records.ts";
import { owners } from "../base/records.ts";

/** The fingerprint of the secret that seals what the monitor keeps. */
export const secretChecks = defineCollection({
  name: "secretChecks",
  revision: 1,
  schema: secretCheckRecordSchema,
});

export const monitorSecretCheck: SecretCheck = {
  service: "monitor",
  kept: "this monitor was",
  sealed: "channel secrets, header values of checks and the password of the mail server",
  place: { collection: "secretChecks", id: "secret", path: ["check"] },
  read: async (tx) => {
    const record = await tx.get(secretChecks, "secret");
    return record && { check: record.check, lookups: (await tx.get(secretChecks, "lookups"))?.check };
  },
  write: async (tx, { check, lookups }) => {
    for (const [id, text] of [
      ["secret", check],
      ["lookups", lookups],
    ] as const) {
      if (text === undefined) continue;
      const before = await tx.get(secretChecks, id);
      if (before === undefined) await tx.insert(secretChecks, { id, check: text });
      else await tx.put(secretChecks, { ...before, check: text });
    }
  },
};

/** Everything that the monitor's store must know at its start. */
export const monitorCollections = [
  servers,
  serverParts,
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
  onCallReached,
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
