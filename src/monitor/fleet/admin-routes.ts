/** Administration of the servers: list, create, replace, delete, reorder, new keys. */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { AppError } from "../../kit/errors.ts";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import { toPatchSchema } from "../../records/settings-patch.ts";
import { type ServerRecord, serverChangeSchema, serverFieldsSchema, serverIdSchema } from "../base/schema.ts";
import { type Servers, MAX_SERVERS } from "./servers.ts";
import {
  type AdminServer,
  adminServerListSchema,
  adminServerSchema,
  createdServerSchema,
  keyRotationSchema,
} from "./view-schema.ts";
import { type ServerFacts, toAdminDetail, toAdminServer } from "./server-view.ts";
import { type GuardEnv } from "../edge/admin-env.ts";
import { exampleAdminServer } from "./examples.ts";
import { serverIdParams } from "./routes.ts";
import { adminRoute, createRoute, resourceRoutes } from "../edge/create-route.ts";
import { FRESH_PROOF } from "../../records/rights/fresh-proof.ts";

const exampleFields = { name: "Web 1", group: "Frankfurt", tags: ["web"], region: "DE", provider: "Hetzner" };
const replacementSchema = serverFieldsSchema.extend({
  hidden: z.boolean().optional(),
  disabled: z.boolean().optional(),
  version: z.number().int().min(1).optional(),
});
const changeSchema = toPatchSchema(serverFieldsSchema.omit({ billing: true, mute: true })).extend({
  billing: serverChangeSchema.shape.billing,
  mute: serverChangeSchema.shape.mute,
  version: z.number().int().min(1).optional(),
});
const createdResponse = {
  "application/json": {
    schema: createdServerSchema,
    example: {
      ...exampleAdminServer,
      agentKey: "agk_…",
      command: "npm run agent -- --server status.example.org:443 --tls --id web-1 --key agk_…",
    },
  },
};

export interface AdminServerRoutesOptions {
  readonly servers: Servers;
  readonly factsOf: (record: ServerRecord) => ServerFacts;
  readonly guard: MiddlewareHandler<GuardEnv>;
  readonly now: () => number;
  /** The line that runs an agent with this id and key. */
  readonly agentCommand: (credential: { id: string; key: string }, requestUrl: string) => string;
}

function toView({ factsOf }: AdminServerRoutesOptions, record: ServerRecord): AdminServer {
  return toAdminServer(record, factsOf(record));
}

function addListRoute(app: ServiceApp, options: AdminServerRoutesOptions): void {
  const { servers, guard, now } = options;
  const adminListServers = createRoute({
    ...adminRoute("servers", guard),
    method: "get",
    path: "/api/admin/servers",
    operationId: "adminListServers",
    summary: "List all servers, including hidden ones, in display order",
    responses: {
      200: jsonResponse("The servers", adminServerListSchema),
    },
  });
  app.openapi(adminListServers, async (c) => {
    const items = (await servers.listAll()).map((record) => toView(options, record));
    return c.json({ items, now: toIsoTime(now()) }, 200);
  });
}

