/** The routes that categories and collections have alike: list, make, read, change, delete, arrange, picture. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch, writeErrors } from "../../kit/http/schemas.ts";
import { line } from "../../kit/text/schemas.ts";
import type { AuditActor } from "../../records/audit.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import { idParams } from "../edge/params.ts";
import { pictureBody, pictureErrors, readPicture } from "../images/picture-views.ts";
import { type Arrangement, arrangementSchema } from "./input.ts";
import type { ChangeBy } from "./shown-records.ts";

/** One of them in an answer. */
interface ShownView {
  readonly id: string;
  readonly version: number;
}

/** What tells the routes of one kind from those of the other. */
export interface ShownRoutes {
  readonly path: "/api/admin/categories" | "/api/admin/collections";
  readonly tag: Parameters<typeof adminRoute>[0];
  /** In operation ids, names of schemas and texts. */
  readonly name: "Category" | "Collection";
  readonly plural: "Categories" | "Collections";
  readonly schemas: Readonly<Record<"new" | "change", z.ZodType<object>>>;
  readonly viewSchema: z.ZodType<ShownView>;
  readonly examples: Readonly<Record<"new" | "view", object>>;
  readonly arrangeSummary: string;
  /** What the routes call; bodies have passed the schemas. */
  readonly list: () => Promise<ShownView[]>;
  readonly get: (id: string) => Promise<ShownView>;
  readonly create: (body: object, actor: AuditActor) => Promise<ShownView>;
  readonly change: (id: string, body: object, by: ChangeBy) => Promise<ShownView>;
  readonly remove: (id: string, by: ChangeBy) => Promise<void>;
  readonly arrange: (items: Arrangement, actor: AuditActor) => Promise<ShownView[]>;
  readonly setImage: (
    id: string,
    options: ChangeBy & { bytes: Uint8Array<ArrayBuffer>; alt: string },
  ) => Promise<ShownView>;
  readonly removeImage: (id: string, by: ChangeBy) => Promise<ShownView>;
}

const changeErrors = [...writeErrors, "not_found", "version_conflict", "stale_version"] as const;
const removeErrors = ["bad_request", "invalid", "not_found", "stale_version", "store_unavailable"] as const;

const toTag = ({ version }: ShownView): string => `"${version}"`;

function describe({ name, plural, viewSchema, examples }: ShownRoutes) {
  const noun = name.toLowerCase();
  const listSchema = z.object({ items: z.array(viewSchema) }).openapi(`Admin${plural}`);
  return {
    noun,
    nouns: plural.toLowerCase(),
    params: idParams(String(Reflect.get(examples.view, "id"))),
    one: jsonResponse(`The ${noun}; ETag is its version, for If-Match`, viewSchema, examples.view),
    all: jsonResponse("All in the order in which they are shown", listSchema, { items: [examples.view] }),
  };
}

type Described = ReturnType<typeof describe>;

function addListRoutes(app: ServiceApp, kind: ShownRoutes, { admin, all, nouns }: Described & Guarded): void {
  const listing = createRoute({
    ...adminRoute(kind.tag, admin),
    method: "get",
    path: kind.path,
    operationId: `adminList${kind.plural}`,
    summary: `All ${nouns}, hidden ones too`,
    responses: { 200: all },
    errors: ["store_unavailable"],
  });
  app.openapi(listing, async (c) => c.json({ items: await kind.list() }, 200));

  const order = z.strictObject({ items: arrangementSchema }).openapi(`${kind.name}Order`);
  const arranging = createRoute({
    ...adminRoute(kind.tag, admin),
    method: "put",
    path: `${kind.path}/order`,
    operationId: `adminArrange${kind.plural}`,
    summary: kind.arrangeSummary,
    request: { body: jsonBody(order, { items: [{ id: String(Reflect.get(kind.examples.view, "id")) }] }) },
    responses: { 200: all },
  });
  app.openapi(arranging, async (c) => {
    const { items } = c.req.valid("json");
    return c.json({ items: await kind.arrange(items, c.var.actor) }, 200);
  });
}

interface Guarded {
  readonly admin: AdminGuard;
}

