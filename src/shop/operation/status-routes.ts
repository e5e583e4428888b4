/** How the shop fares, for administrators: GET /api/admin/system-status. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import type { ShopDeps } from "../base/deps.ts";
import type { Collection } from "../../store/store.ts";
import { type StatusFacts, type SystemStatus, createSystemStatus } from "./system-status.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { warningsSchema } from "../settings/views.ts";
import { isoTimeSchema, toIsoTime, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import { createRoute } from "../edge/create-route.ts";

const checkSchema = z.enum(["ok", "failing", "unknown"]);

const statusSchema = z
  .object({
    version: z.string(),
    timestamp: isoTimeSchema,
    runtime: z
      .object({
        uptimeSeconds: z.int(),
        residentBytes: z.int(),
        heapUsedBytes: z.int(),
        eventLoopDelayMaxMs: z.int().openapi({ description: "Longest since the reading before" }),
      })
      .optional(),
    store: z.object({
      status: checkSchema,
      kind: z.enum(["files", "postgresql"]).optional(),
      records: z.int(),
    }),
    program: z.string().optional().openapi({ description: 'What runs it, such as "node 22.12.0"' }),
    disk: z
      .object({ freeBytes: z.int(), totalBytes: z.int() })
      .optional()
      .openapi({ description: "Of the disk that the data folder is on" }),
    hasBackups: z.boolean().optional().openapi({ description: "Whether there is a place for them" }),
    backups: z
      .object({
        lastAt: isoTimeSchema.optional(),
        nextAt: isoTimeSchema.optional(),
        failure: z.string().optional(),
      })
      .optional(),
    auth: checkSchema.openapi({ description: "Whether the auth center answers" }),
    smtp: z.object({
      state: z.enum(["on", "environment", "off"]),
      host: z.string(),
    }),
    outbox: z.object({ waiting: z.int(), failed: z.int(), sent: z.int() }),
    webhooks: z.array(
      z.object({
        word: z.string(),
        enabled: z.boolean(),
        secretSet: z.boolean(),
        lastNoticeAt: isoTimeSchema.optional(),
        unverified: z.int().openapi({ description: "Of the newest 200 notices" }),
        openReviews: z.int(),
        clockSkewMs: z.number().optional(),
      }),
    ),
    jobs: z.array(
      z.object({ name: z.string(), lastRunAt: isoTimeSchema.optional(), lastError: z.string().optional() }),
    ),
    warnings: warningsSchema,
  })
  .openapi("SystemStatus");

function toView(
  status: SystemStatus,
  { version, nowMs }: { version: string; nowMs: number },
): z.infer<typeof statusSchema> {
  const { providers, jobs, backups, ...rest } = status;
  return {
    ...rest,
    version,
    timestamp: toIsoTime(nowMs),
    backups: backups && {
      lastAt: toIsoTimeIfAny(backups.lastAt),
      nextAt: toIsoTimeIfAny(backups.nextAt),
      failure: backups.failure,
    },
    webhooks: providers.map(({ lastNoticeAt, isSilent: _isSilent, ...provider }) => ({
      ...provider,
      lastNoticeAt: toIsoTimeIfAny(lastNoticeAt),
    })),
    jobs: jobs.map((job) => ({ ...job, lastRunAt: toIsoTimeIfAny(job.lastRunAt) })),
  };
}

interface AdminStatusOptions extends Pick<ShopDeps, "store" | "clock" | "box"> {
  readonly admin: AdminGuard;
  readonly version: string;
  readonly facts: StatusFacts;
  /** Everything that the shop stores. */
  readonly collections: readonly Collection[];
}

/** Adds /api/admin/system-status. */
export function addAdminStatusRoutes(app: ServiceApp, options: AdminStatusOptions): void {
  const readStatus = createSystemStatus(options, options.facts);
  const route = createRoute({
    ...adminRoute("admin operation", options.admin),
    method: "get",
    path: "/api/admin/system-status",
    operationId: "adminGetSystemStatus",
    "x-scope": "shop-settings:read",
    summary: "How store, mail, webhooks and jobs fare, and what is worth a look",
    responses: { 200: jsonResponse("The status; it is answered also while something fails", statusSchema) },
    errors: ["store_unavailable"],
  });
  app.openapi(route, async (c) => {
    c.header("cache-control", "no-store");
    const status = await readStatus();
    return c.json(toView(status, { version: options.version, nowMs: options.clock.now() }), 200);
  });
}
