/** Other providers that people sign in by, for administrators. */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema, pageSchema, toPageView } from "../../kit/http/paging.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import { createView, isoTime } from "../../kit/http/view.ts";
import { line } from "../../kit/text/schemas.ts";
import { type AdminMiddleware, adminRoute } from "../edge/admin-views.ts";
import { createRoute } from "../edge/create-route.ts";
import { clientIdSchema } from "../base/ledger-schema.ts";
import { FRESH_PROOF } from "../../records/rights/fresh-proof.ts";
import { type UpstreamRecord, upstreamFieldsSchema } from "./schema.ts";
import type { Upstreams } from "./upstreams.ts";

const { shape } = upstreamFieldsSchema;
const upstreamSchema = z
  .object({
    id: clientIdSchema,
    ...shape,
    secretSet: z.boolean(),
    redirectUri: z.string().openapi({ description: "What is to be registered at the provider" }),
    createdAt: isoTime,
    version: z.int().openapi({ description: "Also the entity tag" }),
  })
  .openapi("Upstream");
const secret = line(2_000).optional();
const secretNote = 'Must be sent again with another kind, issuer or client id; "" removes the stored one';
// Without defaults: what is left out stays.
const changeSchema = z.strictObject({
  kind: shape.kind.unwrap().optional(),
  title: shape.title.optional(),
  clientId: shape.clientId.optional(),
  issuer: shape.issuer.unwrap().optional(),
  scopes: shape.scopes.unwrap().optional(),
  emailAuthoritative: shape.emailAuthoritative.unwrap().optional(),
  registration: shape.registration.unwrap().optional(),
  countsAsSecondFactor: shape.countsAsSecondFactor.unwrap().optional(),
  enabled: shape.enabled.unwrap().optional(),
  secret: secret.describe(secretNote),
});
const probeSchema = z
  .object({
    status: z.enum(["ok", "failed"]),
    reason: z.string().optional(),
    says: z.record(z.string(), z.string()).readonly().optional(),
  })
  .openapi("UpstreamProbe");

const exampleFields = {
  id: "google",
  title: "Google",
  clientId: "123.apps.googleusercontent.com",
  issuer: "https://accounts.google.com",
  emailAuthoritative: true,
};
const example = {
  ...exampleFields,
  kind: "openid",
  scopes: [],
  registration: "site",
  countsAsSecondFactor: false,
  enabled: true,
  secretSet: true,
  redirectUri: "https://accounts.example.org/sign-in/with/google/callback",
  createdAt: "2025-11-20T12:10:00.000+00:00",
  version: 1,
};
const response = jsonResponse("The provider", upstreamSchema, example);
const params = z.object({
  id: z
    .string()
    .pipe(clientIdSchema)
    .openapi({ param: { name: "id", in: "path" }, example: "google" }),
});

interface Parts {
  readonly upstreams: Upstreams;
  readonly admin: AdminMiddleware;
}

const toView = createView(upstreamSchema);

function view(upstream: UpstreamRecord, upstreams: Upstreams): z.infer<typeof upstreamSchema> {
  return toView(upstream, {
    secretSet: upstream.sealedSecret !== undefined,
    redirectUri: upstreams.redirectUriOf(upstream.id),
    version: upstream.editVersion,
  });
}

/** The provider as an answer's body; its version is the ETag. */
function show(c: Context, upstream: UpstreamRecord, upstreams: Upstreams): z.infer<typeof upstreamSchema> {
  c.header("etag", `"${upstream.editVersion}"`);
  return view(upstream, upstreams);
}

