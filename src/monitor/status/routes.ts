/** Administration of status pages: list, create, replace, change, delete. */
import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { AppError } from "../../kit/errors.ts";
import type { ServiceApp } from "../../kit/http/app.ts";
import { pageSchema } from "../../kit/http/paging.ts";
import { ifMatchHeader, jsonBody, jsonResponse, writeErrors } from "../../kit/http/schemas.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import { toPatchSchema } from "../../records/settings-patch.ts";
import { type GuardEnv } from "../edge/admin-env.ts";
import { adminRoute, createRoute } from "../edge/create-route.ts";
import { changeFrom } from "../edge/versions.ts";
import type { PublicAddress } from "../base/public-url.ts";
import { type StatusPageView, statusPageViewSchema } from "./post-schema.ts";
import { type StatusPageRecord, statusPageFieldsSchema } from "./schema.ts";
import type { Status } from "./status.ts";

const PATH = "/api/admin/status-pages";
const example = {
  slug: "main",
  title: "Northwind status",
  components: [
    { name: "Website", source: { type: "check" as const, checkId: "chk_01jd5v6m0c8f3k2n7q4x9y1z5a" } },
  ],
};
const exampleView: StatusPageView = {
  ...statusPageFieldsSchema.parse(example),
  id: "stp_01jd5v6m0c8f3k2n7q4x9y1z5a",
  version: 1,
  statuses: { cmp_01jd5v6m0c8f3k2n7q4x9y1z5b: "operational" },
  createdAt: "2025-11-20T12:00:00+00:00",
  updatedAt: "2025-11-20T12:00:00+00:00",
};

/** The parameter of the routes of one page. */
export const pageParams = z.object({
  pageId: z
    .string()
    .min(1)
    .max(64)
    .openapi({ param: { name: "pageId", in: "path" }, example: exampleView.id }),
});
const version = z.number().int().min(1).optional();
const replaceSchema = statusPageFieldsSchema.extend({ version });
const changeSchema = toPatchSchema(statusPageFieldsSchema).extend({ version });

/** What the routes of administrators take. */
export interface StatusRouteParts {
  readonly status: Pick<Status, "pages" | "posts" | "board">;
  readonly guard: MiddlewareHandler<GuardEnv>;
}

interface PageRouteParts extends StatusRouteParts {
  /** Where people reach the monitor: no page takes that host. */
  readonly address: PublicAddress;
}

/** @throws AppError `invalid` for the host by which the monitor itself is reached: its console would be gone */
function checkHost({ address }: PageRouteParts, host: unknown, requestUrl: string): void {
  if (host === undefined || host === "") return;
  const own = [requestUrl, address.toUrl(requestUrl)].map((url) => new URL(url).hostname);
  if (typeof host !== "string" || !own.includes(host)) return;
  const message = "is the monitor's own, whose console would be out of reach";
  const errors = [{ pointer: "/host", code: "invalid", message }];
  throw new AppError("invalid", "The page needs another host", { errors });
}

function toView({ board }: StatusRouteParts["status"], record: StatusPageRecord): StatusPageView {
  const { createdAt, updatedAt, ...fields } = record;
  const components = board.findById(record.id)?.components ?? [];
  return {
    ...fields,
    statuses: Object.fromEntries(components.map(({ id, status }) => [id, status])),
    createdAt: toIsoTime(createdAt),
    updatedAt: toIsoTime(updatedAt),
  };
}

function addReads(app: ServiceApp, { status, guard }: StatusRouteParts): void {
  const adminListStatusPages = createRoute({
    ...adminRoute("status", guard),
    method: "get",
    path: PATH,
    operationId: "adminListStatusPages",
    summary: "Status pages; the first that is published is also at /status",
    responses: {
      200: jsonResponse("All of them", pageSchema(statusPageViewSchema), { items: [exampleView] }),
    },
  });
  app.openapi(adminListStatusPages, async (c) => {
    const items = (await status.pages.list()).map((record) => toView(status, record));
    return c.json({ items }, 200);
  });

  const adminGetStatusPage = createRoute({
    ...adminRoute("status", guard),
    method: "get",
    path: `${PATH}/{pageId}`,
    operationId: "adminGetStatusPage",
    summary: "One status page",
    request: { params: pageParams },
    responses: { 200: jsonResponse("The page", statusPageViewSchema, exampleView) },
  });
  app.openapi(adminGetStatusPage, async (c) => {
    const view = toView(status, await status.pages.get(c.req.valid("param").pageId));
    c.header("etag", `"${view.version}"`);
    return c.json(view, 200);
  });
}

