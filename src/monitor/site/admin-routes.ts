/** Administration of what is not a server: the settings, the audit log. */
import { createRoute, z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import { auditVerdictSchema, exampleVerdict } from "../../records/audit-view.ts";
import { pageSchema, toPageView } from "../../kit/http/pages.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import { jsonBody, jsonResponse, problemResponses, writeErrors } from "../../kit/http/schemas.ts";
import { toPatchSchema } from "../../records/settings-patch.ts";
import { listAudit, verifyAudit } from "../../records/audit.ts";
import type { Store } from "../../store/store.ts";
import type { DiskUse } from "../history/sizes.ts";
import type { Settings } from "./settings.ts";
import { auditEntrySchema } from "../fleet/view-schema.ts";
import { type SettingsFields, settingsFieldsSchema } from "../schema.ts";
import { type GuardEnv, adminErrors, adminSecurity } from "../http/admin-guard.ts";

const auditQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(512).optional(),
  action: z
    .string()
    .max(64)
    .optional()
    .openapi({ description: "Only actions that begin so", example: "server." }),
  target: z.string().max(255).optional().openapi({ description: "Only what was done to this target" }),
});
const auditPage = pageSchema(auditEntrySchema);
const historyUse = z.strictObject({
  servers: z.number().int().openapi({ description: "Servers that the estimate is for" }),
  bytesOnDisk: z.number().int().openapi({ description: "What the history takes now" }),
  estimatedBytes: z
    .number()
    .int()
    .openapi({ description: "What it comes to once every tier is full, with as many servers as there are" }),
});
const settingsView = settingsFieldsSchema.extend({
  version: z.number().int(),
  history: historyUse.openapi({ description: "Read only", readOnly: true }),
});
const settingsBody = toPatchSchema(settingsFieldsSchema).extend({
  version: z.number().int().min(0).optional(),
  history: historyUse.optional().openapi({ description: "Ignored, so that an answer can be sent back" }),
});
const exampleSettings = {
  siteTitle: "Trivet monitor",
  theme: "auto",
  snapshotIntervalMs: 2_000,
  rawRetentionMinutes: 15,
  retention: { minuteHours: 24, tenMinuteDays: 14, hourDays: 90, dayDays: 730 },
};
const settingsChanges = [
  { method: "patch", operationId: "adminChangeSettings", summary: "Change some of the settings" },
  {
    method: "put",
    operationId: "adminReplaceSettings",
    summary: "The same as PATCH: what is left out stays as it is",
  },
] as const;
const exampleUse = { servers: 40, bytesOnDisk: 31_457_280, estimatedBytes: 62_914_560 };

export interface SiteRoutesOptions {
  readonly settings: Settings;
  /** What the history takes on disk, and will take. */
  readonly historyUse: () => Promise<DiskUse>;
  /** Where the audit lies. */
  readonly store: Store;
  readonly guard: MiddlewareHandler<GuardEnv>;
  /** Called when the settings were changed. */
  readonly onSettings: (settings: SettingsFields) => void;
}

function common(options: SiteRoutesOptions) {
  return { "x-access": "admin" as const, security: adminSecurity, middleware: options.guard };
}

function addSettingsRoutes(app: ServiceApp, options: SiteRoutesOptions): void {
  app.openapi(
    createRoute({
      ...common(options),
      method: "get",
      path: "/api/admin/settings",
      operationId: "adminGetSettings",
      tags: ["settings"],
      summary: "The settings",
      responses: {
        200: {
          description: "The settings",
          content: {
            "application/json": {
              schema: settingsView,
              example: { ...exampleSettings, version: 1, history: exampleUse },
            },
          },
        },
        ...problemResponses(...adminErrors, "store_unavailable"),
      },
    }),
    async (c) => {
      const { id: _id, ...settings } = await options.settings.read();
      return c.json({ ...settings, history: await options.historyUse() }, 200);
    },
  );

  for (const change of settingsChanges) {
    app.openapi(
      createRoute({
        ...common(options),
        ...change,
        path: "/api/admin/settings",
        tags: ["settings"],
        request: {
          body: jsonBody(settingsBody, { ...exampleSettings, version: 1 }),
        },
        responses: {
          200: {
            description: "The settings as they are now",
            content: { "application/json": { schema: settingsView } },
          },
          ...problemResponses(...adminErrors, ...writeErrors, "version_conflict"),
        },
      }),
      async (c) => {
        const { version, history: _history, ...patch } = c.req.valid("json");
        const { id: _id, ...settings } = await options.settings.change({
          patch,
          version,
          actor: c.var.actor,
        });
        options.onSettings(settings);
        return c.json({ ...settings, history: await options.historyUse() }, 200);
      },
    );
  }
}

function addAuditRoutes(app: ServiceApp, options: SiteRoutesOptions): void {
  app.openapi(
    createRoute({
      ...common(options),
      method: "get",
      path: "/api/admin/audit",
      operationId: "adminListAudit",
      tags: ["audit"],
      summary:
        "Who changed what, when; the newest first. A page can be shorter than `limit` and not the last",
      request: {
        query: auditQuery,
      },
      responses: {
        200: { description: "A page of entries", content: { "application/json": { schema: auditPage } } },
        ...problemResponses(...adminErrors, "bad_request", "invalid"),
      },
    }),
    async (c) => {
      const page = await listAudit(options.store, c.req.valid("query"));
      return c.json(
        toPageView(page, ({ version: _version, clientId: _clientId, at, ...entry }) => ({
          ...entry,
          at: toIsoTime(at),
        })),
        200,
      );
    },
  );

  app.openapi(
    createRoute({
      ...common(options),
      method: "get",
      path: "/api/admin/audit/verify",
      operationId: "adminVerifyAudit",
      tags: ["audit"],
      summary: "Whether the chain of entries is unbroken",
      responses: {
        200: jsonResponse("The verdict", auditVerdictSchema, exampleVerdict),
        ...problemResponses(...adminErrors, "store_unavailable"),
      },
    }),
    async (c) => c.json(await verifyAudit(options.store), 200),
  );
}

/** Adds the routes for settings and audit. */
export function addSiteRoutes(app: ServiceApp, options: SiteRoutesOptions): void {
  addSettingsRoutes(app, options);
  addAuditRoutes(app, options);
}
