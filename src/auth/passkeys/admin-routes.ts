/** The passkeys of an account, for administrators. */
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageSchema } from "../../kit/http/paging.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { type AdminMiddleware, adminRoute, recordIdParams } from "../edge/admin-views.ts";
import { toCaller } from "../sessions/http/callers.ts";
import { createRoute } from "../edge/create-route.ts";
import { examplePasskey, passkeySchema, toPasskey } from "./passkey-views.ts";
import type { Passkeys } from "./passkeys.ts";

interface Parts {
  readonly passkeys: Passkeys;
  readonly admin: AdminMiddleware;
}

/** Adds /api/admin/users/{id}/passkeys. */
export function addAdminPasskeyRoutes(app: ServiceApp, { passkeys, admin }: Parts): void {
  const list = createRoute({
    ...adminRoute("users", admin),
    method: "get",
    path: "/api/admin/users/{id}/passkeys",
    operationId: "adminListUserPasskeys",
    summary: "List the passkeys of an account, oldest first",
    request: { params: recordIdParams },
    responses: {
      200: jsonResponse("The passkeys", pageSchema(passkeySchema), { items: [examplePasskey] }),
    },
  });
  app.openapi(list, async (c) => {
    const all = await passkeys.listFor(c.req.valid("param").id);
    return c.json({ items: all.map((passkey) => toPasskey(passkey)) }, 200);
  });

  const passkeyId = recordIdParams.shape.id.openapi({
    param: { name: "passkeyId", in: "path" },
    example: examplePasskey.id,
  });
  const remove = createRoute({
    ...adminRoute("users", admin),
    method: "delete",
    path: "/api/admin/users/{id}/passkeys/{passkeyId}",
    operationId: "adminRemoveUserPasskey",
    summary: "Remove a passkey, such as one on a stolen device. The owner is notified",
    request: { params: recordIdParams.extend({ passkeyId }) },
    responses: { 204: { description: "Deleted" } },
  });
  app.openapi(remove, async (c) => {
    const { id, passkeyId: removed } = c.req.valid("param");
    await passkeys.removeFor(id, removed, { actor: c.var.actor, caller: toCaller(c) });
    return c.body(null, 204);
  });
}
