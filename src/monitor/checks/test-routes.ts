/** Routes that try a check now. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { adminRoute, createRoute } from "../edge/create-route.ts";
import { toCheckFault } from "./prober.ts";
import {
  CHECKS_PATH,
  type CheckRouteParts,
  checkBodySchema,
  checkParams,
  exampleCheck,
} from "./parts-routes.ts";
import { probeResultSchema } from "./view-schema.ts";
import { toProbeResultView } from "./views.ts";

const response = jsonResponse("The result", probeResultSchema, {
  ok: true,
  detail: "200 OK",
  latencyMs: 84,
  conditions: [{ text: 'JSON $.state = "up"', isMet: true, seen: '"up"' }],
  phases: { dns: 2, connect: 11, tls: 24, firstByte: 46, body: 1 },
});

export function addCheckTestRoutes(app: ServiceApp, { checks, guard }: CheckRouteParts): void {
  const adminTestNewCheck = createRoute({
    ...adminRoute("checks", guard),
    method: "post",
    path: `${CHECKS_PATH}/test`,
    operationId: "adminTestNewCheck",
    summary: "Run an unsaved check once from the monitor, without changing any state",
    request: {
      query: z.object({
        id: z.string().min(1).max(64).optional().openapi({
          description: "ID of a stored check that supplies header values omitted in the body",
        }),
      }),
      body: jsonBody(checkBodySchema, exampleCheck),
    },
    responses: { 200: response },
    errors: [...writeErrors, "not_found", "rate_limited"],
  });
  app.openapi(adminTestNewCheck, async (c) => {
    const { id } = c.req.valid("query");
    const { result, inverted } = await checks.testInput(c.req.valid("json"), { id, actor: c.var.actor });
    return c.json(toProbeResultView(result, toCheckFault(result, inverted)), 200);
  });

  const adminTestCheck = createRoute({
    ...adminRoute("checks", guard),
    method: "post",
    path: `${CHECKS_PATH}/{id}/test`,
    operationId: "adminTestCheck",
    summary: "Run a check once from the monitor, without changing any state",
    request: { params: checkParams },
    responses: { 200: response },
    errors: ["invalid", "not_found", "conflict", "rate_limited", "store_unavailable"],
  });
  app.openapi(adminTestCheck, async (c) => {
    const { result, inverted } = await checks.test(c.req.valid("param").id, c.var.actor);
    return c.json(toProbeResultView(result, toCheckFault(result, inverted)), 200);
  });
}
