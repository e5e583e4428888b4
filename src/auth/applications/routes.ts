/** Registered applications for administrators: their secrets and audiences. */
import { createRoute, z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import { problemResponses } from "../http/problems.ts";
import { trimmedLine } from "../../kit/text/schemas.ts";
import { createView, isoTime } from "../../kit/http/view.ts";
import type { Context } from "hono";
import type { Clients } from "./clients.ts";
import { type ClientRecord, clientIdSchema, clientRecordSchema } from "../ledger-schema.ts";
import { adminErrors } from "../http/admin-guard.ts";
import { pageQuerySchema, pageSchema, toPageView } from "../../kit/http/pages.ts";
import { type AdminMiddleware, adminRoute } from "../http/admin-views.ts";

/** What a JWT's `aud` may hold (a StringOrURI, RFC 7519 section 2). */
const audiences = z
  .array(z.string().regex(/^[\u0021-\u007e]{1,200}$/u, "must be 1 to 200 characters of ASCII without spaces"))
  .max(20);
const name = trimmedLine(100);

const clientSchema = clientRecordSchema
  .pick({ id: true, name: true, audiences: true, enabled: true })
  .extend({ createdAt: isoTime, version: z.int().openapi({ description: "Also the entity tag" }) })
  .openapi("Application");
const withSecretSchema = clientSchema
  .extend({ secret: z.string().openapi({ description: "Shown this once, kept as a hash" }) })
  .openapi("ApplicationWithSecret");

const exampleClient = {
  id: "shop",
  name: "The shop",
  audiences: ["https://shop.example.org"],
  enabled: true,
  createdAt: "2025-11-20T12:10:00.000+00:00",
  version: 1,
};
const exampleSecret = { ...exampleClient, secret: "sec_…" };
const response = jsonResponse("The application", clientSchema, exampleClient);
const secretResponse = jsonResponse("The application and its secret", withSecretSchema, exampleSecret);

const clientParams = z.object({
  // A schema of the logic may be older than zod-openapi's extension: it has no openapi().
  id: z
    .string()
    .pipe(clientIdSchema)
    .openapi({ param: { name: "id", in: "path" }, example: "shop" }),
});

interface Parts {
  readonly clients: Clients;
  readonly admin: AdminMiddleware;
}

const toView = createView(clientSchema);

/** The application as an answer's body; its version is the ETag. */
function show(c: Context, client: ClientRecord): z.infer<typeof clientSchema> {
  c.header("etag", `"${client.editVersion}"`);
  return toView(client, { version: client.editVersion });
}

function addReadRoutes(app: ServiceApp, { clients, admin }: Parts): void {
  app.openapi(
    createRoute({
      ...adminRoute("applications", admin),
      method: "get",
      path: "/api/admin/clients",
      operationId: "adminListClients",
      summary: "Registered applications by id",
      request: { query: pageQuerySchema },
      responses: {
        200: jsonResponse("A page of applications", pageSchema(clientSchema), { items: [exampleClient] }),
        ...problemResponses(...adminErrors, "bad_request", "invalid"),
      },
    }),
    async (c) => {
      const page = await clients.list(c.req.valid("query"));
      return c.json(
        toPageView(page, (client) => toView(client, { version: client.editVersion })),
        200,
      );
    },
  );

  app.openapi(
    createRoute({
      ...adminRoute("applications", admin),
      method: "get",
      path: "/api/admin/clients/{id}",
      operationId: "adminGetClient",
      summary: "One application",
      request: { params: clientParams },
      responses: { 200: response, ...problemResponses(...adminErrors, "invalid", "not_found") },
    }),
    async (c) => {
      return c.json(show(c, await clients.get(c.req.valid("param").id)), 200);
    },
  );
}

function addSecretRoutes(app: ServiceApp, { clients, admin }: Parts): void {
  app.openapi(
    createRoute({
      ...adminRoute("applications", admin),
      method: "post",
      path: "/api/admin/clients",
      operationId: "adminCreateClient",
      summary: "Register an application; the answer holds its secret, this once",
      request: {
        body: jsonBody(z.strictObject({ id: clientIdSchema, name, audiences: audiences.default([]) }), {
          id: "shop",
          name: "The shop",
          audiences: ["https://shop.example.org"],
        }),
      },
      responses: {
        201: secretResponse,
        ...problemResponses(...adminErrors, ...writeErrors, "already_exists"),
      },
    }),
    async (c) => {
      const { client, secret } = await clients.create(c.req.valid("json"), c.var.actor);
      c.header("location", `/api/admin/clients/${client.id}`);
      c.header("cache-control", "no-store");
      return c.json({ ...show(c, client), secret }, 201);
    },
  );

  app.openapi(
    createRoute({
      ...adminRoute("applications", admin),
      method: "post",
      path: "/api/admin/clients/{id}/rotate-secret",
      operationId: "adminRotateClientSecret",
      summary: "Give a new secret; the one before is dead at once",
      request: { params: clientParams },
      responses: {
        200: secretResponse,
        ...problemResponses(...adminErrors, "invalid", "not_found", "store_unavailable"),
      },
    }),
    async (c) => {
      const { client, secret } = await clients.rotateSecret(c.req.valid("param").id, c.var.actor);
      c.header("cache-control", "no-store");
      return c.json({ ...show(c, client), secret }, 200);
    },
  );
}

function addChangeRoutes(app: ServiceApp, { clients, admin }: Parts): void {
  const changeSchema = z.strictObject({
    name: name.optional(),
    audiences: audiences.optional(),
    enabled: z.boolean().optional(),
  });
  app.openapi(
    createRoute({
      ...adminRoute("applications", admin),
      method: "patch",
      path: "/api/admin/clients/{id}",
      operationId: "adminChangeClient",
      summary: "Change an application, or switch it off; If-Match guards against lost updates",
      request: {
        params: clientParams,
        headers: ifMatchHeader,
        body: jsonBody(changeSchema, { audiences: ["https://shop.example.org"] }),
      },
      responses: {
        200: response,
        ...problemResponses(...adminErrors, ...writeErrors, "not_found", "stale_version"),
      },
    }),
    async (c) => {
      const version = readIfMatch(c.req.header("if-match"));
      const options = { change: c.req.valid("json"), version, actor: c.var.actor };
      const client = await clients.change(c.req.valid("param").id, options);
      return c.json(show(c, client), 200);
    },
  );

  app.openapi(
    createRoute({
      ...adminRoute("applications", admin),
      method: "delete",
      path: "/api/admin/clients/{id}",
      operationId: "adminDeleteClient",
      summary: "Remove an application; its secret is good for nothing from now on",
      request: { params: clientParams },
      responses: {
        204: { description: "It is gone" },
        ...problemResponses(...adminErrors, "invalid", "not_found", "store_unavailable"),
      },
    }),
    async (c) => {
      await clients.remove(c.req.valid("param").id, c.var.actor);
      return c.body(null, 204);
    },
  );
}

/** Adds the routes below /api/admin/clients. */
export function addAdminClientRoutes(app: ServiceApp, parts: Parts): void {
  addReadRoutes(app, parts);
  addSecretRoutes(app, parts);
  addChangeRoutes(app, parts);
}