function addReadRoutes(app: ServiceApp, { upstreams, admin }: Parts): void {
  const list = createRoute({
    ...adminRoute("providers", admin),
    method: "get",
    path: "/api/admin/upstreams",
    operationId: "adminListUpstreams",
    summary: "Providers that people sign in by, by id",
    request: { query: pageQuerySchema },
    responses: { 200: jsonResponse("A page of providers", pageSchema(upstreamSchema), { items: [example] }) },
  });
  app.openapi(list, async (c) => {
    const page = await upstreams.list(c.req.valid("query"));
    return c.json(
      toPageView(page, (upstream) => view(upstream, upstreams)),
      200,
    );
  });

  const get = createRoute({
    ...adminRoute("providers", admin),
    method: "get",
    path: "/api/admin/upstreams/{id}",
    operationId: "adminGetUpstream",
    summary: "One provider, without its secret",
    request: { params },
    responses: { 200: response },
  });
  app.openapi(get, async (c) =>
    c.json(show(c, await upstreams.get(c.req.valid("param").id), upstreams), 200),
  );

  const test = createRoute({
    ...adminRoute("providers", admin),
    method: "post",
    [FRESH_PROOF]: false,
    path: "/api/admin/upstreams/{id}/test",
    operationId: "adminTestUpstream",
    summary: "Ask the provider what it says of itself",
    request: { params },
    responses: {
      200: jsonResponse("What it said, or why nothing came", probeSchema, {
        status: "ok",
        says: { issuer: "https://accounts.google.com" },
      }),
    },
    errors: ["invalid", "not_found"],
  });
  app.openapi(test, async (c) => c.json(await upstreams.test(c.req.valid("param").id), 200));
}

function addChangeRoutes(app: ServiceApp, { upstreams, admin }: Parts): void {
  const create = createRoute({
    ...adminRoute("providers", admin),
    method: "post",
    path: "/api/admin/upstreams",
    operationId: "adminCreateUpstream",
    "x-scope": "administrator",
    summary: "Set up a provider; its secret is never shown again",
    request: {
      body: jsonBody(upstreamFieldsSchema.extend({ id: clientIdSchema, secret }), {
        ...exampleFields,
        secret: "…",
      }),
    },
    responses: { 201: response },
    errors: [...writeErrors, "already_exists", "conflict"],
  });
  app.openapi(create, async (c) => {
    const upstream = await upstreams.create(c.req.valid("json"), c.var.actor);
    c.header("location", `/api/admin/upstreams/${upstream.id}`);
    return c.json(show(c, upstream, upstreams), 201);
  });

  const methods = [
    { method: "patch", operationId: "adminChangeUpstream", summary: "Change some fields of a provider" },
    {
      method: "put",
      operationId: "adminReplaceUpstream",
      summary: "The same as PATCH: what is left out stays as it is",
    },
  ] as const;
  for (const method of methods) {
    const change = createRoute({
      ...adminRoute("providers", admin),
      ...method,
      // Anyone who sets up a provider can sign in as anyone whose address it vouches for.
      "x-scope": "administrator",
      path: "/api/admin/upstreams/{id}",
      request: { params, headers: ifMatchHeader, body: jsonBody(changeSchema, { enabled: false }) },
      responses: { 200: response },
      errors: [...writeErrors, "not_found", "stale_version"],
    });
    app.openapi(change, async (c) => {
      const version = readIfMatch(c.req.header("if-match"));
      const options = { change: c.req.valid("json"), version, actor: c.var.actor };
      return c.json(show(c, await upstreams.change(c.req.valid("param").id, options), upstreams), 200);
    });
  }

  const remove = createRoute({
    ...adminRoute("providers", admin),
    method: "delete",
    path: "/api/admin/upstreams/{id}",
    operationId: "adminDeleteUpstream",
    "x-scope": "administrator",
    summary: "Remove a provider; who came by it needs another way in",
    request: { params },
    responses: { 204: { description: "It is gone" } },
  });
  app.openapi(remove, async (c) => {
    await upstreams.remove(c.req.valid("param").id, c.var.actor);
    return c.body(null, 204);
  });
}

/** Adds the routes below /api/admin/upstreams. */
export function addAdminUpstreamRoutes(app: ServiceApp, parts: Parts): void {
  addReadRoutes(app, parts);
  addChangeRoutes(app, parts);
}
