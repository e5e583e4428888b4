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
import { serverIdSchema } from "../base/schema.ts";
import { withCycleTimes } from "./server-view.ts";
import { correctedTrafficSchema, trafficCorrectionSchema } from "./view-schema.ts";
import { type GuardEnv } from "../edge/admin-env.ts";
import { exampleAdminServer } from "./examples.ts";
import { getVisible, serverIdParams, toFleetView } from "./routes.ts";
import { adminRoute, createRoute } from "../edge/create-route.ts";

const count = z.number().int().min(0);
const date = z.iso.date();
const ratio = z.number().min(0).max(1).nullable();

const daysSchema = z.object({
  timeZone: z.string().openapi({ description: "The server's own, in which its days are" }),
  days: z
    .array(z.object({ date, rxBytes: count, txBytes: count, upMinutes: count, knownMinutes: count }))
    .openapi({ description: "Oldest first, today last. `knownMinutes` is 0 on days that nobody watched" }),
});

const uptimeSchema = z.object({
  servers: z
    .array(
      z.object({
        id: serverIdSchema,
        timeZone: z.string().openapi({ description: "The server's own, in which its days are" }),
        days: z.array(ratio).openapi({
          description: "Oldest first; the last one is today in the server's own time zone. null: not known",
        }),
        ratio: ratio.openapi({ description: "Of all these days together" }),
      }),
    )
    .openapi({ description: "Visible servers in display order" }),
  from: date,
  to: date.openapi({ description: "Today in UTC" }),
});

function daysQuery(max: number): z.ZodObject<{ days: z.ZodDefault<z.ZodCoercedNumber> }> {
  return z.object({
    days: z.coerce
      .number()
      .int()
      .min(1)
      .max(max)
      .default(90)
      .openapi({ description: "How many days, today included" }),
  });
}

const daysRoute = createRoute({
  method: "get",
  path: "/api/servers/{id}/days",
  operationId: "getServerDays",
  tags: ["public"],
  "x-access": "public",
  ...visitorRoute,
  summary: "Traffic and uptime of a visible server by day",
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
  summary: "Uptime of all visible servers by day, for bars; of hidden ones too for administrators",
  request: { query: daysQuery(90) },
  responses: {
    200: jsonResponse("Shares of the watched minutes; changes once a minute at most", uptimeSchema, {
      servers: [{ id: "web-1", timeZone: "Europe/Berlin", days: [null, 1, 0.9986], ratio: 0.9993 }],
      from: "2026-11-19",
      to: "2026-11-21",
    }),
    304: { description: "Nothing changed since the entity tag in If-None-Match" },
  },
  errors: [...visitorErrors, "invalid"],
});

function usedRoute<M extends MiddlewareHandler<GuardEnv>>(guard: M) {
  return createRoute({
    ...adminRoute("servers", guard),
    method: "post",
    path: "/api/admin/servers/{id}/traffic",
    operationId: "adminSetUsedTraffic",
    summary: "Set what the present traffic cycle has used so far, as the provider says",
    request: {
      params: serverIdParams,
      body: jsonBody(trafficCorrectionSchema, { usedBytes: 421_337_000_000, version: 3 }),
    },
    responses: {
      200: jsonResponse("The use as it is now, and the server's version", correctedTrafficSchema, {
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
