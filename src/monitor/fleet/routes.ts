/** The list, one server, its history: nothing but the public view, of hidden servers for administrators alone. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { isKnownTag } from "../../kit/http/etag.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import type { Visitor } from "../access/visitor.ts";
import { type FindVisitor, visitorErrors, visitorRoute } from "../access/http/visitor-guard.ts";
import { type FleetView, type PublicSnapshot, type SnapshotEntry, toListJson } from "./snapshot.ts";
import { historyQuerySchema, historySchema, toHistoryQuery } from "../history/schema.ts";
import type { History } from "../history/history.ts";
import { type ServerRecord, serverIdSchema, serverStates } from "../base/schema.ts";
import type { Usage } from "../usage/usage.ts";
import { serverDetailSchema, serverListSchema } from "./view-schema.ts";
import { type ServerFacts, toServerDetail, toState } from "./server-view.ts";
import { exampleServer } from "./examples.ts";
import type { Live } from "./live.ts";
import { isPrivateMetric } from "../base/metrics.ts";
import { createRoute } from "../edge/create-route.ts";

export const serverIdParams = z.object({
  // A schema of the logic may be older than zod-openapi's extension: it has no openapi().
  id: z
    .string()
    .pipe(serverIdSchema)
    .openapi({ param: { name: "id", in: "path" }, example: "web-1" }),
});

const listQuery = z.object({
  group: z.string().max(64).optional().openapi({ description: "Name of a group" }),
  tag: z.string().max(32).optional().openapi({ description: "Tag of the servers" }),
  state: z.enum(serverStates).optional().openapi({ description: "State of the servers" }),
  q: z
    .string()
    .max(100)
    .optional()
    .openapi({ description: "Text in the name, group, provider, tags or public note" }),
});
type ListQuery = z.infer<typeof listQuery>;

const listRoute = createRoute({
  method: "get",
  path: "/api/servers",
  operationId: "listServers",
  tags: ["public"],
  "x-access": "public",
  ...visitorRoute,
  summary: "List the visible servers in display order. Administrators also get hidden ones",
  request: { query: listQuery },
  responses: {
    200: {
      description: "The servers. The ETag changes when a server changes, not with `now`",
      content: {
        "application/json": {
          schema: serverListSchema,
          example: { items: [exampleServer], now: "2025-11-20T12:00:00+00:00" },
        },
      },
    },
    304: { description: "Nothing has changed since the ETag in If-None-Match" },
  },
  errors: [...visitorErrors, "invalid"],
});

const detailRoute = createRoute({
  method: "get",
  path: "/api/servers/{id}",
  operationId: "getServer",
  tags: ["public"],
  "x-access": "public",
  ...visitorRoute,
  summary: "Get a visible server with its latest sample",
  request: { params: serverIdParams },
  responses: {
    200: { description: "The server", content: { "application/json": { schema: serverDetailSchema } } },
  },
  errors: [...visitorErrors, "invalid", "not_found"],
});

const historyRoute = createRoute({
  method: "get",
  path: "/api/servers/{id}/history",
  operationId: "getServerHistory",
  tags: ["public"],
  "x-access": "public",
  ...visitorRoute,
  summary: "Get the history of one or more metrics of a visible server",
  request: { params: serverIdParams, query: historyQuerySchema },
  responses: {
    200: {
      description: "One time series per metric",
      content: { "application/json": { schema: historySchema } },
    },
  },
  errors: [...visitorErrors, "forbidden", "invalid", "not_found", "store_unavailable"],
});

function matches({ record }: SnapshotEntry, query: ListQuery, live: Pick<Live, "get">): boolean {
  if (query.group !== undefined && record.group !== query.group) return false;
  if (query.tag !== undefined && !record.tags.includes(query.tag)) return false;
  if (query.state !== undefined && toState(record, live.get(record.id)) !== query.state) return false;
  if (query.q === undefined || query.q.trim() === "") return true;
  const { name, group, provider, publicNote, tags } = record;
  const text = [name, group, provider, publicNote, ...tags].join("\n").toLowerCase();
  return text.includes(query.q.trim().toLowerCase());
}

function isUnfiltered(query: ListQuery): boolean {
  return (
    query.group === undefined && query.tag === undefined && query.state === undefined && query.q === undefined
  );
}

/** The servers that a visitor sees. */
export function toFleetView<T>(
  publicSnapshot: T & { readonly whole: FleetView },
  visitor: Visitor,
): T | FleetView {
  return visitor.right === "administer" ? publicSnapshot.whole : publicSnapshot;
}

/** A server among the visible ones. Throws `not_found`. */
export function getVisible(fleet: Pick<FleetView, "findEntry">, id: string): SnapshotEntry {
  const entry = fleet.findEntry(id);
  // A hidden server looks exactly like one that does not exist.
  if (entry === undefined) throw new AppError("not_found", `There is no server "${id}"`);
  return entry;
}

export interface PublicRoutesOptions {
  readonly publicSnapshot: PublicSnapshot;
  readonly findVisitor: FindVisitor;
  readonly live: Pick<Live, "get">;
  readonly usage: Pick<Usage, "uptime">;
  readonly history: Pick<History, "query">;
  readonly factsOf: (record: ServerRecord) => ServerFacts;
  readonly now: () => number;
}

export function addPublicRoutes(app: ServiceApp, options: PublicRoutesOptions): void {
  const { publicSnapshot, findVisitor, live, usage, history, factsOf, now } = options;
  app.openapi(listRoute, async (c) => {
    const query = c.req.valid("query");
    const fleet = toFleetView(publicSnapshot, await findVisitor(c));
    const headers = { "content-type": "application/json", "cache-control": "no-cache" };
    if (fleet === publicSnapshot && isUnfiltered(query)) {
      const { bytes, etag } = publicSnapshot.list();
      if (isKnownTag(c.req.header("if-none-match"), etag)) return c.body(null, 304, { etag });
      return c.body(bytes, 200, { ...headers, etag });
    }
    const servers = fleet.entries().filter((entry) => matches(entry, query, live));
    const mine = fleet === publicSnapshot ? headers : { ...headers, "cache-control": "private, no-cache" };
    return c.body(toListJson(servers, now()), 200, mine);
  });

  app.openapi(detailRoute, async (c) => {
    const fleet = toFleetView(publicSnapshot, await findVisitor(c));
    const { record, displayOrder } = getVisible(fleet, c.req.valid("param").id);
    const facts = { ...factsOf(record), displayOrder, uptime: usage.uptime(record) };
    return c.json(toServerDetail(record, facts), 200);
  });

  app.openapi(historyRoute, async (c) => {
    const visitor = await findVisitor(c);
    const { record } = getVisible(toFleetView(publicSnapshot, visitor), c.req.valid("param").id);
    const query = toHistoryQuery(c.req.valid("query"), now());
    const kept = visitor.right === "administer" ? undefined : query.metrics.find(isPrivateMetric);
    if (kept !== undefined) throw new AppError("forbidden", `Only administrators can read "${kept}"`);
    const items = await history.query({ serverId: record.id, ...query });
    return c.json({ items, now: toIsoTime(now()) }, 200);
  });
}
