/** Administration of alerts: rules, incidents, and what is pending and firing now. */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../../kit/http/app.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { pageQuerySchema, pageSchema, toPageView } from "../../../kit/http/paging.ts";
import { jsonResponse } from "../../../kit/http/schemas.ts";
import { alertRuleFieldsSchema, alertRulePatchSchema, ruleSchemaWith } from "../schema.ts";
import {
  type AlertRuleView,
  type AlertSummary,
  type IncidentView,
  alertRuleViewSchema,
  alertSummarySchema,
  incidentViewSchema,
  toAlertSummary,
  toIncidentView,
  toRuleView,
} from "./alert-view.ts";
import { type IncidentBulkParts, addIncidentBulkRoute } from "./bulk-routes.ts";
import { addDependencyRoute } from "./dependency-routes.ts";
import type { Alerts } from "../alerts.ts";
import type { WatchedRef } from "../kinds/watched.ts";
import { serverIdSchema } from "../../base/schema.ts";
import { type GuardEnv } from "../../edge/admin-env.ts";
import { adminRoute, createRoute, resourceRoutes } from "../../edge/create-route.ts";

export interface AlertRoutesOptions extends IncidentBulkParts {
  readonly alerts: Alerts;
  readonly guard: MiddlewareHandler<GuardEnv>;
  readonly clock: Clock;
  /** The mute of a server or check, while it lasts. */
  readonly findMute: (ref: WatchedRef) => IncidentView["mute"];
  /** When the planned maintenance that a server or check is in ends, epoch milliseconds. */
  readonly findMaintenanceEnd: (ref: WatchedRef) => number | undefined;
}

const RULE_ID = "alr_01jd5v6m0c8f3k2n7q4x9y1z5a";
const INCIDENT_ID = "inc_01jd5w7n1d9g4m3p8r5y0z2a6b";
const exampleRule = {
  ...({ kind: "offline", name: "Server offline", enabled: true } as const),
  scope: { type: "all" },
  allChannels: false,
  channelIds: ["chn_01jd5v6m0c8f3k2n7q4x9y1z5a"],
  severity: "critical",
  remindEveryHours: 0,
  escalation: [{ afterMinutes: 15, channelIds: ["chn_01jd5v6m0c8f3k2n7q4x9y1z5b"] }],
  graceSeconds: 120,
  recoverSeconds: 0,
} as const;
const exampleView: AlertRuleView = {
  ...exampleRule,
  channelIds: [...exampleRule.channelIds],
  escalation: [{ afterMinutes: 15, channelIds: ["chn_01jd5v6m0c8f3k2n7q4x9y1z5b"] }],
  id: RULE_ID,
  version: 1,
  createdAt: "2025-11-20T12:00:00+00:00",
  updatedAt: "2025-11-20T12:00:00+00:00",
};
const exampleIncident: IncidentView = {
  id: INCIDENT_ID,
  state: "open",
  ruleId: RULE_ID,
  ruleName: exampleRule.name,
  condition: { kind: "offline", graceSeconds: 120, recoverSeconds: 0 },
  severity: "critical",
  channelIds: [...exampleRule.channelIds],
  serverId: "web-1",
  serverName: "Web 1",
  since: "2025-11-20T12:00:00+00:00",
  openedAt: "2025-11-20T12:02:35+00:00",
  told: { down: true, up: false },
};
const exampleSummary: AlertSummary = {
  counts: { pending: 0, info: 0, warning: 0, critical: 1 },
  firing: [exampleIncident],
  pending: [],
  now: "2025-11-20T12:03:20+00:00",
};

const version = z.number().int().min(1).optional();
const replaceSchema = ruleSchemaWith({ version });
const changeSchema = alertRulePatchSchema.extend({ version });

function idParams(example: string) {
  return z.object({
    id: z
      .string()
      .min(1)
      .max(64)
      .openapi({ param: { name: "id", in: "path" }, example }),
  });
}
const ruleParams = idParams(RULE_ID);

const incidentQuery = pageQuerySchema.extend({
  state: z.enum(["open", "closed"]).optional().openapi({ description: "State of the incidents" }),
  serverId: serverIdSchema.optional().openapi({ description: "ID of a server" }),
  checkId: z.string().min(1).max(64).optional().openapi({ description: "ID of a check" }),
  ruleId: z.string().min(1).max(64).optional().openapi({ description: "ID of an alert rule" }),
});

