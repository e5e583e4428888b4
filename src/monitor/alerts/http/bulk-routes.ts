/** The same action on many incidents, with a result of each. */
import type { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../../kit/http/app.ts";
import { jsonBody, jsonResponse } from "../../../kit/http/schemas.ts";
import type { AuditActor } from "../../../records/audit.ts";
import { assertScope } from "../../../records/rights/route-scopes.ts";
import { type GuardEnv } from "../../edge/admin-env.ts";
import { adminRoute, createRoute } from "../../edge/create-route.ts";
import type { Alerts } from "../alerts.ts";
import { incidentBulkResultsSchema, incidentBulkSchema } from "../bulk-schema.ts";
import { type IncidentAction, type SetMute } from "../incident-bulk.ts";
import type { WatchedRef } from "../kinds/watched.ts";

export interface IncidentBulkParts {
  readonly alerts: Pick<Alerts, "incidents">;
  readonly guard: MiddlewareHandler<GuardEnv>;
  readonly setMute: (ref: WatchedRef, mute: Parameters<SetMute>[1], actor: AuditActor) => Promise<unknown>;
}

function toAction({ action, note = "", minutes }: z.infer<typeof incidentBulkSchema>): IncidentAction {
  if (action === "note") return { action, note };
  return action === "mute" ? { action, minutes } : { action };
}

const exampleIds = ["inc_01jd5w7n1d9g4m3p8r5y0z2a6b", "inc_01jd5w7n1d9g4m3p8r5y0z2a6c"];

/** Adds the route. */
export function addIncidentBulkRoute(app: ServiceApp, { alerts, guard, setMute }: IncidentBulkParts): void {
  const adminChangeIncidents = createRoute({
    ...adminRoute("alerts", guard),
    method: "post",
    path: "/api/admin/incidents/bulk",
    operationId: "adminChangeIncidents",
    summary:
      "Acknowledge, annotate or mute up to 200 incidents. Each has its own result; muting also requires the scope servers:write or checks:write",
    request: {
      body: jsonBody(incidentBulkSchema, { action: "acknowledge", ids: exampleIds }),
    },
    responses: {
      200: jsonResponse("The result for each incident, in the order of `ids`", incidentBulkResultsSchema, {
        items: [
          { id: exampleIds[0], result: "done" },
          {
            id: exampleIds[1],
            result: "refused",
            code: "conflict",
            detail: "The incident is already closed",
          },
        ],
      }),
    },
  });
  app.openapi(adminChangeIncidents, async (c) => {
    const body = c.req.valid("json");
    const { actor, principal } = c.var;
    const items = await alerts.incidents.changeMany({
      ids: body.ids,
      what: toAction(body),
      actor,
      setMute: async (ref, mute) => {
        assertScope(principal.scopes, ref.checkId === undefined ? "servers:write" : "checks:write");
        await setMute(ref, mute, actor);
      },
    });
    return c.json({ items }, 200);
  });
}
