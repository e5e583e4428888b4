/** The collections of alert rules and incidents. */
import { defineCollection } from "../../store/store.ts";
import { alertRuleRecordSchema, incidentRecordSchema } from "./schema.ts";

export const alertRules = defineCollection({
  name: "alertRules",
  revision: 1,
  schema: alertRuleRecordSchema,
});

export const incidents = defineCollection({
  name: "incidents",
  revision: 1,
  schema: incidentRecordSchema,
  unique: {
    open: ["openKey"],
    once: ["ruleId", "ruleRevision", "serverId", "serverCreatedAt", "occasion"],
    onceOfCheck: ["ruleId", "ruleRevision", "checkId", "checkCreatedAt", "occasion"],
  },
  ordered: {
    byTime: ["openedAt"],
    byState: ["state", "openedAt"],
    byServer: ["serverId", "openedAt"],
    byCheck: ["checkId", "openedAt"],
    byRule: ["ruleId", "openedAt"],
    byOwed: ["owed"],
    byResolvedAt: ["resolvedAt"],
  },
});