function addReadRoutes(app: ServiceApp, kind: ShownRoutes, known: Described & Guarded): void {
  const { admin, one, noun, params } = known;
  const creating = createRoute({
    ...adminRoute(kind.tag, admin),
    method: "post",
    path: kind.path,
    operationId: `adminCreate${kind.name}`,
    summary: `Make a ${noun}; its id, which stands in addresses, comes from the title when none is given`,
    request: { body: jsonBody(kind.schemas.new, kind.examples.new) },
    responses: { 201: one },
    errors: [...writeErrors, "already_exists", "conflict"],
  });
  app.openapi(creating, async (c) => {
    const made = await kind.create(c.req.valid("json"), c.var.actor);
    c.header("etag", toTag(made));
    c.header("location", `${kind.path}/${made.id}`);
    return c.json(made, 201);
  });

  const reading = createRoute({
    ...adminRoute(kind.tag, admin),
    method: "get",
    path: `${kind.path}/{id}`,
    operationId: `adminGet${kind.name}`,
    summary: `A ${noun}`,
    request: { params },
    responses: { 200: one },
  });
  app.openapi(reading, async (c) => {
    const found = await kind.get(c.req.valid("param").id);
    c.header("etag", toTag(found));
    return c.json(found, 200);
  });
}

function addChangeRoutes(app: ServiceApp, kind: ShownRoutes, known: Described & Guarded): void {
  const { admin, one, noun, params } = known;
  const changing = createRoute({
    ...adminRoute(kind.tag, admin),
    method: "patch",
    path: `${kind.path}/{id}`,
    operationId: `adminChange${kind.name}`,
    summary: "Change some fields; null takes away",
    request: {
      params,
      headers: ifMatchHeader,
      body: jsonBody(kind.schemas.change, { status: "hidden", version: 3 }),
    },
    responses: { 200: one },
    errors: changeErrors,
  });
  app.openapi(changing, async (c) => {
    const by = { ifMatch: readIfMatch(c.req.header("if-match")), actor: c.var.actor };
    const changed = await kind.change(c.req.valid("param").id, c.req.valid("json"), by);
    c.header("etag", toTag(changed));
    return c.json(changed, 200);
  });

  const removing = createRoute({
    ...adminRoute(kind.tag, admin),
    method: "delete",
    path: `${kind.path}/{id}`,
    operationId: `adminDelete${kind.name}`,
    summary: `Delete a ${noun}; the products stay`,
    request: { params, headers: ifMatchHeader },
    responses: { 204: { description: "It is gone" } },
    errors: [...removeErrors, "conflict"],
  });
  app.openapi(removing, async (c) => {
    const by = { ifMatch: readIfMatch(c.req.header("if-match")), actor: c.var.actor };
    await kind.remove(c.req.valid("param").id, by);
    return c.body(null, 204);
  });
}

function addImageRoutes(app: ServiceApp, kind: ShownRoutes, known: Described & Guarded): void {
  const { admin, one, noun, params } = known;
  const route = { ...adminRoute(kind.tag, admin), path: `${kind.path}/{id}/image` as const };
  const alt = line(300).default("").openapi({ description: "For those who do not see it" });
  const setting = createRoute({
    ...route,
    method: "put",
    operationId: `adminSet${kind.name}Image`,
    summary: `Give the ${noun} a picture: at most 5 MiB, 1 to 8,192 pixels each way`,
    request: { params, query: z.object({ alt }), headers: ifMatchHeader, body: pictureBody },
    responses: { 200: one },
    errors: [...pictureErrors, "not_found", "stale_version"],
  });
  app.openapi(setting, async (c) => {
    const bytes = await readPicture(c.req);
    const by = { ifMatch: readIfMatch(c.req.header("if-match")), actor: c.var.actor };
    const options = { ...by, bytes, alt: c.req.valid("query").alt };
    const changed = await kind.setImage(c.req.valid("param").id, options);
    c.header("etag", toTag(changed));
    return c.json(changed, 200);
  });

  const removing = createRoute({
    ...route,
    method: "delete",
    operationId: `adminRemove${kind.name}Image`,
    summary: `Take the picture off the ${noun}`,
    request: { params, headers: ifMatchHeader },
    responses: { 200: one },
    errors: removeErrors,
  });
  app.openapi(removing, async (c) => {
    const by = { ifMatch: readIfMatch(c.req.header("if-match")), actor: c.var.actor };
    const changed = await kind.removeImage(c.req.valid("param").id, by);
    c.header("etag", toTag(changed));
    return c.json(changed, 200);
  });
}

/** Adds the routes of one kind. */
export function addShownRoutes(app: ServiceApp, kind: ShownRoutes, admin: AdminGuard): void {
  const known = { ...describe(kind), admin };
  addListRoutes(app, kind, known);
  addReadRoutes(app, kind, known);
  addChangeRoutes(app, kind, known);
  addImageRoutes(app, kind, known);
}
