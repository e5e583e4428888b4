/** Administration of a service's API keys: /api/admin/api-keys. */
import { createRoute, z } from "@hono/zod-openapi";
import type { Env, MiddlewareHandler } from "hono";
import type { ServiceApp } from "../../kit/http/app.ts";
import {
  type ProblemResponse,
  jsonBody,
  jsonResponse,
  problemResponses,
  writeErrors,
} from "../../kit/http/schemas.ts";
import { isoTimeMs, toIsoTime, toIsoTimeIfAny } from "../../kit/text/iso-time.ts";
import type { AuditActor } from "../audit.ts";
import type { ApiKeys } from "./api-keys.ts";
import { type ApiKeyRecord, keyNameSchema } from "./schema.ts";
import { type ScopedService, isAdminScope, listScopes } from "./scopes.ts";
import {
  type ApiKeyView,
  apiKeyChangeSchema,
  apiKeyListSchema,
  apiKeySchema,
  createdApiKeySchema,
  describedNetworksSchema,
} from "./view-schema.ts";

const PATH = "/api/admin/api-keys";

interface KeyEnv extends Env {
  Variables: { actor: AuditActor };
}

interface KeyRouteParts<E extends KeyEnv> {
  readonly service: ScopedService;
  readonly tag: string;
  readonly keys: ApiKeys;
  /** Lets only administrators pass. */
  readonly guard: MiddlewareHandler<E>;
  /** The credentials that the guard takes. */
  readonly security: Record<string, string[]>[];
  /** The guard's own refusals, by status. */
  readonly refusals: Readonly<Record<number, ProblemResponse>>;
}

/** Body that creates a key of a service. */
function describeNew(service: ScopedService) {
  return z.strictObject({
    name: keyNameSchema,
    scopes: z
      .array(z.enum(listScopes(service)))
      .min(1)
      .describe("Scopes of the key. A write scope includes read"),
    networks: describedNetworksSchema.default([]),
    expiresAt: isoTimeMs.optional().describe("Expiry time. Absent: the key is valid until revoked"),
  });
}

function toView(record: ApiKeyRecord): ApiKeyView {
  const { id, name, hint, scopes, networks, owner, lastUsedFrom } = record;
  return {
    id,
    name,
    hint,
    scopes: scopes.filter(isAdminScope),
    networks,
    owner,
    createdAt: toIsoTime(record.createdAt),
    expiresAt: toIsoTimeIfAny(record.expiresAt),
    lastUsedAt: toIsoTimeIfAny(record.lastUsedAt),
    lastUsedFrom,
  };
}

const exampleTimes = { createdAt: "2026-11-22T12:00:00+00:00", expiresAt: "2027-11-22T12:00:00+00:00" };

/** Common parts of a service's routes. */
function prepare<E extends KeyEnv>({ service, tag, security, guard }: KeyRouteParts<E>) {
  const [firstScope = ""] = listScopes(service);
  const input = { name: "Grafana", scopes: [firstScope], networks: ["203.0.113.0/24"] };
  return {
    newKey: describeNew(service),
    input,
    example: {
      id: "aky_01jd5v6m0c8f3k2n7q4x9y1z5a",
      hint: "key_8fQ2mX",
      ...input,
      owner: "user ann",
      ...exampleTimes,
    },
    common: {
      tags: [tag],
      "x-access": "admin",
      "x-scope": "administrator",
      security,
      middleware: guard,
    },
  };
}

function addListAndCreate<E extends KeyEnv>(app: ServiceApp, parts: KeyRouteParts<E>): void {
  const { keys } = parts;
  const scopes = listScopes(parts.service);
  const { newKey, input, example, common } = prepare(parts);
  const list = createRoute({
    ...common,
    method: "get",
    path: PATH,
    operationId: "adminListApiKeys",
    summary: "List API keys, newest first",
    responses: {
      200: jsonResponse("The API keys, without their secrets", apiKeyListSchema, {
        items: [example],
        scopes,
      }),
      ...parts.refusals,
      ...problemResponses("store_unavailable"),
    },
  });
  app.openapi(list, async (c) => c.json({ items: (await keys.list()).map(toView), scopes }, 200));

  const create = createRoute({
    ...common,
    method: "post",
    path: PATH,
    operationId: "adminCreateApiKey",
    summary: "Create an API key. Only this response contains the key",
    request: { body: jsonBody(newKey, { ...input, expiresAt: exampleTimes.expiresAt }) },
    responses: {
      201: jsonResponse("The key", createdApiKeySchema, { ...example, key: "key_…" }),
      ...parts.refusals,
      ...problemResponses(...writeErrors, "already_exists", "conflict"),
    },
  });
  app.openapi(create, async (c) => {
    const { record, key } = await keys.create(c.req.valid("json"), c.var.actor);
    c.header("cache-control", "no-store");
    return c.json({ ...toView(record), key }, 201);
  });
}

function addChangeAndRevoke<E extends KeyEnv>(app: ServiceApp, parts: KeyRouteParts<E>): void {
  const { keys } = parts;
  const { example, common } = prepare(parts);
  const one = {
    path: `${PATH}/{id}` as const,
    params: z.object({ id: z.string().regex(/^[0-9a-z][\w-]{0,60}$/u, "must be the ID of an API key") }),
  };
  const change = createRoute({
    ...common,
    method: "patch",
    path: one.path,
    operationId: "adminChangeApiKey",
    summary: "Change the name, expiry or allowed networks of an API key",
    request: { params: one.params, body: jsonBody(apiKeyChangeSchema, { name: "Grafana Cloud" }) },
    responses: {
      200: jsonResponse("The key", apiKeySchema, example),
      ...parts.refusals,
      ...problemResponses(...writeErrors, "not_found", "already_exists"),
    },
  });
  app.openapi(change, async (c) =>
    c.json(toView(await keys.change(c.req.valid("param").id, c.req.valid("json"), c.var.actor)), 200),
  );

  const revoke = createRoute({
    ...common,
    method: "delete",
    path: one.path,
    operationId: "adminRevokeApiKey",
    summary: "Revoke an API key. Its next request is rejected",
    request: { params: one.params },
    responses: {
      204: { description: "The API key is revoked" },
      ...parts.refusals,
      ...problemResponses("invalid", "not_found", "store_unavailable"),
    },
  });
  app.openapi(revoke, async (c) => {
    await keys.revoke(c.req.valid("param").id, c.var.actor);
    return c.body(null, 204);
  });
}

/** Adds the routes. An API key opens none of them. */
export function addApiKeyRoutes<E extends KeyEnv>(app: ServiceApp, parts: KeyRouteParts<E>): void {
  addListAndCreate(app, parts);
  addChangeAndRevoke(app, parts);
}
