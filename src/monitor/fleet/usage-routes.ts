/** Routes of usage: a server's days, the uptime of all, and setting what a cycle has used so far. */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import { isKnownTag } from "../../kit/http/etag.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { countedBytes } from "../usage/traffic-use.ts";
import { type FindVisitor, visitorErrors, visitorRoute } from "../access/http/visitor-guard.ts";
import type { PublicSnapshot } from "./snapshot.ts";
import type { Servers } from "./servers.ts";
import type { UptimeAnswers } from "./uptime-answers.ts";
import type { Usage } from "../usage/usage.ts";
import { withCycleTimes } from "./server-view.ts";
import { daysSchema, uptimeSchema } from "./days-schema.ts";
import { correctedTrafficSchema, trafficCorrectionSchema } from "./view-schema.ts";
import { type GuardEnv } from "../edge/admin-env.ts";
import { exampleAdminServer } from "./examples.ts";
import { getVisible, serverIdParams, toFleetView } from "./routes.ts";
import { adminRoute, createRoute } from "../edge/create-route.ts";

function daysQuery(max: number): z.ZodObject<{ days: z.ZodDefault<z.ZodCoercedNumber> }> {
  return z.object({
    days: z.coerce
      .number()
      .int()
      .min(1)
      .max(max)
      .default(90)
      .openapi({ description: "Number of days, including today" }),
  });
}

const daysRoute = createRoute({
  method: "get",
  path: "/api/servers/{id}/days",
  operationId: "getServerDays",
  tags: ["public"],
  "x-access": "public",
  ...visitorRoute,
  summary: "Get the daily traffic and uptime of a visible server",
  request: { params: serverIdParams, query: daysQuery(400) },
  responses: {
    200: jsonResponse("The days, without gaps", daysSchema, {
      timeZone: "Europe/Berlin",
      days: [
        {
          date: "2026-11-21",
          rxBytes: 1_234_567,
          txBytes: 765_432,
          upMinutes: 1_439,
          knownMinutes: 1_440,
        },
      ],
    }),
  },
  errors: [...visitorErrors, "invalid", "not_found", "store_unavailable"],
});

const uptimeRoute = createRoute({
  method: "get",
  path: "/api/uptime",
  operationId: "getUptime",
  tags: ["public"],
  "x-access": "public",
  ...visitorRoute,
  summary:
    "Get the daily uptime of all visible servers, for uptime bars. Administrators also get hidden ones",
  request: { query: daysQuery(90) },
  responses: {
    200: jsonResponse(
      "Uptime as a share of the monitored minutes. Changes at most once a minute",
      uptimeSchema,
      {
        servers: [
          {
            id: "web-1",
            timeZone: "Europe/Berlin",
            days: [null, 1, 0.9986],
            ratio: 0.9993,
            knownMinutes: 2_160,
          },
        ],
        from: "2026-11-19",
        to: "2026-11-21",
      },
    ),
    304: { description: "Nothing has changed since the ETag in If-None-Match" },
  },
  errors: [...visitorErrors, "invalid"],
});

function usedRoute<M extends MiddlewareHandler<GuardEnv>>(guard: M) {
  return createRoute({
    ...adminRoute("servers", guard),
    method: "post",
    path: "/api/admin/servers/{id}/traffic",
    operationId: "adminSetUsedTraffic",
    summary: "Correct the used traffic of the current cycle to the value of the provider",
    request: {
      params: serverIdParams,
      body: jsonBody(trafficCorrectionSchema, { usedBytes: 421_337_000_000, version: 3 }),
    },
    responses: {
      200: jsonResponse("The updated traffic usage and the version of the server", correctedTrafficSchema, {
        traffic: exampleAdminServer.trafficUse,
        version: 4,
      }),
    },
    errors: [...writeErrors, "not_found", "version_conflict"],
  });
}

export interface UsageRoutesOptions {
  readonly publicSnapshot: Pick<PublicSnapshot, "findEntry" | "whole">;
  readonly findVisitor: FindVisitor;
  readonly servers: Pick<Servers, "correctTraffic">;
  readonly usage: Pick<Usage, "days" | "traffic">;
  readonly uptimeAnswers: UptimeAnswers;
  readonly guard: MiddlewareHandler<GuardEnv>;
}

export function addUsageRoutes(app: ServiceApp, options: UsageRoutesOptions): void {
  const { publicSnapshot, findVisitor, servers, usage, uptimeAnswers, guard } = options;
  app.openapi(daysRoute, async (c) => {
    const fleet = toFleetView(publicSnapshot, await findVisitor(c));
    const { record } = getVisible(fleet, c.req.valid("param").id);
    const days = await usage.days(record, c.req.valid("query").days);
    return c.json({ timeZone: record.traffic.timeZone, days: [...days] }, 200);
  });

  app.openapi(uptimeRoute, async (c) => {
    const { days } = c.req.valid("query");
    const { right } = await findVisitor(c);
    const { bytes, etag } = right === "administer" ? uptimeAnswers.readWhole(days) : uptimeAnswers.read(days);
    if (isKnownTag(c.req.header("if-none-match"), etag)) return c.body(null, 304, { etag });
    return c.body(bytes, 200, { "content-type": "application/json", "cache-control": "no-cache", etag });
  });

  app.openapi(usedRoute(guard), async (c) => {
    const { id } = c.req.valid("param");
    const { usedBytes, version } = c.req.valid("json");
    const record = await servers.correctTraffic(id, {
      toOffset: (before) => usedBytes - countedBytes(before.traffic.mode, usage.traffic(before)),
      version,
      actor: c.var.actor,
    });
    return c.json({ traffic: withCycleTimes(usage.traffic(record)), version: record.editVersion }, 200);
  });
}
