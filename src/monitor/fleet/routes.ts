/** Public routes: the list, one server, its history. No credential, and nothing but the public view. */
import { createRoute, z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { isKnownTag } from "../../kit/http/etag.ts";
import { problemResponses } from "../../kit/http/schemas.ts";
import type { SnapshotEntry } from "./snapshot.ts";
import { historyQuerySchema, historySchema, toHistoryQuery } from "../history/schema.ts";
import type { Monitor } from "../monitor.ts";
import { serverIdSchema, serverStates } from "../schema.ts";
import { serverDetailSchema, serverListSchema } from "./view-schema.ts";
import { toServerDetail, toState } from "./server-view.ts";
import { exampleServer } from "./examples.ts";

export const serverIdParams = z.object({
  id: serverIdSchema.openapi({ param: { name: "id", in: "path" }, example: "web-1" }),
});

const listQuery = z.object({
  group: z.string().max(64).optional().openapi({ description: "Only this group" }),
  tag: z.string().max(32).optional().openapi({ description: "Only servers with this tag" }),
  state: z.enum(serverStates).optional().openapi({ description: "Only servers in this state" }),
  q: z
    .string()
    .max(100)
    .optional()
    .openapi({ description: "Only servers with this text in name, group, tags or public note" }),
});
type ListQuery = z.infer<typeof listQuery>;

const listRoute = createRoute({
  method: "get",
  path: "/api/servers",
  operationId: "listServers",
  tags: ["public"],
  "x-access": "public",
  summary: "Visible servers in display order",
  request: { query: listQuery },
  responses: {
    200: {
      description: "The servers. The entity tag changes when a server does, not with `now`",
      content: {
        "application/json": {
          schema: serverListSchema,
          example: { servers: [exampleServer], now: 1_763_640_000_000 },
        },
      },
    },
    304: { description: "Nothing changed since the entity tag in If-None-Match" },
    ...problemResponses("invalid"),
  },
});

const detailRoute = createRoute({
  method: "get",
  path: "/api/servers/{id}",
  operationId: "getServer",
  tags: ["public"],
  "x-access": "public",
  summary: "One visible server with its latest sample",
  request: { params: serverIdParams },
  responses: {
    200: { description: "The server", content: { "application/json": { schema: serverDetailSchema } } },
    ...problemResponses("invalid", "not_found"),
  },
});

const historyRoute = createRoute({
  method: "get",
  path: "/api/servers/{id}/history",
  operationId: "getServerHistory",
  tags: ["public"],
  "x-access": "public",
  summary: "Past values of one or more metrics of a visible server",
  request: { params: serverIdParams, query: historyQuerySchema },
  responses: {
    200: {
      description: "One series for each metric",
      content: { "application/json": { schema: historySchema } },
    },
    ...problemResponses("invalid", "not_found", "store_unavailable"),
  },
});

function matches(monitor: Monitor, entry: SnapshotEntry, query: ListQuery): boolean {
  const { record } = entry;
  if (query.group !== undefined && record.group !== query.group) return false;
  if (query.tag !== undefined && !record.tags.includes(query.tag)) return false;
  if (query.state !== undefined && toState(record, monitor.live.get(record.id)) !== query.state) return false;
  if (query.q === undefined || query.q.trim() === "") return true;
  const text = [record.name, record.group, record.publicNote, ...record.tags].join("\n").toLowerCase();
  return text.includes(query.q.trim().toLowerCase());
}

function isUnfiltered(query: ListQuery): boolean {
  return (
    query.group === undefined && query.tag === undefined && query.state === undefined && query.q === undefined
  );
}

/** A server that strangers may see. Throws `not_found`. */
export function getVisible(monitor: Monitor, id: string): SnapshotEntry {
  const entry = monitor.publicSnapshot.findEntry(id);
  // A hidden server looks exactly like one that does not exist.
  if (entry === undefined) throw new AppError("not_found", `There is no server "${id}"`);
  return entry;
}

/** Adds the public routes. */
export function addPublicRoutes(app: ServiceApp, monitor: Monitor, options: { now: () => number }): void {
  app.openapi(listRoute, (c) => {
    const query = c.req.valid("query");
    const headers = { "content-type": "application/json", "cache-control": "no-cache" };
    if (isUnfiltered(query)) {
      const { bytes, etag } = monitor.publicSnapshot.list();
      if (isKnownTag(c.req.header("if-none-match"), etag)) return c.body(null, 304, { etag });
      return c.body(bytes, 200, { ...headers, etag });
    }
    const servers = monitor.publicSnapshot.entries().filter((entry) => matches(monitor, entry, query));
    return c.body(
      `{"servers":[${servers.map((entry) => entry.json).join(",")}],"now":${options.now()}}`,
      200,
      headers,
    );
  });

  app.openapi(detailRoute, (c) => {
    const { record, displayOrder } = getVisible(monitor, c.req.valid("param").id);
    const facts = { ...monitor.factsOf(record), displayOrder, uptime: monitor.usage.uptime(record) };
    return c.json(toServerDetail(record, facts), 200);
  });

  app.openapi(historyRoute, async (c) => {
    const { record } = getVisible(monitor, c.req.valid("param").id);
    const query = toHistoryQuery(c.req.valid("query"), options.now());
    return c.json(
      { series: await monitor.history.query({ serverId: record.id, ...query }), now: options.now() },
      200,
    );
  });
}
