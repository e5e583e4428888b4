/** The links of an account to other providers, for administrators; they are listed with the account. */
import type { ServiceApp } from "../../kit/http/app.ts";
import { type AdminMiddleware, adminRoute, recordIdParams } from "../edge/admin-views.ts";
import { toCaller } from "../sessions/http/callers.ts";
import { createRoute } from "../edge/create-route.ts";
import type { Links } from "./links.ts";

/** Adds the route below /api/admin/users/{id}/links. */
export function addAdminLinkRoutes(
  app: ServiceApp,
  { links, admin }: { readonly links: Links; readonly admin: AdminMiddleware },
): void {
  const linkId = recordIdParams.shape.id.openapi({
    param: { name: "linkId", in: "path" },
    example: "upl_01jd5v6m0c8f3k2n7q4x9y1z5a",
  });
  const route = createRoute({
    ...adminRoute("users", admin),
    method: "delete",
    path: "/api/admin/users/{id}/links/{linkId}",
    operationId: "adminRemoveUserLink",
    summary: "Unlink an identity from an account. The owner is notified by email",
    request: { params: recordIdParams.extend({ linkId }) },
    responses: { 204: { description: "Deleted" } },
  });
  app.openapi(route, async (c) => {
    const { id, linkId: link } = c.req.valid("param");
    await links.removeFor(id, { id: link, actor: c.var.actor, caller: toCaller(c) });
    return c.body(null, 204);
  });
}
