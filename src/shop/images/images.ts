/**
 * Uploaded pictures: recognized by their bytes, limited in size, reduced to what makes the picture, and stored under
 * the SHA-256 of the rest. They are checked and named before the bytes are stored; an unused one may stay.
 */
import { AppError } from "../../kit/errors.ts";
import { hashBytes } from "../../kit/secrets/hash-bytes.ts";
import { type ImageMediaType, readImageType } from "../../kit/pictures/image-type.ts";
import { explainOtherPicture, isAvif } from "../../kit/pictures/other-pictures.ts";
import { cutPicture } from "../../kit/pictures/picture-parts.ts";
import type { Blobs } from "../base/blobs.ts";
import type { ShopDeps } from "../base/deps.ts";
import { IMAGE_MAX_BYTES, UPLOAD_MAX_BYTES } from "../base/picture-schema.ts";
import { type Shrink, UPLOAD_MAX_PIXELS } from "../base/resize.ts";
import type { ProductImage } from "../products/schema.ts";

/** The most pixels each way. */
const IMAGE_MAX_PIXELS = 8_192;

const HASH = /^[0-9a-f]{64}$/u;

/** A picture that was kept, without words about it. */
export type KeptImage = Omit<ProductImage, "alt">;

/** A picture as it is sent to a browser. */
export interface ServedImage {
  readonly mediaType: ImageMediaType;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Checks a picture; the bytes that come back are the ones to keep, without places, names and comments.
 * @throws AppError `too_large` beyond `maxBytes`; `invalid` for what is no PNG, JPEG or WebP of 1 to 8,192 pixels each way
 */
export function checkImage(
  bytes: Uint8Array<ArrayBuffer>,
  maxBytes: number = IMAGE_MAX_BYTES,
): Omit<KeptImage, "hash" | "bytes"> & { readonly bytes: Uint8Array<ArrayBuffer> } {
  if (bytes.length > maxBytes) {
    throw new AppError("too_large", `The image is too large. The maximum is ${maxBytes} bytes`, {
      details: { limitBytes: maxBytes },
    });
  }
  const image = cutPicture(bytes);
  if (image === undefined) throw new AppError("invalid", explainOtherPicture(bytes));
  const { mediaType, width, height } = image;
  if (Math.min(width, height) < 1 || Math.max(width, height) > IMAGE_MAX_PIXELS) {
    throw new AppError(
      "invalid",
      `The image is ${width} × ${height} pixels. Width and height must be 1 to ${IMAGE_MAX_PIXELS} pixels`,
    );
  }
  return { mediaType, width, height, bytes: image.bytes };
}

/** Checks a picture and keeps it; it is durable when this resolves. Nothing refers to it yet. Throws as {@link checkImage}. */
export async function takeImage(
  blobs: Blobs,
  upload: Uint8Array<ArrayBuffer>,
  maxBytes: number = IMAGE_MAX_BYTES,
): Promise<KeptImage> {
  const { bytes, ...image } = checkImage(upload, maxBytes);
  const hash = await hashBytes(bytes);
  await blobs.put(hash, bytes);
  return { hash, ...image, bytes: bytes.length };
}

/** Whether a picture can be kept as it came. */
function fits(bytes: Uint8Array<ArrayBuffer>, { width, height }: { width: number; height: number }): boolean {
  return bytes.length <= IMAGE_MAX_BYTES && Math.max(width, height) <= IMAGE_MAX_PIXELS;
}

function refusePixels(width: number, height: number): never {
  const megapixels = UPLOAD_MAX_PIXELS / 1_000_000;
  throw new AppError(
    "invalid",
    `The image is ${width} × ${height} pixels. The maximum is ${megapixels} megapixels. Make it smaller, then upload it again`,
  );
}

/** The picture as it is kept: as it came, or smaller; an AVIF becomes a JPEG or WebP. */
async function fitUpload(
  upload: Uint8Array<ArrayBuffer>,
  shrink: Shrink | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  if (upload.length > UPLOAD_MAX_BYTES)
    throw new AppError("too_large", `The image is too large. The maximum is ${UPLOAD_MAX_BYTES} bytes`, {
      details: { limitBytes: UPLOAD_MAX_BYTES },
    });
  const known = readImageType(upload);
  if (known === undefined ? !isAvif(upload) : fits(upload, known)) return upload;
  if (known !== undefined && known.width * known.height > UPLOAD_MAX_PIXELS)
    refusePixels(known.width, known.height);
  try {
    return (await shrink?.(upload)) ?? upload;
  } catch (error) {
    throw new AppError("invalid", "The image cannot be decoded. Export it as JPEG, then upload the JPEG", {
      cause: error,
    });
  }
}

/**
 * Keeps an administrator's upload of up to 40 MiB and 80 megapixels; what is more than a page needs is made smaller first.
 * Throws as {@link checkImage}.
 */
export async function takeUpload(
  { blobs, sizes }: Pick<ShopDeps, "blobs" | "sizes">,
  upload: Uint8Array<ArrayBuffer>,
): Promise<KeptImage> {
  return takeImage(blobs, await fitUpload(upload, sizes?.shrink));
}

/** A kept picture by the SHA-256 of its bytes, in hex. Throws `not_found`. */
export async function getImage(blobs: Blobs, hash: string): Promise<ServedImage> {
  const bytes = HASH.test(hash) ? await blobs.get(hash) : undefined;
  const image = bytes === undefined ? undefined : readImageType(bytes);
  if (bytes === undefined || image === undefined)
    throw new AppError("not_found", "This image does not exist");
  return { mediaType: image.mediaType, bytes };
}
