/** How the shop fares, for administrators: figures, sales, the status of the system, the audit. */
import type { ServiceApp } from "../../kit/http/app.ts";
import type { ShopDeps } from "../base/deps.ts";
import type { AdminGuard } from "../edge/admin-guard.ts";
import type { StockAdmin } from "../stock/stock-admin.ts";
import { addAdminStatsRoutes } from "./admin-stats-routes.ts";
import { addAdminAuditRoutes } from "./audit-routes.ts";
import { addAdminSalesRoutes } from "./sales-routes.ts";
import type { Sales } from "./sales.ts";
import { addAdminStatusRoutes } from "./status-routes.ts";
import type { Collection } from "../../store/store.ts";
import type { StatusFacts } from "./system-status.ts";
import { addAdminTodayRoutes } from "./today-routes.ts";

export interface OperationParts extends Pick<ShopDeps, "store" | "clock" | "box" | "publicUrl"> {
  readonly sales: Sales;
  readonly stock: StockAdmin;
  readonly admin: AdminGuard;
  readonly version: string;
  readonly facts: StatusFacts;
  readonly collections: readonly Collection[];
}

export function addOperationRoutes(app: ServiceApp, parts: OperationParts): void {
  const { facts, publicUrl } = parts;
  addAdminTodayRoutes(app, {
    ...parts,
    setupFacts: () => ({
      publicUrl,
      hasMailServer: facts.hasMailServer?.() ?? false,
      hasBackups: facts.hasBackups,
    }),
  });
  addAdminStatsRoutes(app, parts);
  addAdminSalesRoutes(app, parts);
  addAdminStatusRoutes(app, parts);
  addAdminAuditRoutes(app, parts);
}
