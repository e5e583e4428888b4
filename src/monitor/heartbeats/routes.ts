/** Heartbeats for administrators: the log of pings, and the key of their addresses. */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema, pageSchema, toPageView } from "../../kit/http/paging.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { viewOf } from "../../kit/http/view.ts";
import type { GuardEnv } from "../edge/admin-env.ts";
import { adminRoute, createRoute } from "../edge/create-route.ts";
import type { Heartbeats } from "./heartbeats.ts";
import { pingRecordSchema } from "./schema.ts";

const view = viewOf(
  pingRecordSchema,
  ["number", "signal", "exitStatus", "rid", "runMs", "method", "clientAddress", "userAgent", "text", "isCut"],
  ["at"],
);
const pingView = z.object(view.shape).openapi("HeartbeatPing");

const exampleId = "chk_01jd5v6m0c8f3k2n7q4x9y1z5a";
const examplePage = {
  items: [
    {
      number: 42,
      signal: "success" as const,
      runMs: 184_000,
      method: "POST",
      clientAddress: "192.0.2.7",
      userAgent: "curl/8.14.1",
      text: "Backup of 12 GB",
      isCut: false,
      at: "2025-11-20T02:03:04+00:00",
    },
  ],
};
const params = z.object({
  id: z
    .string()
    .min(1)
    .max(64)
    .openapi({ param: { name: "id", in: "path" }, example: exampleId }),
});
const pingKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{10,64}$/u, "must be 10 to 64 letters, digits, hyphens and underscores")
  .describe("Existing key to keep in the ping URLs; if omitted, a new one is created");
const keySchema = z.object({ pingKey: z.string(), version: z.number().int() });

/** Adds the log and the change of the key below /api/admin/checks/{id}. */
export function addHeartbeatRoutes(
  app: ServiceApp,
  { heartbeats, guard }: { heartbeats: Heartbeats; guard: MiddlewareHandler<GuardEnv> },
): void {
  const adminListPings = createRoute({
    ...adminRoute("checks", guard),
    method: "get",
    path: "/api/admin/checks/{id}/pings",
    operationId: "adminListPings",
    summary: "List the pings of a heartbeat, newest first. The last 100 are stored",
    request: { params, query: pageQuerySchema },
    responses: { 200: jsonResponse("A page of pings", pageSchema(pingView), examplePage) },
  });
  app.openapi(adminListPings, async (c) => {
    const page = await heartbeats.pings.list(c.req.valid("param").id, c.req.valid("query"));
    return c.json(toPageView(page, view.show), 200);
  });

  const adminRotatePingKey = createRoute({
    ...adminRoute("checks", guard),
    method: "post",
    path: "/api/admin/checks/{id}/rotate-ping-key",
    operationId: "adminRotatePingKey",
    summary: "Replace the ping URLs of a heartbeat. The current ones stop working immediately",
    request: { params, body: jsonBody(z.strictObject({ pingKey: pingKey.optional() }), {}) },
    responses: {
      200: jsonResponse("The ping key and the version of the check", keySchema, {
        pingKey: "3m8x0d5c7tq1w9b2r4k6v0zhfa",
        version: 2,
      }),
    },
    errors: [...writeErrors, "not_found", "conflict"],
  });
  app.openapi(adminRotatePingKey, async (c) => {
    const { id } = c.req.valid("param");
    const changed = await heartbeats.changePingKey(id, { ...c.req.valid("json"), actor: c.var.actor });
    c.header("cache-control", "no-store");
    return c.json(changed, 200);
  });
}
