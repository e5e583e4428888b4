/** Whether an administrator token is right. */
import { createRoute, z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonResponse, problemResponses } from "../../kit/http/schemas.ts";
import { type AdminGuard, adminErrors, adminRoute } from "../http/admin-guard.ts";

const validSchema = z.object({ valid: z.literal(true) }).openapi("AdminVerified");

const methods = [
  { method: "get", operationId: "verifyAdmin", summary: "Whether the administrator token is right" },
  { method: "post", operationId: "verifyAdminByPost", summary: "The same as GET" },
] as const;

/** Adds GET and POST /api/admin/verify. */
export function addAdminVerifyRoutes(app: ServiceApp, { admin }: { readonly admin: AdminGuard }): void {
  for (const named of methods) {
    app.openapi(
      createRoute({
        ...adminRoute("admin operation", admin),
        ...named,
        path: "/api/admin/verify",
        responses: {
          200: jsonResponse("It is", validSchema, { valid: true }),
          ...problemResponses(...adminErrors),
        },
      }),
      (c) => {
        c.header("cache-control", "no-store");
        return c.json({ valid: true as const }, 200);
      },
    );
  }
}
