/** History of a check: response times, uptime, and timeline. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema, pageSchema } from "../../kit/http/paging.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { isoTimeSchema, toIsoTime, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import { deprecated, pickRenamed } from "../../kit/fields/renamed.ts";
import { historyQuerySchema, toHistoryQuery } from "../history/schema.ts";
import { adminRoute, createRoute } from "../edge/create-route.ts";
import { MAX_HOURS_CHECKS, checkHoursListSchema } from "./answer-schema.ts";
import { knownSinceSchema, percent } from "./shown-schema.ts";
import { uptimePeriods } from "./check-history.ts";
import { CHECKS_PATH, type CheckRouteParts, checkParams, exampleCheckView } from "./parts-routes.ts";
import { locationSetSchema, toLocationSet } from "./location-schema.ts";
import { CENTER, checkFaults, checkStates } from "./schema.ts";
import type { TimelineEvent } from "./timeline.ts";

const { from, to, points } = historyQuerySchema.shape;
const locationId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/u);
const historyQuery = z.object({
  serverId: locationId
    .optional()
    .describe("ID of a server whose agent runs the check; omit it for the check as a whole"),
  place: deprecated(locationId.optional(), "serverId"),
  from,
  to,
  points,
});
const seriesSchema = z.object({
  items: z.array(
    z.object({
      metric: z.enum(["check.latencyMs", "check.upPercent"]),
      tier: z
        .string()
        .describe("Resolution: raw for single results, otherwise aggregates of 1m, 10m, 1h or 1d (UTC)"),
      stepMs: z.number().describe("Interval of a point in milliseconds; 0 for single results"),
      points: z.array(
        z.object({
          at: z.number().describe("Unix time in milliseconds"),
          min: z.number(),
          avg: z.number(),
          max: z.number(),
        }),
      ),
    }),
  ),
  now: isoTimeSchema,
});
const uptimeSchema = z.object({
  knownSince: knownSinceSchema,
  windows: z.array(
    z.object({
      period: z.enum(uptimePeriods),
      upPercent: percent.describe("Uptime in percent of the known time; null if nothing is known"),
      knownPercent: z
        .number()
        .describe("Share of the period, since the check was created, with known results, in percent"),
    }),
  ),
  days: z
    .array(z.object({ day: z.iso.date(), upPercent: percent }))
    .describe("Uptime of the last 90 days (UTC), oldest first; null for days without results"),
});
const checkId = z.string().min(1).max(64);
const hoursQuery = z.object({
  id: z
    .union([checkId, z.array(checkId).min(1).max(MAX_HOURS_CHECKS)])
    .describe("ID of a check. Repeat the parameter for up to 200 checks"),
});
const eventSchema = z.object({
  id: z.string(),
  state: z.enum(checkStates),
  since: isoTimeSchema,
  until: isoTimeSchema.optional().describe("End of the state; absent for the current state"),
  fault: z.enum(checkFaults).optional(),
  detail: z.string(),
  dueAt: isoTimeSchema.optional().describe("Time when the missing ping was due"),
  locations: locationSetSchema.describe("Locations that reported the check as down"),
  places: deprecated(z.array(z.string()), "locations"),
});
const exampleEvent = {
  id: "evt_01jd5v6m0c8f3k2n7q4x9y1z5a",
  state: "down" as const,
  since: "2025-11-20T12:00:04+00:00",
  until: "2025-11-20T12:07:04+00:00",
  fault: "timeout" as const,
  detail: "No response in time",
  locations: { monitor: true, serverIds: [] },
  places: [CENTER],
};

function toEventView({ id, state, at, until, fault, detail, dueAt, places }: TimelineEvent) {
  return {
    id,
    state,
    detail,
    since: toIsoTime(at),
    dueAt: toIsoTimeIfAny(dueAt),
    locations: toLocationSet(places),
    places: [...places],
    ...(until === undefined ? {} : { until: toIsoTime(until) }),
    ...(fault === undefined ? {} : { fault }),
  };
}

function addSeriesRoutes(app: ServiceApp, { history, guard, now }: CheckRouteParts): void {
  const adminGetCheckHistory = createRoute({
    ...adminRoute("checks", guard),
    method: "get",
    path: `${CHECKS_PATH}/{id}/history`,
    operationId: "adminGetCheckHistory",
    summary: "Get response times and uptime of a check, or of one of its locations",
    request: { params: checkParams, query: historyQuery },
    responses: { 200: jsonResponse("The time series", seriesSchema) },
    errors: ["invalid", "not_found", "store_unavailable"],
  });
  app.openapi(adminGetCheckHistory, async (c) => {
    const { serverId, place: before, ...asked } = c.req.valid("query");
    const place = pickRenamed(["serverId", serverId], ["place", before]) ?? CENTER;
    const { metrics: _none, ...span } = toHistoryQuery({ ...asked, metric: [] }, now());
    const items = await history.series(c.req.valid("param").id, { place, ...span });
    // `as`: these two are what it asks for.
    return c.json({ items: items as z.infer<typeof seriesSchema>["items"], now: toIsoTime(now()) }, 200);
  });

  const adminGetCheckUptime = createRoute({
    ...adminRoute("checks", guard),
    method: "get",
    path: `${CHECKS_PATH}/{id}/uptime`,
    operationId: "adminGetCheckUptime",
    summary: "Get the uptime of a check in percent. Unknown time is excluded and reported separately",
    request: { params: checkParams },
    responses: {
      200: jsonResponse("Uptime", uptimeSchema, {
        knownSince: "2025-11-19T09:12:00+00:00",
        windows: [{ period: "24h", upPercent: 99.931, knownPercent: 100 }],
        days: [{ day: "2025-11-20", upPercent: 99.931 }],
      }),
    },
    errors: ["invalid", "not_found", "store_unavailable"],
  });
  app.openapi(adminGetCheckUptime, async (c) => {
    const { knownSince, windows, days } = await history.uptime(c.req.valid("param").id);
    return c.json({ knownSince: toIsoTimeIfAny(knownSince), windows: [...windows], days: [...days] }, 200);
  });
}

/** Adds the last day of many checks at once; before the {id} routes: no check has this id. */
export function addCheckHoursRoute(app: ServiceApp, { history, guard }: CheckRouteParts): void {
  const adminListCheckHours = createRoute({
    ...adminRoute("checks", guard),
    method: "get",
    path: `${CHECKS_PATH}/hours`,
    operationId: "adminListCheckHours",
    summary: "Get the hourly uptime of checks over the last 24 hours",
    request: { query: hoursQuery },
    responses: {
      200: jsonResponse("Hourly uptime of each existing check", checkHoursListSchema, {
        items: [
          { id: exampleCheckView.id, upPercents: [null, 100, 99.2], knownSince: "2025-11-20T10:12:00+00:00" },
        ],
      }),
    },
    errors: ["invalid", "store_unavailable"],
  });
  app.openapi(adminListCheckHours, async (c) => {
    const { id } = c.req.valid("query");
    const items = await history.spans([...new Set(typeof id === "string" ? [id] : id)], "24h");
    return c.json(
      {
        items: items.map(({ id: of, upPercents, knownSince }) => ({
          id: of,
          upPercents: [...upPercents],
          knownSince: toIsoTimeIfAny(knownSince),
        })),
      },
      200,
    );
  });
}

export function addCheckHistoryRoutes(app: ServiceApp, parts: CheckRouteParts): void {
  addSeriesRoutes(app, parts);
  const adminListCheckEvents = createRoute({
    ...adminRoute("checks", parts.guard),
    method: "get",
    path: `${CHECKS_PATH}/{id}/events`,
    operationId: "adminListCheckEvents",
    summary: "List the state changes of a check, newest first. Stored for 400 days",
    request: { params: checkParams, query: pageQuerySchema },
    responses: { 200: jsonResponse("A page of items", pageSchema(eventSchema), { items: [exampleEvent] }) },
    errors: ["invalid", "not_found", "store_unavailable"],
  });
  app.openapi(adminListCheckEvents, async (c) => {
    const { id } = c.req.valid("param");
    await parts.checks.get(id);
    const { items, ...page } = await parts.timeline.page(id, c.req.valid("query"));
    return c.json({ items: items.map(toEventView), ...page }, 200);
  });
}
