/** Public routes: the list, one server, its history. No credential, and nothing but the public view. */
import { createRoute, z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { isKnownTag } from "../../kit/http/etag.ts";
import { problemResponses } from "../../kit/http/schemas.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import { type PublicSnapshot, type SnapshotEntry, toListJson } from "./snapshot.ts";
import { historyQuerySchema, historySchema, toHistoryQuery } from "../history/schema.ts";
import type { History } from "../history/history.ts";
import { type ServerRecord, serverIdSchema, serverStates } from "../schema.ts";
import type { Usage } from "../usage/usage.ts";
import { serverDetailSchema, serverListSchema } from "./view-schema.ts";
import { type ServerFacts, toServerDetail, toState } from "./server-view.ts";
import { exampleServer } from "./examples.ts";
import type { Live } from "./live.ts";

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
          example: { items: [exampleServer], now: "2025-11-20T12:00:00+00:00" },
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

function matches({ record }: SnapshotEntry, query: ListQuery, live: Pick<Live, "get">): boolean {
  if (query.group !== undefined && record.group !== query.group) return false;
  if (query.tag !== undefined && !record.tags.includes(query.tag)) return false;
  if (query.state !== undefined && toState(record, live.get(record.id)) !== query.state) return false;
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
export function getVisible(publicSnapshot: Pick<PublicSnapshot, "findEntry">, id: string): SnapshotEntry {
  const entry = publicSnapshot.findEntry(id);
  // A hidden server looks exactly like one that does not exist.
  if (entry === undefined) throw new AppError("not_found", `There is no server "${id}"`);
  return entry;
}

export interface PublicRoutesOptions {
  readonly publicSnapshot: PublicSnapshot;
  readonly live: Pick<Live, "get">;
  readonly usage: Pick<Usage, "uptime">;
  readonly history: Pick<History, "query">;
  readonly factsOf: (record: ServerRecord) => ServerFacts;
  readonly now: () => number;
}

/** Adds the public routes. */
export function addPublicRoutes(app: ServiceApp, options: PublicRoutesOptions): void {
  const { publicSnapshot, live, usage, history, factsOf, now } = options;
  app.openapi(listRoute, (c) => {
    const query = c.req.valid("query");
    const headers = { "content-type": "application/json", "cache-control": "no-cache" };
    if (isUnfiltered(query)) {
      const { bytes, etag } = publicSnapshot.list();
      if (isKnownTag(c.req.header("if-none-match"), etag)) return c.body(null, 304, { etag });
      return c.body(bytes, 200, { ...headers, etag });
    }
    const servers = publicSnapshot.entries().filter((entry) => matches(entry, query, live));
    return c.body(toListJson(servers, now()), 200, headers);
  });

  app.openapi(detailRoute, (c) => {
    const { record, displayOrder } = getVisible(publicSnapshot, c.req.valid("param").id);
    const facts = { ...factsOf(record), displayOrder, uptime: usage.uptime(record) };
    return c.json(toServerDetail(record, facts), 200);
  });

  app.openapi(historyRoute, async (c) => {
    const { record } = getVisible(publicSnapshot, c.req.valid("param").id);
    const query = toHistoryQuery(c.req.valid("query"), now());
    const items = await history.query({ serverId: record.id, ...query });
    return c.json({ items, now: toIsoTime(now()) }, 200);
  });
}
