/** One picture as the body of a request. */
import { z } from "@hono/zod-openapi";
import { AppError } from "../../kit/errors.ts";
import { imageMediaTypes } from "../../kit/text/image-type.ts";

const binarySchema = z.string().openapi({ format: "binary" });

/** The body of a route that takes one picture. */
export const pictureBody = {
  required: true,
  content: {
    "image/png": { schema: binarySchema },
    "image/jpeg": { schema: binarySchema },
    "image/webp": { schema: binarySchema },
  },
} as const;

/** What taking a picture can end with. */
export const pictureErrors = [
  "bad_request",
  "too_large",
  "unsupported_media_type",
  "invalid",
  "store_unavailable",
] as const;

/** The bytes of a picture. Throws `unsupported_media_type` for a body that says it is something else. */
export async function readPicture(request: {
  header(name: string): string | undefined;
  arrayBuffer(): Promise<ArrayBuffer>;
}): Promise<Uint8Array<ArrayBuffer>> {
  const mediaType = (request.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (!imageMediaTypes.some((known) => known === mediaType))
    throw new AppError("unsupported_media_type", `Send a picture as ${imageMediaTypes.join(", ")}`);
  return new Uint8Array(await request.arrayBuffer());
}
