/** Routes that make, change and delete one check. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { ifMatchHeader, jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { toPatchSchema } from "../../records/settings-patch.ts";
import { adminRoute, createRoute } from "../edge/create-route.ts";
import { changeFrom } from "../edge/versions.ts";
import { muteSchema } from "../base/schema.ts";
import {
  CHECKS_PATH,
  type CheckRouteParts,
  checkParams,
  exampleCheck,
  exampleCheckView,
  toPresentView,
} from "./parts-routes.ts";
import { checkInputSchema, checkViewSchema } from "./view-schema.ts";

const version = z.number().int().min(1).optional();
const replaceSchema = checkInputSchema.extend({ version });
/** Any of the fields; a target comes as a whole, and null takes `mute` away. */
const changeSchema = toPatchSchema(checkInputSchema.omit({ mute: true })).extend({
  mute: muteSchema.nullable().optional(),
  version,
});
const createSchema = checkInputSchema.extend({
  pingKey: z
    .string()
    .regex(/^[A-Za-z0-9_-]{16,64}$/u, "must be 16 to 64 letters, digits, - or _")
    .optional()
    .describe("Of a heartbeat that keeps addresses which stand in crontabs already; else one is made"),
});

function addCreate(app: ServiceApp, parts: CheckRouteParts): void {
  const adminCreateCheck = createRoute({
    ...adminRoute("checks", parts.guard),
    method: "post",
    path: CHECKS_PATH,
    operationId: "adminCreateCheck",
    summary: "Add a check",
    request: { body: jsonBody(createSchema, exampleCheck) },
    responses: { 201: jsonResponse("The check", checkViewSchema, exampleCheckView) },
    errors: [...writeErrors, "conflict"],
  });
  app.openapi(adminCreateCheck, async (c) => {
    const { pingKey, ...input } = c.req.valid("json");
    const record = await parts.checks.create(input, { actor: c.var.actor, pingKey });
    c.header("location", `${CHECKS_PATH}/${record.id}`);
    c.header("etag", `"${record.version}"`);
    return c.json(toPresentView(parts, record), 201);
  });
}

function addEdits(app: ServiceApp, parts: CheckRouteParts): void {
  const { checks, guard } = parts;
  const responses = { 200: jsonResponse("The check as it is now", checkViewSchema, exampleCheckView) };
  const adminReplaceCheck = createRoute({
    ...adminRoute("checks", guard),
    method: "put",
    path: `${CHECKS_PATH}/{id}`,
    operationId: "adminReplaceCheck",
    summary:
      "Replace what an administrator sets; what is left out falls back to its default, but header values stay",
    request: {
      params: checkParams,
      headers: ifMatchHeader,
      body: jsonBody(replaceSchema, { ...exampleCheck, version: 1 }),
    },
    responses,
  });
  app.openapi(adminReplaceCheck, async (c) => {
    const { version: given, ...input } = c.req.valid("json");
    const { id } = c.req.valid("param");
    const from = { ifMatch: c.req.header("if-match"), version: given };
    const record = await changeFrom(from, (present) =>
      checks.replace(id, { input, version: present, actor: c.var.actor }),
    );
    c.header("etag", `"${record.version}"`);
    return c.json(toPresentView(parts, record), 200);
  });

  const adminChangeCheck = createRoute({
    ...adminRoute("checks", guard),
    method: "patch",
    path: `${CHECKS_PATH}/{id}`,
    operationId: "adminChangeCheck",
    summary: "Change some of what an administrator sets; a target comes as a whole",
    request: { params: checkParams, headers: ifMatchHeader, body: jsonBody(changeSchema, { paused: true }) },
    responses,
  });
  app.openapi(adminChangeCheck, async (c) => {
    const { version: given, ...patch } = c.req.valid("json");
    const { id } = c.req.valid("param");
    const from = { ifMatch: c.req.header("if-match"), version: given };
    const record = await changeFrom(from, (present) =>
      checks.change(id, { patch, version: present, actor: c.var.actor }),
    );
    c.header("etag", `"${record.version}"`);
    return c.json(toPresentView(parts, record), 200);
  });
}

function addDelete(app: ServiceApp, { checks, guard }: CheckRouteParts): void {
  const adminDeleteCheck = createRoute({
    ...adminRoute("checks", guard),
    method: "delete",
    path: `${CHECKS_PATH}/{id}`,
    operationId: "adminDeleteCheck",
    summary: "Delete a check and its history",
    request: { params: checkParams },
    responses: { 204: { description: "It is gone" } },
  });
  app.openapi(adminDeleteCheck, async (c) => {
    await checks.remove(c.req.valid("param").id, c.var.actor);
    return c.body(null, 204);
  });
}

export function addCheckChangeRoutes(app: ServiceApp, parts: CheckRouteParts): void {
  addCreate(app, parts);
  addEdits(app, parts);
  addDelete(app, parts);
}
