/** The audit log: GET /api/admin/audit and the check of its chain. */
import type { ServiceApp } from "../../kit/http/app.ts";
import {
  auditEntrySchema,
  auditEntryView,
  auditQuerySchema,
  auditVerdictSchema,
  exampleVerdict,
} from "../../records/audit-view.ts";
import { listAudit, verifyAudit } from "../../records/audit.ts";
import { pageSchema, toPageView } from "../../kit/http/paging.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import type { Store } from "../../store/store.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";

/** Adds the routes below /api/admin/audit. */
export function addAdminAuditRoutes(
  app: ServiceApp,
  { store, admin }: { readonly store: Store; readonly admin: AdminGuard },
): void {
  const adminListAudit = createRoute({
    ...adminRoute("audit", admin),
    method: "get",
    path: "/api/admin/audit",
    operationId: "adminListAudit",
    summary: "List audit entries, newest first",
    request: { query: auditQuerySchema },
    responses: { 200: jsonResponse("A page of entries", pageSchema(auditEntrySchema)) },
    errors: ["bad_request", "invalid", "store_unavailable"],
  });
  app.openapi(adminListAudit, async (c) => {
    const page = await listAudit(store, c.req.valid("query"));
    return c.json(toPageView(page, auditEntryView.show), 200);
  });

  const adminVerifyAudit = createRoute({
    ...adminRoute("audit", admin),
    method: "get",
    path: "/api/admin/audit/verify",
    operationId: "adminVerifyAudit",
    summary: "Verify that the audit log has not been changed",
    responses: { 200: jsonResponse("The result", auditVerdictSchema, exampleVerdict) },
    errors: ["store_unavailable"],
  });
  app.openapi(adminVerifyAudit, async (c) => c.json(await verifyAudit(store), 200));
}
