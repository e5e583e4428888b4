/** PORT: scales pictures down. Its adapter is sharp, which is loaded on first use. */
import type sharpModule from "sharp";
import type { Blobs } from "./blobs.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { ImageMediaType } from "../../kit/pictures/image-type.ts";
import { IMAGE_MAX_BYTES } from "./picture-schema.ts";

/** A picture to be made smaller. */
export interface ResizeJob {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Pixels; never more than it has. */
  readonly width: number;
  readonly mediaType: ImageMediaType;
}

/** Returns the smaller picture; undefined for one that must stay unchanged, and without an adapter. */
export type Resize = (job: ResizeJob) => Promise<Uint8Array<ArrayBuffer> | undefined>;

/**
 * Makes an upload small enough to keep, turned as it is shown: a JPEG, or a WebP where it is transparent. Undefined
 * without an adapter, and for animations; throws for what cannot be decoded.
 */
export type Shrink = (upload: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer> | undefined>;

/** Where smaller pictures are kept, and what makes them. */
export interface ImageSizePlace {
  readonly blobs: Blobs;
  readonly resize: Resize;
  readonly shrink?: Shrink;
  /** Bytes of all sizes together; 512 MiB by default. */
  readonly maxBytes?: number;
}

/** As many pixels as the largest picture that is taken (src/shop/images/images.ts): whatever unpacks to more is refused. */
const MAX_PIXELS = 8_192 * 8_192;
const MAX_SECONDS = 10;
const QUALITY = 80;

/** Of an upload. */
export const UPLOAD_MAX_PIXELS = 80_000_000;
const SHRINK_SECONDS = 30;
/** Widths and heights of an upload that is made smaller: the first with which it has few enough bytes. */
const SHRUNK = [4_096, 3_072, 2_048] as const;

type Sharp = typeof sharpModule;

async function load(log: Log): Promise<Sharp | undefined> {
  try {
    const { default: sharp } = await import("sharp");
    // One thread a picture: requests have the others. What libvips would keep is kept by the shop.
    sharp.concurrency(1);
    sharp.cache(false);
    return sharp;
  } catch (error) {
    log.warn("Images are not resized, because the package sharp cannot be loaded", { error });
    return undefined;
  }
}

async function resize(sharp: Sharp, { bytes, width, mediaType }: ResizeJob) {
  const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: "error", sequentialRead: true });
  const { pages = 1 } = await picture.metadata();
  // An animated picture would lose its animation.
  if (pages > 1) return undefined;
  const smaller = picture
    .timeout({ seconds: MAX_SECONDS })
    .autoOrient()
    .resize({ width, withoutEnlargement: true });
  const encoded =
    mediaType === "image/webp"
      ? smaller.webp({ quality: QUALITY })
      : mediaType === "image/png"
        ? smaller.png()
        : smaller.jpeg({ quality: QUALITY, mozjpeg: true });
  // Without what was said of the original: places, names, colour profiles (colours are turned into sRGB).
  return new Uint8Array(await encoded.toBuffer());
}

async function shrink(
  sharp: Sharp,
  upload: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const open = () =>
    sharp(upload, { limitInputPixels: UPLOAD_MAX_PIXELS, failOn: "error", sequentialRead: true });
  const { pages = 1, hasAlpha } = await open().metadata();
  if (pages > 1) return undefined;
  let result: Uint8Array<ArrayBuffer> | undefined;
  for (const side of SHRUNK) {
    const smaller = open()
      .timeout({ seconds: SHRINK_SECONDS })
      .autoOrient()
      .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true });
    const encoded = hasAlpha ? smaller.webp({ quality: 90 }) : smaller.jpeg({ quality: 85, mozjpeg: true });
    result = new Uint8Array(await encoded.toBuffer());
    if (result.length <= IMAGE_MAX_BYTES) break;
  }
  return result;
}

/** Creates the adapter over sharp, which works on its own threads. Both throw for an invalid picture. */
export function createSharpSizes(log: Log): { readonly resize: Resize; readonly shrink: Shrink } {
  let loaded: Promise<Sharp | undefined> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const open = (): Promise<Sharp | undefined> => (loaded ??= load(log));
  return {
    resize: async (job) => {
      const sharp = await open();
      return sharp === undefined ? undefined : resize(sharp, job);
    },
    shrink: async (upload) => {
      const sharp = await open();
      if (sharp === undefined) return undefined;
      // One after the other: each may take hundreds of megabytes.
      const mine = last.then(() => shrink(sharp, upload));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}
