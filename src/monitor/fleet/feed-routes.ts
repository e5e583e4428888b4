/** GET /api/ws/monitor: the handshake of the live feed. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { type OriginRules, isAllowedOrigin, isSameHost, ORIGIN_REMEDY } from "../../kit/outbound/origin.ts";
import { type FindVisitor, visitorErrors, visitorRoute } from "../access/http/visitor-guard.ts";
import type { Feed } from "./feed.ts";
import { serverIdSchema } from "../base/schema.ts";
import { createRoute } from "../edge/create-route.ts";

const MAX_IDS = 200;

const ids = z
  .string()
  .max(16_384)
  .transform((text) => [...new Set(text.split(",").map((id) => id.trim()))].filter((id) => id !== "").sort())
  .pipe(z.array(serverIdSchema).max(MAX_IDS));

const feedRoute = createRoute({
  method: "get",
  path: "/api/ws/monitor",
  operationId: "watchServers",
  tags: ["public"],
  "x-access": "public",
  ...visitorRoute,
  summary: "Open the live feed (WebSocket): metric snapshots of the visible servers",
  description: [
    'Sends `{"type":"snapshot","seq","now","servers":[…]}` immediately and then every `snapshotIntervalMs` (2 s).',
    'With `mode=delta`: one snapshot, then `{"type":"delta","seq","now","upsert":[…],"remove":[ids]}`, each `seq` one more than the previous one;',
    'after a gap send `{"type":"resync"}` to get a snapshot. With `encoding=gzip` frames of 1 KiB and more are binary messages with the same JSON compressed by gzip.',
    "Limits: `VIEWERS_PER_ADDRESS` sockets (50) per IP address (per /64 for IPv6), then 429; 200 different server selections over all viewers, then 503.",
    'Every frame has `"checks"`, a number that increases when `GET /api/checks` has something new.',
    'Administrators get hidden servers too (`"hidden":true`), and `"alerts":{"info","warning","critical"}`, how many are open, in every frame.',
    "Close codes: 1008 when the session has ended, 1001 when the service stops, 1009 after a message over 4 KiB, 1013 when the client reads too slowly or there are too many viewers.",
  ].join(" "),
  request: {
    query: z.object({
      mode: z.enum(["full", "delta"]).default("full"),
      encoding: z.enum(["plain", "gzip"]).default("plain"),
      servers: ids
        .optional()
        .openapi({ type: "string", description: "Server IDs, separated by commas", example: "web-1,web-2" }),
    }),
  },
  responses: { 101: { description: "Switching to the WebSocket protocol" } },
  errors: [...visitorErrors, "origin_refused", "invalid", "upgrade_required", "unavailable"],
});

export interface FeedRouteOptions {
  readonly feed: Feed;
  readonly findVisitor: FindVisitor;
  readonly origins: OriginRules;
}

export function addFeedRoute(app: ServiceApp, { feed, findVisitor, origins }: FeedRouteOptions): void {
  app.openapi(feedRoute, async (c) => {
    if (c.req.header("upgrade")?.toLowerCase() !== "websocket") {
      throw new AppError("upgrade_required", "This path is a WebSocket. Connect with ws:// or wss://");
    }
    const origin = c.req.header("origin");
    const request = c.req.raw;
    // Visitors of a page under a public name get live updates even if PUBLIC_URL is not set.
    if (origin !== undefined && !isSameHost(origin, request) && !isAllowedOrigin(origin, request, origins)) {
      throw new AppError(
        "origin_refused",
        `Pages of this origin are not allowed to connect. Add the origin to ALLOWED_ORIGINS, or ${ORIGIN_REMEDY}`,
      );
    }
    const { mode, encoding, servers } = c.req.valid("query");
    const visitor = await findVisitor(c);
    const audience = visitor.right === "administer" ? "administrators" : "public";
    return feed.accept(request, {
      kind: { audience, mode, gzip: encoding === "gzip", serverIds: servers },
      clientAddress: c.get("clientAddress"),
      visitor,
    });
  });
}
