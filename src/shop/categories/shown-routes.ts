/** The routes that categories and collections have alike beyond those of other nouns: their order and pictures. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { ifMatchHeader, jsonBody, jsonResponse, readIfMatch } from "../../kit/http/schemas.ts";
import { line } from "../../kit/text/schemas.ts";
import type { AuditActor } from "../../records/audit.ts";
import type { ChangedBy } from "../../records/versions.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { createRoute } from "../edge/create-route.ts";
import type { idParams } from "../edge/params.ts";
import { uploadBody, pictureErrors, readPicture, uploadMediaTypes } from "../images/picture-views.ts";
import { type Arrangement, arrangementSchema } from "./change-schema.ts";

/** One of them in an answer. */
interface ShownView {
  readonly id: string;
  readonly version: number;
}

/** The differences between the routes of the two kinds. */
export interface ShownRoutes {
  readonly path: "/api/admin/categories" | "/api/admin/collections";
  readonly tag: Parameters<typeof adminRoute>[0];
  /** In operation IDs and names of schemas. */
  readonly name: "Category" | "Collection";
  readonly names: "Categories" | "Collections";
  readonly noun: string;
  readonly params: ReturnType<typeof idParams>;
  readonly view: z.ZodType<ShownView>;
  readonly example: ShownView;
  readonly page: z.ZodType;
  readonly arrangeSummary: string;
  readonly arrange: (items: Arrangement, actor: AuditActor) => Promise<ShownView[]>;
  readonly setImage: (
    id: string,
    options: ChangedBy & { bytes: Uint8Array<ArrayBuffer>; alt: string },
  ) => Promise<ShownView>;
  readonly removeImage: (id: string, by: ChangedBy) => Promise<ShownView>;
}

const removeErrors = ["bad_request", "invalid", "not_found", "stale_version", "store_unavailable"] as const;

const toTag = ({ version }: ShownView): string => `"${version}"`;

function addArrangeRoute(app: ServiceApp, kind: ShownRoutes, admin: AdminGuard): void {
  const order = z.strictObject({ items: arrangementSchema }).openapi(`${kind.name}Order`);
  const arranging = createRoute({
    ...adminRoute(kind.tag, admin),
    method: "put",
    path: `${kind.path}/order`,
    operationId: `adminArrange${kind.names}`,
    summary: kind.arrangeSummary,
    request: { body: jsonBody(order, { items: [{ id: kind.example.id }] }) },
    responses: {
      200: jsonResponse("All items in display order", kind.page, { items: [kind.example] }),
    },
  });
  app.openapi(arranging, async (c) => {
    const { items } = c.req.valid("json");
    return c.json({ items: await kind.arrange(items, c.var.actor) }, 200);
  });
}

function addImageRoutes(app: ServiceApp, kind: ShownRoutes, admin: AdminGuard): void {
  const { noun, params } = kind;
  const one = jsonResponse(`The ${noun}. The ETag is its version, for If-Match`, kind.view, kind.example);
  const route = { ...adminRoute(kind.tag, admin), path: `${kind.path}/{id}/image` as const };
  const alt = line(300).default("").openapi({ description: "Alternative text" });
  const setting = createRoute({
    ...route,
    method: "put",
    operationId: `adminSet${kind.name}Image`,
    summary: `Set the image of the ${noun}: up to 40 MiB and 80 megapixels; large images are resized`,
    request: { params, query: z.object({ alt }), headers: ifMatchHeader, body: uploadBody },
    responses: { 200: one },
    errors: [...pictureErrors, "not_found", "stale_version"],
  });
  app.openapi(setting, async (c) => {
    const bytes = await readPicture(c.req, uploadMediaTypes);
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
    summary: `Remove the image of the ${noun}`,
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

/** Adds the routes that arrange records of a kind, and set their pictures. */
export function addShownRoutes(app: ServiceApp, kind: ShownRoutes, admin: AdminGuard): void {
  addArrangeRoute(app, kind, admin);
  addImageRoutes(app, kind, admin);
}
