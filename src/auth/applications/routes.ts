/** Registered applications for administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { createView, isoTime } from "../../kit/http/view.ts";
import type { Context } from "hono";
import type { Clients } from "./clients.ts";
import { clientIdSchema } from "../base/ledger-schema.ts";
import {
  type ApplicationView,
  type ClientRecord,
  clientChangeSchema,
  clientFieldsSchema,
  newClientSchema,
} from "./schema.ts";
import { pageQuerySchema } from "../../kit/http/paging.ts";
import { type AdminMiddleware, adminRoute } from "../edge/admin-views.ts";
import type { AdminEnv } from "../edge/admin-env.ts";
import { createRoute, resourceRoutes } from "../edge/create-route.ts";
import { refuseLimited } from "../edge/limited.ts";

const { shape } = clientFieldsSchema;
const clientSchema = z
  .object({
    id: clientIdSchema,
    ...shape,
    enabled: z.boolean(),
    hasOlderSecret: z.boolean().openapi({ description: "Whether an older secret is still valid" }),
    createdAt: isoTime,
    version: z.int().openapi({ description: "Also the ETag" }),
  })
  .openapi("Application");
const withSecretSchema = clientSchema
  .extend({
    secret: z.string().openapi({ description: "Shown only in this response; Trivet stores only a hash" }),
  })
  .openapi("ApplicationWithSecret");
const madeSchema = clientSchema
  .extend({
    secret: z.string().optional().openapi({
      description:
        "Shown only in this response; Trivet stores only a hash. Public applications have no secret",
    }),
  })
  .openapi("NewApplication");

const exampleFields = {
  id: "notes",
  name: "Notes",
  launchUrl: "https://notes.example.org/",
  protectedOrigins: ["https://notes.example.org"],
};
const exampleClient = {
  ...exampleFields,
  audiences: [],
  logoUrl: "",
  redirectUris: [],
  postLogoutRedirectUris: [],
  allowedGroups: ["family"],
  clientType: "confidential",
  requirePkce: true,
  idTokenAlgorithm: "RS256",
  claimsInIdToken: true,
  consent: "never",
  deviceFlow: false,
  claims: { preferred_username: "{{user.email}}" },
  accessTokenFormat: "opaque",
  backchannelLogoutUri: "",
  resources: [{ id: "shop", scopes: ["purchases:read"] }],
  requirePushedRequests: false,
  machineScopes: [],
  tokenEndpointAuthMethod: "client_secret",
  jwks: { keys: [] },
  jwksUri: "",
  enabled: true,
  hasOlderSecret: false,
  createdAt: "2025-11-20T12:10:00.000+00:00",
  version: 1,
} as const;
const exampleSecret = { ...exampleClient, secret: "sec_…" };
const response = jsonResponse("The application", clientSchema, exampleClient);
const secretResponse = jsonResponse("The application and its secret", withSecretSchema, exampleSecret);
const madeResponse = jsonResponse(
  "The application, with its secret if it is confidential",
  madeSchema,
  exampleSecret,
);

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

function toApplication(client: ClientRecord): ApplicationView {
  const hasOlderSecret = client.olderSecretHash !== undefined;
  return toView(client, { version: client.editVersion, hasOlderSecret });
}

/** The application as an answer's body; its version is the ETag. */
function show(c: Context, client: ClientRecord): ApplicationView {
  c.header("etag", `"${client.editVersion}"`);
  return toApplication(client);
}

/** Anyone who could give them could have an application do what they may not do themselves. */
function assertMayGive({ principal }: AdminEnv["Variables"], machineScopes: readonly string[] = []): void {
  if (machineScopes.length > 0 && principal.scopes !== "all") refuseLimited("machineScopes");
}

function addCreateRoute(app: ServiceApp, { clients, admin }: Parts): void {
  const adminCreateClient = createRoute({
    ...adminRoute("applications", admin),
    method: "post",
    path: "/api/admin/clients",
    operationId: "adminCreateClient",
    summary: "Register an application. Only this response contains the secret of a confidential application",
    request: {
      body: jsonBody(newClientSchema, exampleFields),
    },
    responses: { 201: madeResponse },
    errors: [...writeErrors, "already_exists"],
  });
  app.openapi(adminCreateClient, async (c) => {
    const fields = c.req.valid("json");
    assertMayGive(c.var, fields.machineScopes);
    const { client, secret } = await clients.create(fields, c.var.actor);
    c.header("location", `/api/admin/clients/${client.id}`);
    c.header("cache-control", "no-store");
    return c.json({ ...show(c, client), secret }, 201);
  });
}

function addSecretRoutes(app: ServiceApp, { clients, admin }: Parts): void {
  const gives = [
    [
      "rotate-secret",
      "adminRotateClientSecret",
      "rotateSecret",
      "Replace the secret. All previous secrets stop working immediately",
    ],
    [
      "secrets",
      "adminAddClientSecret",
      "addSecret",
      "Add a second secret. The previous secret works until you retire it",
    ],
  ] as const;
  for (const [name, operationId, act, summary] of gives) {
    const route = createRoute({
      ...adminRoute("applications", admin),
      method: "post",
      path: `/api/admin/clients/{id}/${name}`,
      operationId,
      summary,
      request: { params: clientParams },
      responses: { 200: secretResponse },
      errors: ["invalid", "not_found", "conflict", "store_unavailable"],
    });
    app.openapi(route, async (c) => {
      const { client, secret } = await clients[act](c.req.valid("param").id, c.var.actor);
      c.header("cache-control", "no-store");
      return c.json({ ...show(c, client), secret }, 200);
    });
  }

  const retire = createRoute({
    ...adminRoute("applications", admin),
    method: "delete",
    path: "/api/admin/clients/{id}/secrets/older",
    operationId: "adminRetireClientSecret",
    summary: "Retire the older of two secrets",
    request: { params: clientParams },
    responses: { 200: response },
    errors: ["invalid", "not_found", "conflict", "store_unavailable"],
  });
  app.openapi(retire, async (c) =>
    c.json(show(c, await clients.retireSecret(c.req.valid("param").id, c.var.actor)), 200),
  );
}

function addClients(app: ServiceApp, { clients, admin }: Parts): void {
  resourceRoutes(app, {
    route: adminRoute("applications", admin),
    path: "/api/admin/clients",
    name: "Client",
    noun: "application",
    params: clientParams,
    view: clientSchema,
    example: exampleClient,
    show: toApplication,
    list: { summary: "List applications, sorted by ID", query: pageQuerySchema, run: clients.list },
    get: { summary: "Get an application", run: clients.get },
    change: {
      summary: "Change or disable an application. If-Match prevents lost updates",
      body: clientChangeSchema,
      example: { allowedGroups: ["family"] },
      run: (id, change, { ifMatch, actor, context }) => {
        assertMayGive(context.var, change.machineScopes);
        return clients.change(id, { change, version: ifMatch, actor });
      },
    },
    remove: {
      summary: "Delete an application. Its secret stops working immediately",
      run: (id, { actor }) => clients.remove(id, actor),
    },
  });
}

/** Adds the routes below /api/admin/clients. */
export function addAdminClientRoutes(app: ServiceApp, parts: Parts): void {
  addClients(app, parts);
  addCreateRoute(app, parts);
  addSecretRoutes(app, parts);
}