function addRuleRoutes(app: ServiceApp, { alerts: { rules }, guard }: AlertRoutesOptions): void {
  resourceRoutes(app, {
    route: adminRoute("alerts", guard),
    path: "/api/admin/alert-rules",
    name: "AlertRule",
    noun: "alert rule",
    params: ruleParams,
    view: alertRuleViewSchema,
    example: exampleView,
    show: toRuleView,
    listAll: {
      summary: "List all alert rules, oldest first. Without rules, no notifications are sent",
      run: rules.list,
    },
    get: { run: rules.get },
    create: {
      summary: "Create an alert rule. Its alerts are sent to its channels",
      body: alertRuleFieldsSchema,
      example: exampleRule,
      errors: ["conflict"],
      run: (rule, { actor }) => rules.create(rule, actor),
    },
    replace: {
      summary: "Replace an alert rule. A changed condition closes the open incidents of the rule",
      body: replaceSchema,
      example: { ...exampleRule, version: 1 },
      run: (id, rule, by) => rules.replace(id, { rule, ...by }),
    },
    change: {
      summary: "Change some fields of an alert rule",
      body: changeSchema,
      example: { enabled: false },
      run: (id, patch, by) => rules.change(id, { patch, ...by }),
    },
    remove: {
      summary: "Delete an alert rule. Its open incidents are closed",
      run: (id, { actor }) => rules.remove(id, actor),
    },
  });
}

function addIncidentRoutes(app: ServiceApp, { alerts, guard }: AlertRoutesOptions): void {
  const adminListIncidents = createRoute({
    ...adminRoute("alerts", guard),
    method: "get",
    path: "/api/admin/incidents",
    operationId: "adminListIncidents",
    summary: "List incidents, newest first. A page can be shorter than `limit` without being the last",
    request: { query: incidentQuery },
    responses: {
      200: jsonResponse("A page of incidents", pageSchema(incidentViewSchema), {
        items: [exampleIncident],
      }),
    },
  });
  app.openapi(adminListIncidents, async (c) => {
    const page = await alerts.incidents.list(c.req.valid("query"));
    return c.json(toPageView(page, toIncidentView), 200);
  });

  const adminAcknowledgeIncident = createRoute({
    ...adminRoute("alerts", guard),
    method: "post",
    path: "/api/admin/incidents/{id}/acknowledge",
    operationId: "adminAcknowledgeIncident",
    summary: "Acknowledge an incident. Its reminders stop",
    request: { params: idParams(INCIDENT_ID) },
    responses: {
      200: jsonResponse("The incident", incidentViewSchema, {
        ...exampleIncident,
        acknowledgedAt: "2025-11-20T12:05:00+00:00",
        acknowledgedBy: "token",
      }),
    },
  });
  app.openapi(adminAcknowledgeIncident, async (c) => {
    const incident = await alerts.incidents.acknowledge(c.req.valid("param").id, c.var.actor);
    return c.json(toIncidentView(incident), 200);
  });
}

function addSummaryRoute(
  app: ServiceApp,
  { alerts, guard, clock, findMaintenanceEnd, findMute }: AlertRoutesOptions,
): void {
  const route = createRoute({
    ...adminRoute("alerts", guard),
    method: "get",
    path: "/api/admin/alerts",
    operationId: "adminGetAlerts",
    summary: "Get the pending and firing alerts",
    responses: { 200: jsonResponse("The alerts", alertSummarySchema, exampleSummary) },
  });
  app.openapi(route, (c) => {
    const findCauses = (ref: WatchedRef) => alerts.dependencies.findCausesOf(ref);
    const at = { now: clock.now(), nowMs: clock.monotonic(), findMaintenanceEnd, findMute, findCauses };
    return c.json(toAlertSummary({ firing: alerts.firing(), pending: alerts.pending() }, at), 200);
  });
}

/** Adds the routes for alert rules, incidents and present alerts. */
export function addAlertRoutes(app: ServiceApp, options: AlertRoutesOptions): void {
  addSummaryRoute(app, options);
  addDependencyRoute(app, options);
  addRuleRoutes(app, options);
  addIncidentBulkRoute(app, options);
  addIncidentRoutes(app, options);
}
