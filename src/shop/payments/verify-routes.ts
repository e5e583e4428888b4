/** Whether an administrator token is right. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";

const validSchema = z.object({ valid: z.literal(true) }).openapi("AdminVerified");

const methods = [
  { method: "get", operationId: "verifyAdmin", summary: "Verify the administrator token" },
  { method: "post", operationId: "verifyAdminByPost", summary: "Same as GET" },
] as const;

/** Adds GET and POST /api/admin/verify. */
export function addAdminVerifyRoutes(app: ServiceApp, { admin }: { readonly admin: AdminGuard }): void {
  for (const named of methods) {
    const route = createRoute({
      ...adminRoute("admin operation", admin),
      ...named,
      "x-scope": "any",
      path: "/api/admin/verify",
      responses: { 200: jsonResponse("The token is valid", validSchema, { valid: true }) },
    });
    app.openapi(route, (c) => {
      c.header("cache-control", "no-store");
      return c.json({ valid: true as const }, 200);
    });
  }
}
