/** How the shop fares, for administrators: GET /api/admin/system-status. */
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import type { ShopDeps } from "../base/deps.ts";
import type { Collection } from "../../store/store.ts";
import { type StatusFacts, type SystemStatus, createSystemStatus } from "./system-status.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { toIsoTime, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import { createRoute } from "../edge/create-route.ts";
import { type SystemStatus as SystemStatusView, systemStatusSchema } from "./answer-schema.ts";

function toView(
  status: SystemStatus,
  { version, nowMs }: { version: string; nowMs: number },
): SystemStatusView {
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
    webhooks: providers.map(({ lastNoticeAt, ...provider }) => ({
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
    summary: "Get the status of the database, email, webhooks and background jobs, with warnings",
    responses: {
      200: jsonResponse("The status. The response is 200 even if something fails", systemStatusSchema),
    },
    errors: ["store_unavailable"],
  });
  app.openapi(route, async (c) => {
    c.header("cache-control", "no-store");
    const status = await readStatus();
    return c.json(toView(status, { version: options.version, nowMs: options.clock.now() }), 200);
  });
}
