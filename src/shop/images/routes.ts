/** Public pictures, by the hash of their bytes: the content of a URL never changes. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { imageWidths } from "../products/image-url.ts";
import type { ImageSizes } from "./image-sizes.ts";
import { getImage } from "./images.ts";
import { pictureContent, pictureHeaders } from "./picture-views.ts";
import type { Blobs } from "../base/blobs.ts";
import { isKnownTag } from "../../kit/http/etag.ts";
import { createRoute } from "../edge/create-route.ts";

/** Another name is simply not found. */
const params = z.object({ hash: z.string().openapi({ param: { name: "hash", in: "path" } }) });

const query = z.object({
  w: z.enum(imageWidths.map(String)).optional().openapi({
    description: "Maximum width in pixels. The image is resized, and sent as WebP if the client accepts it",
  }),
});

const FOR_EVER = "public, max-age=31536000, immutable";
/** The original in place of a smaller one, which may be made later. */
const FOR_NOW = "public, max-age=300";

function takesWebp(accept: string | undefined): boolean {
  return accept?.toLowerCase().includes("image/webp") === true;
}

/** Adds GET /api/images/{hash}. */
export function addImageRoutes(
  app: ServiceApp,
  { blobs, imageSizes }: { readonly blobs: Blobs; readonly imageSizes: ImageSizes },
): void {
  const route = createRoute({
    tags: ["images"],
    "x-access": "public",
    method: "get",
    path: "/api/images/{hash}",
    operationId: "getImage",
    summary: "Get a product image in its original size or resized",
    request: { params, query },
    responses: {
      200: {
        description: "The image. It can be cached forever",
        content: pictureContent,
      },
      304: { description: "The picture has not changed" },
    },
    errors: ["invalid", "not_found", "store_unavailable"],
  });
  app.openapi(route, async (c) => {
    const { hash } = c.req.valid("param");
    const width = imageWidths.find((size) => String(size) === c.req.valid("query").w);
    const wanted = width && { hash, width, takesWebp: takesWebp(c.req.header("accept")) };
    const image = wanted
      ? await imageSizes.get(wanted)
      : { ...(await getImage(blobs, hash)), tag: hash, isFinal: true };
    const { mediaType, bytes } = image;
    const headers = {
      etag: `"${image.tag}"`,
      "cache-control": image.isFinal ? FOR_EVER : FOR_NOW,
      ...(wanted && { vary: "Accept" }),
      ...pictureHeaders,
    };
    if (isKnownTag(c.req.header("if-none-match"), headers.etag)) return c.body(null, 304, headers);
    return c.body(bytes, 200, { ...headers, "content-type": mediaType });
  });
}
