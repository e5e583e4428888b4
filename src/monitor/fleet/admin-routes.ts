/** Administration of the servers: list, create, replace, delete, reorder, new keys. */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import { AppError } from "../../kit/errors.ts";
import { ifMatchHeader, jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { isoTimeSchema, toIsoTime } from "../../kit/text/iso-time.ts";
import { toPatchSchema } from "../../records/settings-patch.ts";
import {
  type ServerRecord,
  billingSchema,
  muteSchema,
  serverFieldsSchema,
  serverIdSchema,
} from "../base/schema.ts";
import { type Servers, MAX_SERVERS } from "./servers.ts";
import { type AdminServer, adminServerSchema } from "./view-schema.ts";
import { type ServerFacts, toAdminDetail, toAdminServer } from "./server-view.ts";
import { changeFrom } from "../edge/versions.ts";
import { type GuardEnv } from "../edge/admin-env.ts";
import { exampleAdminServer } from "./examples.ts";
import { serverIdParams } from "./routes.ts";
import { adminRoute, createRoute } from "../edge/create-route.ts";
import { FRESH_PROOF } from "../../records/rights/fresh-proof.ts";

const exampleFields = { name: "Web 1", group: "Frankfurt", tags: ["web"], region: "DE", provider: "Hetzner" };
const serverResponse = { "application/json": { schema: adminServerSchema, example: exampleAdminServer } };
const replacementSchema = serverFieldsSchema.extend({
  hidden: z.boolean().optional(),
  disabled: z.boolean().optional(),
  version: z.number().int().min(1).optional(),
});
/** Any of the fields; what belongs together comes as a whole, and null takes it away. */
const changeSchema = toPatchSchema(serverFieldsSchema.omit({ billing: true, mute: true })).extend({
  billing: billingSchema.nullable().optional(),
  mute: muteSchema.nullable().optional(),
  version: z.number().int().min(1).optional(),
});
const createdSchema = adminServerSchema.extend({
  agentKey: z.string().openapi({ description: "The agent's credential: shown this once, kept as a hash" }),
  command: z.string().openapi({ description: "The line that runs the agent with this key" }),
});
const createdResponse = {
  "application/json": {
    schema: createdSchema,
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

function addReadRoutes(app: ServiceApp, options: AdminServerRoutesOptions): void {
  const { servers, guard, now } = options;
  const adminListServers = createRoute({
    ...adminRoute("servers", guard),
    method: "get",
    path: "/api/admin/servers",
    operationId: "adminListServers",
    summary: "All servers, hidden ones too, in display order",
    responses: {
      200: jsonResponse("The servers", z.object({ items: z.array(adminServerSchema), now: isoTimeSchema })),
    },
  });
  app.openapi(adminListServers, async (c) => {
    const items = (await servers.listAll()).map((record) => toView(options, record));
    return c.json({ items, now: toIsoTime(now()) }, 200);
  });

  const adminGetServer = createRoute({
    ...adminRoute("servers", guard),
    method: "get",
    path: "/api/admin/servers/{id}",
    operationId: "adminGetServer",
    summary: "One server with everything that is known of it",
    request: { params: serverIdParams },
    responses: { 200: { description: "The server", content: serverResponse } },
  });
  app.openapi(adminGetServer, async (c) => {
    const { id } = c.req.valid("param");
    const record = await servers.find(id);
    if (record === undefined) throw new AppError("not_found", `There is no server "${id}"`);
    c.header("etag", `"${record.editVersion}"`);
    return c.json(toAdminDetail(record, options.factsOf(record)), 200);
  });
}

function addCreateRoutes(app: ServiceApp, options: AdminServerRoutesOptions): void {
  const { servers, guard, agentCommand } = options;
  const adminCreateServer = createRoute({
    ...adminRoute("servers", guard),
    method: "post",
    path: "/api/admin/servers",
    operationId: "adminCreateServer",
    summary: "Add a server; the answer holds its agent key, this once",
    request: {
      body: jsonBody(serverFieldsSchema.extend({ id: serverIdSchema.optional() }), exampleFields),
    },
    responses: { 201: { description: "The server and its key", content: createdResponse } },
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

  // Before the :id routes: "reorder" is a path of its own, and no server can have that id.
  const adminReorderServers = createRoute({
    ...adminRoute("servers", guard),
    method: "put",
    path: "/api/admin/servers/reorder",
    operationId: "adminReorderServers",
    summary: "Put the servers in this order; names each exactly once",
    request: {
      body: jsonBody(z.strictObject({ ids: z.array(serverIdSchema).max(MAX_SERVERS) }), {
        ids: ["web-2", "web-1"],
      }),
    },
    responses: { 204: { description: "The order is as asked" } },
  });
  app.openapi(adminReorderServers, async (c) => {
    await servers.reorder(c.req.valid("json").ids, c.var.actor);
    return c.body(null, 204);
  });
}

function addChangeRoutes(app: ServiceApp, options: AdminServerRoutesOptions): void {
  const { servers, guard } = options;
  const adminReplaceServer = createRoute({
    ...adminRoute("servers", guard),
    method: "put",
    path: "/api/admin/servers/{id}",
    operationId: "adminReplaceServer",
    summary:
      "Replace what an administrator sets; what is left out falls back to its default, but `hidden` and `disabled` stay",
    request: {
      params: serverIdParams,
      headers: ifMatchHeader,
      body: jsonBody(replacementSchema, {
        ...exampleFields,
        version: 3,
      }),
    },
    responses: { 200: { description: "The server as it is now", content: serverResponse } },
  });
  app.openapi(adminReplaceServer, async (c) => {
    const { version, ...fields } = c.req.valid("json");
    const { id } = c.req.valid("param");
    const record = await changeFrom({ ifMatch: c.req.header("if-match"), version }, (from) =>
      servers.replace(id, { fields, version: from, actor: c.var.actor }),
    );
    c.header("etag", `"${record.editVersion}"`);
    return c.json(toView(options, record), 200);
  });

  const adminDeleteServer = createRoute({
    ...adminRoute("servers", guard),
    method: "delete",
    path: "/api/admin/servers/{id}",
    operationId: "adminDeleteServer",
    [FRESH_PROOF]: true,
    summary: "Delete a server and its history; its agent is cut off",
    request: { params: serverIdParams },
    responses: { 204: { description: "It is gone" } },
  });
  app.openapi(adminDeleteServer, async (c) => {
    await servers.remove(c.req.valid("param").id, c.var.actor);
    return c.body(null, 204);
  });
}

function addPatchRoute(app: ServiceApp, options: AdminServerRoutesOptions): void {
  const { servers, guard } = options;
  const route = createRoute({
    ...adminRoute("servers", guard),
    method: "patch",
    path: "/api/admin/servers/{id}",
    operationId: "adminChangeServer",
    summary: "Change some of what an administrator sets; what is left out stays as it is",
    request: {
      params: serverIdParams,
      headers: ifMatchHeader,
      body: jsonBody(changeSchema, { publicNote: "Front end" }),
    },
    responses: { 200: { description: "The server as it is now", content: serverResponse } },
  });
  app.openapi(route, async (c) => {
    const { version, ...patch } = c.req.valid("json");
    const { id } = c.req.valid("param");
    const record = await changeFrom({ ifMatch: c.req.header("if-match"), version }, (from) =>
      servers.change(id, { patch, version: from, actor: c.var.actor }),
    );
    c.header("etag", `"${record.editVersion}"`);
    return c.json(toView(options, record), 200);
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
    summary: "Give a new agent key; the present one may work a while longer",
    request: {
      params: serverIdParams,
      body: jsonBody(z.strictObject({ graceSeconds: z.number().int().min(0).max(86_400).default(0) }), {
        graceSeconds: 3_600,
      }),
    },
    responses: { 200: { description: "The server and its new key", content: createdResponse } },
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
  addReadRoutes(app, options);
  addChangeRoutes(app, options);
  addPatchRoute(app, options);
  addKeyRoute(app, options);
}
