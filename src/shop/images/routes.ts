/** Pictures for everybody, by the hash of their bytes: what an address shows never changes. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { getImage } from "./images.ts";
import { pictureContent, pictureHeaders } from "./picture-views.ts";
import type { Blobs } from "./blobs.ts";
import { isKnownTag } from "../../kit/http/etag.ts";
import { createRoute } from "../http/create-route.ts";

/** Another name is simply not found. */
const params = z.object({ hash: z.string().openapi({ param: { name: "hash", in: "path" } }) });

/** Adds GET /api/images/{hash}. */
export function addImageRoutes(app: ServiceApp, { blobs }: { readonly blobs: Blobs }): void {
  const route = createRoute({
    tags: ["images"],
    "x-access": "public",
    method: "get",
    path: "/api/images/{hash}",
    operationId: "getImage",
    summary: "A picture of a product",
    request: { params },
    responses: {
      200: {
        description: "The picture; it may be kept for ever",
        content: pictureContent,
      },
      304: { description: "The picture is the one that If-None-Match names" },
    },
    errors: ["not_found", "store_unavailable"],
  });
  app.openapi(route, async (c) => {
    const { hash } = c.req.valid("param");
    const { mediaType, bytes } = await getImage(blobs, hash);
    const headers = {
      etag: `"${hash}"`,
      "cache-control": "public, max-age=31536000, immutable",
      ...pictureHeaders,
    };
    if (isKnownTag(c.req.header("if-none-match"), headers.etag)) return c.body(null, 304, headers);
    return c.body(bytes, 200, { ...headers, "content-type": mediaType });
  });
}
