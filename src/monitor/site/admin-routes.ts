/** Administration of what is not a server: the settings, the audit log. */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import { auditVerdictSchema, exampleVerdict } from "../../records/audit-view.ts";
import { pageSchema, toPageView } from "../../kit/http/paging.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { toPatchSchema } from "../../records/settings-patch.ts";
import { listAudit, verifyAudit } from "../../records/audit.ts";
import type { Store } from "../../store/store.ts";
import type { DiskUse } from "../history/sizes.ts";
import type { Settings } from "./settings.ts";
import { type SettingsView, diskUseSchema, settingsEnvironmentSchema, settingsViewSchema } from "./schema.ts";
import { auditEntrySchema } from "../fleet/view-schema.ts";
import { type SettingsFields, type SettingsRecord, settingsFieldsSchema } from "../base/schema.ts";
import { type GuardEnv } from "../edge/admin-env.ts";
import { adminRoute, createRoute } from "../edge/create-route.ts";

const auditQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(512).optional(),
  action: z.string().max(64).optional().openapi({ description: "Prefix of the action", example: "server." }),
  target: z.string().max(255).optional().openapi({ description: "Target of the action" }),
});
const auditPage = pageSchema(auditEntrySchema);
const settingsView = settingsViewSchema.extend({
  environment: settingsEnvironmentSchema.clone().openapi({ description: "Read-only", readOnly: true }),
  history: diskUseSchema.clone().openapi({ description: "Read-only", readOnly: true }),
});
const settingsBody = toPatchSchema(settingsFieldsSchema).extend({
  version: z.number().int().min(0).optional(),
  environment: settingsEnvironmentSchema
    .optional()
    .openapi({ description: "Ignored in requests, so that a response can be sent back" }),
  history: diskUseSchema
    .optional()
    .openapi({ description: "Ignored in requests, so that a response can be sent back" }),
});
const exampleSettings = {
  siteTitle: "Trivet monitor",
  theme: "auto",
  snapshotIntervalMs: 2_000,
  rawRetentionMinutes: 15,
  retention: { minuteHours: 24, tenMinuteDays: 14, hourDays: 90, dayDays: 730 },
  language: "en",
  timeZone: "Europe/Berlin",
  publicUrl: "https://status.example.org",
  privateReceivers: false,
  privateTargets: false,
};
const settingsChanges = [
  { method: "patch", operationId: "adminChangeSettings", summary: "Change some settings" },
  {
    method: "put",
    operationId: "adminReplaceSettings",
    summary: "Same as PATCH: omitted fields keep their values",
  },
] as const;
const exampleUse = { servers: 40, bytesOnDisk: 31_457_280, estimatedBytes: 62_914_560 };

export interface SiteRoutesOptions {
  readonly settings: Settings;
  /** Disk usage of the history, now and expected. */
  readonly historyUse: () => Promise<DiskUse>;
  /** Where the audit lies. */
  readonly store: Store;
  readonly guard: MiddlewareHandler<GuardEnv>;
  /** Settings from the environment. */
  readonly environment: SettingsView["environment"];
  /** Called when the settings were changed. */
  readonly onSettings: (settings: SettingsFields) => void;
}

async function toSettingsView(
  { id: _id, ...settings }: SettingsRecord,
  { environment: given, historyUse: findUse }: SiteRoutesOptions,
): Promise<z.infer<typeof settingsView>> {
  return { ...settings, environment: given, history: await findUse() };
}

function addSettingsRoutes(app: ServiceApp, options: SiteRoutesOptions): void {
  const adminGetSettings = createRoute({
    ...adminRoute("settings", options.guard),
    method: "get",
    path: "/api/admin/settings",
    operationId: "adminGetSettings",
    summary: "The settings",
    responses: {
      200: {
        description: "The settings",
        content: {
          "application/json": {
            schema: settingsView,
            example: {
              ...exampleSettings,
              version: 1,
              environment: { privateReceivers: false, privateTargets: false },
              history: exampleUse,
            },
          },
        },
      },
    },
    errors: ["store_unavailable"],
  });
  app.openapi(adminGetSettings, async (c) => {
    return c.json(await toSettingsView(await options.settings.read(), options), 200);
  });

  for (const change of settingsChanges) {
    const route = createRoute({
      ...adminRoute("settings", options.guard),
      ...change,
      // These settings say who administers.
      "x-scope": "administrator",
      path: "/api/admin/settings",
      request: {
        body: jsonBody(settingsBody, { ...exampleSettings, version: 1 }),
      },
      responses: {
        200: {
          description: "The updated settings",
          content: { "application/json": { schema: settingsView } },
        },
      },
      errors: [...writeErrors, "version_conflict"],
    });
    app.openapi(route, async (c) => {
      const { version, history: _history, environment: _environment, ...patch } = c.req.valid("json");
      const settings = await options.settings.change({ patch, version, actor: c.var.actor });
      options.onSettings(settings);
      return c.json(await toSettingsView(settings, options), 200);
    });
  }
}

function addAuditRoutes(app: ServiceApp, options: SiteRoutesOptions): void {
  const adminListAudit = createRoute({
    ...adminRoute("audit", options.guard),
    method: "get",
    path: "/api/admin/audit",
    operationId: "adminListAudit",
    summary: "List audit entries, newest first. A page can be shorter than `limit` without being the last",
    request: {
      query: auditQuery,
    },
    responses: {
      200: { description: "A page of entries", content: { "application/json": { schema: auditPage } } },
    },
  });
  app.openapi(adminListAudit, async (c) => {
    const page = await listAudit(options.store, c.req.valid("query"));
    return c.json(
      toPageView(page, ({ version: _version, clientId: _clientId, at, ...entry }) => ({
        ...entry,
        at: toIsoTime(at),
      })),
      200,
    );
  });

  const adminVerifyAudit = createRoute({
    ...adminRoute("audit", options.guard),
    method: "get",
    path: "/api/admin/audit/verify",
    operationId: "adminVerifyAudit",
    summary: "Verify that the audit log has not been changed",
    responses: { 200: jsonResponse("The result", auditVerdictSchema, exampleVerdict) },
    errors: ["store_unavailable"],
  });
  app.openapi(adminVerifyAudit, async (c) => c.json(await verifyAudit(options.store), 200));
}

/** Adds the routes for settings and audit. */
export function addSiteRoutes(app: ServiceApp, options: SiteRoutesOptions): void {
  addSettingsRoutes(app, options);
  addAuditRoutes(app, options);
}
