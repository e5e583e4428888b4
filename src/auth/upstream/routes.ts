/** Other providers that people sign in by, for administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageQuerySchema } from "../../kit/http/paging.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { createView, isoTime } from "../../kit/http/view.ts";
import { type AdminMiddleware, adminRoute } from "../edge/admin-views.ts";
import { createRoute, resourceRoutes } from "../edge/create-route.ts";
import type { Actor } from "../base/caller.ts";
import { clientIdSchema } from "../base/ledger-schema.ts";
import { FRESH_PROOF } from "../../records/rights/fresh-proof.ts";
import {
  type UpstreamChange,
  type UpstreamRecord,
  type UpstreamView,
  newUpstreamSchema,
  upstreamChangeSchema,
  upstreamFieldsSchema,
  upstreamProbeSchema,
} from "./schema.ts";
import type { Upstreams } from "./upstreams.ts";

const { shape } = upstreamFieldsSchema;
const upstreamSchema = z
  .object({
    id: clientIdSchema,
    ...shape,
    secretSet: z.boolean(),
    redirectUri: z.string().openapi({ description: "Redirect URI to register with the provider" }),
    createdAt: isoTime,
    version: z.int().openapi({ description: "Also the ETag" }),
  })
  .openapi("Upstream");
const probeSchema = z.object(upstreamProbeSchema.shape).openapi("UpstreamProbe");

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
} as const;
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

function view(upstream: UpstreamRecord, upstreams: Upstreams): UpstreamView {
  return toView(upstream, {
    secretSet: upstream.sealedSecret !== undefined,
    redirectUri: upstreams.redirectUriOf(upstream.id),
    version: upstream.editVersion,
  });
}

function addTestRoute(app: ServiceApp, { upstreams, admin }: Parts): void {
  const test = createRoute({
    ...adminRoute("providers", admin),
    method: "post",
    [FRESH_PROOF]: false,
    path: "/api/admin/upstreams/{id}/test",
    operationId: "adminTestUpstream",
    summary: "Test the connection: read the provider's discovery document",
    request: { params },
    responses: {
      200: jsonResponse("The discovery document, or the reason why it could not be read", probeSchema, {
        status: "ok",
        says: { issuer: "https://accounts.google.com" },
      }),
    },
    errors: ["invalid", "not_found"],
  });
  app.openapi(test, async (c) => c.json(await upstreams.test(c.req.valid("param").id), 200));
}

// Anyone who sets up a provider can sign in as anyone whose address it vouches for.
const onlyAdministrators = { "x-scope": "administrator" } as const;

function addUpstreams(app: ServiceApp, { upstreams, admin }: Parts): void {
  const change = {
    ...onlyAdministrators,
    body: upstreamChangeSchema,
    example: { enabled: false },
    run: (
      id: string,
      fields: UpstreamChange,
      { ifMatch, actor }: { readonly ifMatch: number | undefined; readonly actor: Actor },
    ) => upstreams.change(id, { change: fields, version: ifMatch, actor }),
  };
  resourceRoutes(app, {
    route: adminRoute("providers", admin),
    path: "/api/admin/upstreams",
    name: "Upstream",
    noun: "provider",
    params,
    view: upstreamSchema,
    example,
    show: (upstream: UpstreamRecord) => view(upstream, upstreams),
    list: { summary: "List identity providers, sorted by ID", query: pageQuerySchema, run: upstreams.list },
    get: { summary: "Get an identity provider, without its secret", run: upstreams.get },
    create: {
      ...onlyAdministrators,
      summary: "Add an identity provider. Its secret is never shown again",
      body: newUpstreamSchema,
      example: { ...exampleFields, secret: "…" },
      errors: ["already_exists", "conflict"],
      run: (fields, { actor }) => upstreams.create(fields, actor),
    },
    change: { ...change, summary: "Change some fields of an identity provider" },
    replace: { ...change, summary: "Same as PATCH: omitted fields keep their values" },
    remove: {
      ...onlyAdministrators,
      summary: "Delete an identity provider. Users who sign in with it need another sign-in method",
      run: (id, { actor }) => upstreams.remove(id, actor),
    },
  });
}

/** Adds the routes below /api/admin/upstreams. */
export function addAdminUpstreamRoutes(app: ServiceApp, parts: Parts): void {
  addUpstreams(app, parts);
  addTestRoute(app, parts);
}
