/** The parts of a server and their history: what names software is for administrators alone. */
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import { type FindVisitor, visitorErrors, visitorRoute } from "../access/http/visitor-guard.ts";
import { listPartMetrics, partKindOf } from "../base/part-metrics.ts";
import { createRoute } from "../edge/create-route.ts";
import { getVisible, serverIdParams, toFleetView } from "../fleet/routes.ts";
import type { PublicSnapshot } from "../fleet/snapshot.ts";
import { toRange } from "../history/schema.ts";
import type { Parts } from "./parts.ts";
import { partHistoryQuerySchema, partHistorySchema, partListSchema } from "./schema.ts";

const NOW = "2025-11-20T12:00:00+00:00";

const listRoute = createRoute({
  method: "get",
  path: "/api/servers/{id}/parts",
  operationId: "listServerParts",
  tags: ["public"],
  "x-access": "public",
  ...visitorRoute,
  summary:
    "List the parts of a visible server that have a history. Administrators also get containers, units and disks",
  request: { params: serverIdParams },
  responses: {
    200: jsonResponse("The parts by kind and name", partListSchema, {
      items: [
        {
          kind: "mount",
          name: "/",
          metrics: ["usedPercent", "inodesUsedPercent", "usedBytes", "totalBytes"],
          lastAt: NOW,
        },
      ],
      now: NOW,
    }),
  },
  errors: [...visitorErrors, "invalid", "not_found"],
});

const historyRoute = createRoute({
  method: "get",
  path: "/api/servers/{id}/parts/history",
  operationId: "getServerPartHistory",
  tags: ["public"],
  "x-access": "public",
  ...visitorRoute,
  summary: "Get the history of one part of a visible server, such as a mount or a container",
  request: { params: serverIdParams, query: partHistoryQuerySchema },
  responses: {
    200: jsonResponse("One time series per metric", partHistorySchema, {
      items: [
        {
          metric: "usedPercent",
          tier: "1m",
          stepMs: 60_000,
          points: [{ at: 1_763_640_000_000, min: 41.2, avg: 41.3, max: 41.3 }],
        },
      ],
      now: NOW,
    }),
  },
  errors: [...visitorErrors, "forbidden", "invalid", "not_found", "store_unavailable"],
});

export interface PartRoutesOptions {
  readonly publicSnapshot: PublicSnapshot;
  readonly findVisitor: FindVisitor;
  /** Undefined where parts have no history. */
  readonly parts: Pick<Parts, "list" | "query"> | undefined;
  readonly now: () => number;
}

export function addPartRoutes(app: ServiceApp, options: PartRoutesOptions): void {
  const { publicSnapshot, findVisitor, parts, now } = options;
  app.openapi(listRoute, async (c) => {
    const visitor = await findVisitor(c);
    const { record } = getVisible(toFleetView(publicSnapshot, visitor), c.req.valid("param").id);
    const isAdmin = visitor.right === "administer";
    const { parts: all, leftOut } = (await parts?.list(record)) ?? { parts: [], leftOut: [] };
    const items = all
      .filter(({ kind }) => isAdmin || !partKindOf(kind).isPrivate)
      .map(({ kind, name, lastAt }) => ({
        kind,
        name,
        metrics: listPartMetrics(kind).map(({ metric }) => metric),
        lastAt: toIsoTime(lastAt),
      }));
    const told = leftOut.map(({ kind, reason, name, count, since }) => ({
      kind,
      reason,
      name,
      count,
      since: toIsoTime(since),
    }));
    return c.json(
      { items, leftOut: isAdmin && told.length > 0 ? told : undefined, now: toIsoTime(now()) },
      200,
    );
  });

  app.openapi(historyRoute, async (c) => {
    const visitor = await findVisitor(c);
    const { record } = getVisible(toFleetView(publicSnapshot, visitor), c.req.valid("param").id);
    const { kind, name, metric, points, ...times } = c.req.valid("query");
    if (visitor.right !== "administer" && partKindOf(kind).isPrivate)
      throw new AppError("forbidden", `Only administrators can read the history of a ${kind}`);
    const metrics = [...new Set(Array.isArray(metric) ? metric : [metric])];
    if (parts === undefined) throw new AppError("not_found", "Parts of servers have no history here");
    const items = await parts.query(record, { kind, name, metrics, points, ...toRange(times, now()) });
    return c.json({ items, now: toIsoTime(now()) }, 200);
  });
}
