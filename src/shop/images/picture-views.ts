/** One picture as the body of a request. */
import { toMediaType } from "../../kit/http/request-body.ts";
import { z } from "@hono/zod-openapi";
import { AppError } from "../../kit/errors.ts";
import { imageMediaTypes } from "../../kit/pictures/image-type.ts";

const binarySchema = z.string().openapi({ format: "binary" });

const taken = { schema: binarySchema };
/** The body of a route that takes one picture. */
export const pictureBody = {
  required: true,
  content: { "image/png": taken, "image/jpeg": taken, "image/webp": taken },
} as const;

/** Of an administrator's upload: what is no PNG, JPEG or WebP becomes one. */
export const uploadMediaTypes: readonly string[] = [...imageMediaTypes, "image/avif"];
/** The body of a route that takes an upload of an administrator. */
export const uploadBody = {
  required: true,
  content: { ...pictureBody.content, "image/avif": taken },
} as const;

const served = { schema: { type: "string" as const, format: "binary" } };
/** The content of a route that serves one picture. */
export const pictureContent = { "image/png": served, "image/jpeg": served, "image/webp": served };

/** Headers of a served picture. Opened by itself it is a document of the shop's origin: nothing in it may run. */
export const pictureHeaders = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
};

/** Errors of an upload. */
export const pictureErrors = [
  "bad_request",
  "too_large",
  "unsupported_media_type",
  "invalid",
  "store_unavailable",
] as const;

/** The bytes of a picture. Throws `unsupported_media_type` for a body that says it is something else. */
export async function readPicture(
  request: { header(name: string): string | undefined; arrayBuffer(): Promise<ArrayBuffer> },
  mediaTypes: readonly string[] = imageMediaTypes,
): Promise<Uint8Array<ArrayBuffer>> {
  const mediaType = toMediaType(request.header("content-type"));
  if (!mediaTypes.some((known) => known === mediaType))
    throw new AppError(
      "unsupported_media_type",
      `The Content-Type of an image must be ${mediaTypes.join(" or ")}. Export HEIC and other formats as JPEG first`,
    );
  return new Uint8Array(await request.arrayBuffer());
}