function addChanges(app: ServiceApp, parts: PageRouteParts): void {
  const { status, guard } = parts;
  const adminCreateStatusPage = createRoute({
    ...adminRoute("status", guard),
    method: "post",
    path: PATH,
    operationId: "adminCreateStatusPage",
    summary: "Make a status page",
    request: { body: jsonBody(statusPageFieldsSchema, example) },
    responses: { 201: jsonResponse("The page", statusPageViewSchema, exampleView) },
    errors: [...writeErrors, "conflict"],
  });
  app.openapi(adminCreateStatusPage, async (c) => {
    const fields = c.req.valid("json");
    checkHost(parts, fields.host, c.req.url);
    const view = toView(status, await status.pages.create(fields, c.var.actor));
    c.header("location", `${PATH}/${view.id}`);
    c.header("etag", `"${view.version}"`);
    return c.json(view, 201);
  });

  const adminDeleteStatusPage = createRoute({
    ...adminRoute("status", guard),
    method: "delete",
    path: `${PATH}/{pageId}`,
    operationId: "adminDeleteStatusPage",
    summary: "Delete a status page with all that was posted on it and who follows it",
    request: { params: pageParams },
    responses: { 204: { description: "It is gone" } },
  });
  app.openapi(adminDeleteStatusPage, async (c) => {
    await status.pages.remove(c.req.valid("param").pageId, c.var.actor);
    return c.body(null, 204);
  });
}

const editErrors = [...writeErrors, "not_found", "conflict", "version_conflict", "stale_version"] as const;

function addEdits(app: ServiceApp, parts: PageRouteParts): void {
  const { status, guard } = parts;
  const adminReplaceStatusPage = createRoute({
    ...adminRoute("status", guard),
    method: "put",
    path: `${PATH}/{pageId}`,
    operationId: "adminReplaceStatusPage",
    summary: "Replace a status page; components keep their days where their id is sent back",
    request: {
      params: pageParams,
      headers: ifMatchHeader,
      body: jsonBody(replaceSchema, { ...example, version: 1 }),
    },
    responses: { 200: jsonResponse("The page as it is now", statusPageViewSchema, exampleView) },
    errors: editErrors,
  });
  app.openapi(adminReplaceStatusPage, async (c) => {
    const { version: given, ...fields } = c.req.valid("json");
    checkHost(parts, fields.host, c.req.url);
    const { pageId } = c.req.valid("param");
    const record = await changeFrom({ ifMatch: c.req.header("if-match"), version: given }, (from) =>
      status.pages.replace(pageId, { fields, version: from, actor: c.var.actor }),
    );
    c.header("etag", `"${record.version}"`);
    return c.json(toView(status, record), 200);
  });

  const adminChangeStatusPage = createRoute({
    ...adminRoute("status", guard),
    method: "patch",
    path: `${PATH}/{pageId}`,
    operationId: "adminChangeStatusPage",
    summary: "Change some of a status page; what is left out stays as it is, lists are replaced whole",
    request: {
      params: pageParams,
      headers: ifMatchHeader,
      body: jsonBody(changeSchema, { title: "Status of Northwind" }),
    },
    responses: { 200: jsonResponse("The page as it is now", statusPageViewSchema, exampleView) },
    errors: editErrors,
  });
  app.openapi(adminChangeStatusPage, async (c) => {
    const { version: given, ...patch } = c.req.valid("json");
    checkHost(parts, new Map(Object.entries(patch)).get("host"), c.req.url);
    const { pageId } = c.req.valid("param");
    const record = await changeFrom({ ifMatch: c.req.header("if-match"), version: given }, (from) =>
      status.pages.change(pageId, { patch, version: from, actor: c.var.actor }),
    );
    c.header("etag", `"${record.version}"`);
    return c.json(toView(status, record), 200);
  });
}

/** Adds the routes below /api/admin/status-pages that are about pages themselves. */
export function addStatusPageRoutes(app: ServiceApp, parts: PageRouteParts): void {
  addReads(app, parts);
  addChanges(app, parts);
  addEdits(app, parts);
}
