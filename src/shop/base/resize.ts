/** PORT: scales pictures down. Its adapter is sharp, which is loaded on first use. */
import type sharpModule from "sharp";
import type { Blobs } from "./blobs.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { ImageMediaType } from "../../kit/pictures/image-type.ts";

/** A picture to be made smaller. */
export interface ResizeJob {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Pixels; never more than it has. */
  readonly width: number;
  readonly mediaType: ImageMediaType;
}

/** Returns the smaller picture; undefined for one that must stay unchanged, and without an adapter. */
export type Resize = (job: ResizeJob) => Promise<Uint8Array<ArrayBuffer> | undefined>;

/** Where smaller pictures are kept, and what makes them. */
export interface ImageSizePlace {
  readonly blobs: Blobs;
  readonly resize: Resize;
  /** Bytes of all sizes together; 512 MiB by default. */
  readonly maxBytes?: number;
}

/** As many pixels as the largest picture that is taken (src/shop/images/images.ts): whatever unpacks to more is refused. */
const MAX_PIXELS = 8_192 * 8_192;
const MAX_SECONDS = 10;
const QUALITY = 80;

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

/** Creates the adapter over sharp, which works on its own threads. It throws for an invalid picture. */
export function createSharpResize(log: Log): Resize {
  let loaded: Promise<Sharp | undefined> | undefined;
  return async (job) => {
    const sharp = await (loaded ??= load(log));
    return sharp === undefined ? undefined : resize(sharp, job);
  };
}
