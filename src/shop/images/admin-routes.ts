/** Pictures of products for administrators. */
import { z } from "@hono/zod-openapi";
import type { ServiceApp } from "../../kit/http/app.ts";
import { jsonBody, jsonResponse } from "../../kit/http/schemas.ts";
import { line } from "../../kit/text/schemas.ts";
import { MAX_IMAGES, type ProductRecord } from "../products/schema.ts";
import { type AdminGuard, adminRoute } from "../edge/admin-guard.ts";
import { productImagesSchema } from "../products/answer-schema.ts";
import { toImageView } from "../products/views.ts";
import { productParams } from "../products/routes.ts";
import type { ProductImages } from "./product-images.ts";
import { uploadBody, pictureErrors, readPicture, uploadMediaTypes } from "./picture-views.ts";
import { createRoute } from "../edge/create-route.ts";

const PATH = "/api/admin/products/{id}/images";
const TAG = "admin products";

const hash = z.string().regex(/^[0-9a-f]{64}$/u, "must be the hash of an image");
const alt = line(300);
const exampleHash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const example = {
  items: [
    {
      hash: exampleHash,
      mediaType: "image/png",
      width: 800,
      height: 600,
      bytes: 51_200,
      alt: "A red mug",
      url: `/api/images/${exampleHash}`,
      srcset: `/api/images/${exampleHash}?w=160 160w, /api/images/${exampleHash} 800w`,
    },
  ],
};
const answer = jsonResponse("The images of the product in their display order", productImagesSchema, example);

function toView({ images }: ProductRecord): z.infer<typeof productImagesSchema> {
  return { items: images.map(toImageView) };
}

/** Adds the routes of products' pictures. */
export function addAdminImageRoutes(
  app: ServiceApp,
  { images, admin }: { readonly images: ProductImages; readonly admin: AdminGuard },
): void {
  const adminAddProductImage = createRoute({
    ...adminRoute(TAG, admin),
    method: "post",
    path: PATH,
    operationId: "adminAddProductImage",
    summary:
      "Add an image to a product: up to 40 MiB and 80 megapixels; large images are resized, up to 20 images per product",
    request: {
      params: productParams,
      query: z.object({ alt: alt.default("").openapi({ description: "Alternative text" }) }),
      body: uploadBody,
    },
    responses: { 201: answer },
    errors: [...pictureErrors, "not_found", "already_exists", "conflict"],
  });
  app.openapi(adminAddProductImage, async (c) => {
    const bytes = await readPicture(c.req, uploadMediaTypes);
    const options = { bytes, alt: c.req.valid("query").alt, actor: c.var.actor };
    return c.json(toView(await images.add(c.req.valid("param").id, options)), 201);
  });

  const orderSchema = z
    .strictObject({ images: z.array(z.strictObject({ hash, alt: alt.optional() })).max(MAX_IMAGES) })
    .openapi("ProductImageOrder");
  const adminArrangeProductImages = createRoute({
    ...adminRoute(TAG, admin),
    method: "put",
    path: PATH,
    operationId: "adminArrangeProductImages",
    summary: "Set the order and alternative texts of the images. Omitted images are removed",
    request: {
      params: productParams,
      body: jsonBody(orderSchema, { images: [{ hash: exampleHash, alt: "A red mug" }] }),
    },
    responses: { 200: answer },
  });
  app.openapi(adminArrangeProductImages, async (c) => {
    const options = { images: c.req.valid("json").images, actor: c.var.actor };
    return c.json(toView(await images.arrange(c.req.valid("param").id, options)), 200);
  });

  const adminRemoveProductImage = createRoute({
    ...adminRoute(TAG, admin),
    method: "delete",
    path: `${PATH}/{hash}`,
    operationId: "adminRemoveProductImage",
    summary: "Remove an image from a product. The image URL keeps working",
    request: { params: productParams.extend({ hash }) },
    responses: { 200: answer },
  });
  app.openapi(adminRemoveProductImage, async (c) => {
    const params = c.req.valid("param");
    const options = { hash: params.hash, actor: c.var.actor };
    return c.json(toView(await images.remove(params.id, options)), 200);
  });
}
