/** Backups of the data folder: what there is, and one more now. */
import type { MiddlewareHandler } from "hono";
import { AppError } from "../../kit/errors.ts";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { toIsoTime, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { writeAudit } from "../../records/audit.ts";
import type { Store } from "../../store/store.ts";
import { type GuardEnv } from "../edge/admin-env.ts";
import { type BackupsView, backupsSchema } from "./backup-schema.ts";
import { adminRoute, createRoute } from "../edge/create-route.ts";
import { FRESH_PROOF } from "../../records/rights/fresh-proof.ts";

export interface SiteBackups {
  overview(): Promise<{
    readonly folder: string;
    readonly everyHours: number;
    readonly keep: number;
    /** Epoch milliseconds, as all times here. */
    readonly nextAt: number | undefined;
    readonly runningSince: number | undefined;
    readonly failure: { readonly at: number; readonly message: string } | undefined;
    readonly found: readonly {
      readonly name: string;
      readonly createdAt: number;
      readonly sizeBytes: number;
      readonly files: number | undefined;
    }[];
  }>;
  /** Begins one. @throws AppError `conflict` while one is made */
  start(): void;
}

export interface BackupRoutesOptions {
  /** Undefined while there is no place for them. */
  readonly backups: SiteBackups | undefined;
  /** Whether the records are elsewhere, in PostgreSQL. */
  readonly isWithoutRecords: boolean;
  readonly store: Store;
  readonly clock: Clock;
  readonly guard: MiddlewareHandler<GuardEnv>;
}

const example: BackupsView = {
  items: [
    {
      name: "trivet-2026-01-02T03-04-05-678Z",
      createdAt: "2026-01-02T03:04:05.678+00:00",
      sizeBytes: 4_194_304,
      files: 31,
    },
  ],
  folder: "/var/lib/trivet-backups",
  everyHours: 24,
  keep: 7,
  nextAt: "2026-01-03T03:04:05.678+00:00",
};

async function toView({ backups, isWithoutRecords }: BackupRoutesOptions): Promise<BackupsView> {
  if (backups === undefined) return { items: [] };
  const { found, nextAt, runningSince, failure, ...plan } = await backups.overview();
  return {
    ...plan,
    withoutRecords: isWithoutRecords || undefined,
    items: found.map((one) => ({ ...one, createdAt: toIsoTime(one.createdAt) })),
    nextAt: toIsoTimeIfAny(nextAt),
    runningSince: toIsoTimeIfAny(runningSince),
    failure: failure && { ...failure, at: toIsoTime(failure.at) },
  };
}

/** Adds GET and POST /api/admin/backups. */
export function addBackupRoutes(app: ServiceApp, options: BackupRoutesOptions): void {
  const { backups, store, clock, guard } = options;
  const common = { ...adminRoute("backups", guard), path: "/api/admin/backups" };
  const adminListBackups = createRoute({
    ...common,
    method: "get",
    operationId: "adminListBackups",
    summary: "List the backups in BACKUP_DIR, newest first, with the time of the next one",
    responses: { 200: jsonResponse("All items", backupsSchema, example) },
  });
  app.openapi(adminListBackups, async (c) => c.json(await toView(options), 200));
  const adminMakeBackup = createRoute({
    ...common,
    method: "post",
    operationId: "adminMakeBackup",
    [FRESH_PROOF]: false,
    summary: "Start a backup of the data folder. GET returns its result",
    responses: {
      202: jsonResponse("The backup has started", backupsSchema, {
        ...example,
        runningSince: "2026-01-02T12:00:00.000+00:00",
      }),
    },
    errors: ["conflict", "store_unavailable"],
  });
  app.openapi(adminMakeBackup, async (c) => {
    if (backups === undefined)
      throw new AppError("conflict", "Backups are disabled. Set BACKUP_DIR and restart");
    backups.start();
    const { actor } = c.var;
    await store.transact((tx) => writeAudit(tx, { actor, action: "backup.make", target: "backup" }, clock));
    return c.json(await toView(options), 202);
  });
}
