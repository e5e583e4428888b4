/** Administration of viewers' links and of tokens for /metrics. */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { toIsoTime, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import { type GuardEnv } from "../edge/admin-env.ts";
import type { AccessTokenRecord } from "./schema.ts";
import {
  type AccessTokenView,
  accessTokenSchema,
  madeAccessTokenSchema,
  newAccessTokenSchema,
} from "./view-schema.ts";
import type { AccessTokens } from "./tokens.ts";
import { adminRoute, createRoute, resourceRoutes } from "../edge/create-route.ts";

const PATH = "/api/admin/access-tokens";
const example: AccessTokenView = {
  id: "5f…",
  scope: "view",
  name: "The wall in the office",
  createdAt: "2026-11-22T12:00:00+00:00",
};

export interface AccessTokenRoutesOptions {
  readonly tokens: AccessTokens;
  readonly guard: MiddlewareHandler<GuardEnv>;
  /** Where people reach this monitor. */
  readonly toUrl: (requestUrl: string) => string;
}

function toView({ id, scope, name, createdAt, expiresAt, lastUsedAt }: AccessTokenRecord): AccessTokenView {
  return {
    id,
    scope,
    name,
    createdAt: toIsoTime(createdAt),
    expiresAt: toIsoTimeIfAny(expiresAt),
    lastUsedAt: toIsoTimeIfAny(lastUsedAt),
  };
}

function addCreate(app: ServiceApp, options: AccessTokenRoutesOptions): void {
  const route = createRoute({
    ...adminRoute("access", options.guard),
    method: "post",
    path: PATH,
    operationId: "adminCreateAccessToken",
    summary: "Create a viewer link or a token for /metrics. Only this response contains the token",
    request: { body: jsonBody(newAccessTokenSchema, { scope: "view", name: example.name }) },
    responses: {
      201: jsonResponse("The token", madeAccessTokenSchema, {
        ...example,
        token: "view_…",
        url: "https://status.example.org/view/view_…",
      }),
    },
    errors: [...writeErrors, "conflict"],
  });
  app.openapi(route, async (c) => {
    const { expiresAt, ...fields } = c.req.valid("json");
    const end = expiresAt === undefined ? undefined : Date.parse(expiresAt);
    const { record, token } = await options.tokens.create({ ...fields, expiresAt: end }, c.var.actor);
    c.header("cache-control", "no-store");
    const url = fields.scope === "view" ? `${options.toUrl(c.req.url)}/view/${token}` : undefined;
    return c.json({ ...toView(record), token, url }, 201);
  });
}

/** Adds the routes below /api/admin/access-tokens. */
export function addAccessTokenRoutes(app: ServiceApp, options: AccessTokenRoutesOptions): void {
  addCreate(app, options);
  const { tokens, guard } = options;
  resourceRoutes(app, {
    route: adminRoute("access", guard),
    path: PATH,
    name: "AccessToken",
    noun: "access token",
    params: z.object({ id: z.string().max(64) }),
    view: accessTokenSchema,
    example,
    show: toView,
    listAll: {
      summary: "List viewer links and tokens for /metrics, newest first, without their secrets",
      page: z.object({ items: z.array(accessTokenSchema) }),
      errors: ["store_unavailable"],
      run: tokens.list,
    },
    remove: {
      summary:
        "Delete a viewer link or token. It stops working immediately, and its open connections are closed",
      run: (id, { actor }) => tokens.remove(id, actor),
    },
  });
}