function addCreateRoutes(app: ServiceApp, options: AdminServerRoutesOptions): void {
  const { servers, guard, agentCommand } = options;
  const adminCreateServer = createRoute({
    ...adminRoute("servers", guard),
    method: "post",
    path: "/api/admin/servers",
    operationId: "adminCreateServer",
    summary: "Create a server. Only this response contains its agent key",
    request: {
      body: jsonBody(serverFieldsSchema.extend({ id: serverIdSchema.optional() }), exampleFields),
    },
    responses: { 201: { description: "The server and its agent key", content: createdResponse } },
    errors: [...writeErrors, "already_exists", "conflict"],
  });
  app.openapi(adminCreateServer, async (c) => {
    const { id, ...fields } = c.req.valid("json");
    const { server, agentKey } = await servers.create(fields, { id, actor: c.var.actor });
    c.header("location", `/api/admin/servers/${server.id}`);
    c.header("cache-control", "no-store");
    const command = agentCommand({ id: server.id, key: agentKey }, c.req.url);
    return c.json({ ...toView(options, server), agentKey, command }, 201);
  });

  // Before the :id routes: "reorder" is a separate path, and no server can have that ID.
  const adminReorderServers = createRoute({
    ...adminRoute("servers", guard),
    method: "put",
    path: "/api/admin/servers/reorder",
    operationId: "adminReorderServers",
    summary: "Set the display order of the servers. The list must contain every server exactly once",
    request: {
      body: jsonBody(z.strictObject({ ids: z.array(serverIdSchema).max(MAX_SERVERS) }), {
        ids: ["web-2", "web-1"],
      }),
    },
    responses: { 204: { description: "The order was changed" } },
  });
  app.openapi(adminReorderServers, async (c) => {
    await servers.reorder(c.req.valid("json").ids, c.var.actor);
    return c.body(null, 204);
  });
}

function addItemRoutes(app: ServiceApp, options: AdminServerRoutesOptions): void {
  const { servers, guard, factsOf } = options;
  resourceRoutes(app, {
    route: adminRoute("servers", guard),
    path: "/api/admin/servers",
    name: "Server",
    noun: "server",
    params: serverIdParams,
    view: adminServerSchema,
    example: exampleAdminServer,
    show: (record: ServerRecord) => toView(options, record),
    versionOf: ({ editVersion }) => editVersion,
    get: {
      summary: "Get a server with all its details",
      show: (record) => toAdminDetail(record, factsOf(record)),
      run: async (id) => {
        const record = await servers.find(id);
        if (record === undefined) throw new AppError("not_found", `There is no server "${id}"`);
        return record;
      },
    },
    replace: {
      summary:
        "Replace the settings of a server. Omitted fields are reset to their defaults, except `hidden` and `disabled`",
      body: replacementSchema,
      example: { ...exampleFields, version: 3 },
      run: (id, fields, by) => servers.replace(id, { fields, ...by }),
    },
    change: {
      summary: "Change some fields of a server",
      body: changeSchema,
      example: { publicNote: "Front end" },
      run: (id, patch, by) => servers.change(id, { patch, ...by }),
    },
    remove: {
      [FRESH_PROOF]: true,
      summary: "Delete a server and its history. Its agent is disconnected",
      run: (id, { actor }) => servers.remove(id, actor),
    },
  });
}

function addKeyRoute(app: ServiceApp, options: AdminServerRoutesOptions): void {
  const { servers, guard, agentCommand } = options;
  const route = createRoute({
    ...adminRoute("servers", guard),
    method: "post",
    path: "/api/admin/servers/{id}/rotate-key",
    operationId: "adminRotateAgentKey",
    [FRESH_PROOF]: true,
    summary: "Replace the agent key. The current key can remain valid for a grace period",
    request: {
      params: serverIdParams,
      body: jsonBody(keyRotationSchema, { graceSeconds: 3_600 }),
    },
    responses: { 200: { description: "The server and its new agent key", content: createdResponse } },
  });
  app.openapi(route, async (c) => {
    const { graceSeconds } = c.req.valid("json");
    const { server, agentKey } = await servers.rotateKey(c.req.valid("param").id, {
      graceSeconds,
      actor: c.var.actor,
    });
    c.header("cache-control", "no-store");
    const command = agentCommand({ id: server.id, key: agentKey }, c.req.url);
    return c.json({ ...toView(options, server), agentKey, command }, 200);
  });
}

/** Adds the routes below /api/admin/servers. */
export function addAdminServerRoutes(app: ServiceApp, options: AdminServerRoutesOptions): void {
  addCreateRoutes(app, options);
  addListRoute(app, options);
  addItemRoutes(app, options);
  addKeyRoute(app, options);
}
