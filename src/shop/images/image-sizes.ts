/**
 * Pictures in the sizes of screens: each is created on first request, and kept in a separate, limited cache. Lost
 * files are created again, so the cache needs no backup.
 */
import { hashBytes } from "../../kit/secrets/hash-bytes.ts";
import { readImageType, type ImageMediaType } from "../../kit/pictures/image-type.ts";
import { pagesOf } from "../../store/every-page.ts";
import type { ShopDeps } from "../base/deps.ts";
import type { ImageWidth } from "../products/image-url.ts";
import { imageSizes, type ImageSizeRecord } from "./size-records.ts";
import type { Blobs } from "../base/blobs.ts";
import { getImage, type ServedImage } from "./images.ts";
import type { ImageSizePlace } from "../base/resize.ts";

const DAY_MS = 86_400_000;
/** Sizes without requests for this long are removed. */
const KEEP_MS = 60 * DAY_MS;
/** Bytes of all sizes together. */
const MAX_BYTES = 512 * 1_048_576;
/** Made at once; an original of 8,192 × 8,192 pixels takes 200 MB. */
const AT_ONCE = 2;
/** Waiting requests; further ones get the original. */
const MAX_WAITING = 32;
/** Records, and pictures that cannot be made smaller, that are kept in memory. */
const MAX_KNOWN = 10_000;
const REMOVE_AT_ONCE = 200;

/** A picture as it is sent to a browser. */
export interface SizedImage extends ServedImage {
  /** Distinguishes it from other sizes of the picture. */
  readonly tag: string;
  /** False when another answer may come later under the same address. */
  readonly isFinal: boolean;
}

type ImageSizeDeps = Pick<ShopDeps, "store" | "clock" | "log" | "blobs" | "sizes">;

interface WantedSize {
  readonly hash: string;
  readonly width: ImageWidth;
  /** Whether the client supports WebP. */
  readonly takesWebp: boolean;
}

/** Runs few at once; refuses (undefined) when too many wait. */
function createTurns() {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <R>(work: () => Promise<R>): Promise<R | undefined> => {
    if (running >= AT_ONCE) {
      if (waiting.length >= MAX_WAITING) return undefined;
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

function remember<K, V>(map: Map<K, V>, key: K, value: V): void {
  if (map.size >= MAX_KNOWN) map.clear();
  map.set(key, value);
}

async function put(
  { store, clock }: Pick<ImageSizeDeps, "store" | "clock">,
  record: Omit<ImageSizeRecord, "version" | "usedAt">,
): Promise<ImageSizeRecord> {
  const usedAt = clock.now();
  return store.transact(async (tx) => {
    const before = await tx.get(imageSizes, record.id);
    if (before === undefined) return tx.insert(imageSizes, { ...record, usedAt });
    return before.hash === record.hash ? before : tx.put(imageSizes, { ...before, ...record, usedAt });
  });
}

/** A size that is to be made. */
interface SizeJob {
  readonly original: ServedImage;
  readonly width: ImageWidth;
  readonly mediaType: ImageMediaType;
}

/** Creates one size, or reports that the original must be used. */
async function make(
  deps: ImageSizeDeps & { readonly sizes: ImageSizePlace },
  id: string,
  job: SizeJob,
): Promise<ServedImage | undefined> {
  const { sizes } = deps;
  const { width, mediaType } = job;
  const bytes = await sizes.resize({ bytes: job.original.bytes, width, mediaType });
  if (bytes === undefined) return undefined;
  const hash = await hashBytes(bytes);
  // First the bytes: a record without them would be made good, but at a price.
  await sizes.blobs.put(hash, bytes);
  await put(deps, { id, hash, mediaType, bytes: bytes.length });
  return { mediaType, bytes };
}

/** Removes what is old, and the oldest of what is too much. Resolves with how many. */
async function sweep({ store, clock, sizes }: ImageSizeDeps): Promise<number> {
  if (sizes === undefined) return 0;
  const { maxBytes = MAX_BYTES, blobs } = sizes;
  const old = await store.read(async (tx) => {
    const found: ImageSizeRecord[] = [];
    let sum = 0;
    // The one used last comes first.
    for await (const page of pagesOf(tx, imageSizes, { index: "byUsed", reverse: true }))
      for (const record of page) {
        sum += record.bytes;
        if (sum > maxBytes || record.usedAt < clock.now() - KEEP_MS) found.push(record);
      }
    return found.slice(-REMOVE_AT_ONCE);
  });
  for (const { id, hash, usedAt } of old) {
    const isLast = await store.transact(async (tx) => {
      const record = await tx.get(imageSizes, id);
      // Asked for again meanwhile.
      if (record === undefined || record.usedAt !== usedAt) return false;
      await tx.remove(imageSizes, id);
      return (await tx.count(imageSizes, "byHash", { prefix: [hash] })) === 0;
    });
    if (isLast) await blobs.remove(hash);
  }
  return old.length;
}

/** A created or existing size; "original" if nothing smaller is possible, undefined while too many wait. */
type Made = ServedImage | "original" | undefined;

/** The created sizes. */
function createMadeSizes({ store, clock }: Pick<ImageSizeDeps, "store" | "clock">, blobs: Blobs) {
  const known = new Map<string, ImageSizeRecord>();

  async function touch(id: string): Promise<void> {
    const touched = await store.transact(async (tx) => {
      const present = await tx.get(imageSizes, id);
      return present && tx.put(imageSizes, { ...present, usedAt: clock.now() });
    });
    if (touched !== undefined) known.set(id, touched);
  }

  return async (id: string): Promise<ServedImage | undefined> => {
    const record = known.get(id) ?? (await store.read((tx) => tx.get(imageSizes, id)));
    if (record === undefined) return undefined;
    remember(known, id, record);
    // A store that takes nothing just now is no reason to show no picture.
    if (record.usedAt < clock.now() - DAY_MS) await touch(id).catch(() => undefined);
    // Lost or damaged bytes are made again.
    const bytes = await blobs.get(record.hash).catch(() => undefined);
    if (bytes !== undefined) return { mediaType: record.mediaType, bytes };
    known.delete(id);
    return undefined;
  };
}

/** Creates sizes, each once however many ask for it. */
function createMaker(deps: ImageSizeDeps & { readonly sizes: ImageSizePlace }) {
  const making = new Map<string, Promise<Made>>();
  /** Pictures that cannot be made smaller. */
  const stays = new Map<string, true>();
  const inTurn = createTurns();

  async function tryMake(id: string, job: SizeJob): Promise<Made> {
    try {
      return (await make(deps, id, job)) ?? "original";
    } catch (error) {
      deps.log.warn("A resized image could not be created. The original is served", { error, picture: id });
      return "original";
    }
  }

  return async (id: string, job: SizeJob): Promise<Made> => {
    if (stays.has(id)) return "original";
    const begun = making.get(id);
    if (begun !== undefined) return begun;
    const work = inTurn(() => tryMake(id, job)).finally(() => making.delete(id));
    making.set(id, work);
    const made = await work;
    if (made === "original") remember(stays, id, true);
    return made;
  };
}

export type ImageSizes = ReturnType<typeof createImageSizes>;

/** Creates the sizes of a shop's pictures. */
export function createImageSizes(deps: ImageSizeDeps) {
  const { blobs, sizes } = deps;
  const findMade = sizes && createMadeSizes(deps, sizes.blobs);
  const makeOnce = sizes && createMaker({ ...deps, sizes });
  return {
    /** The picture in this width, or in its own when that is less. Throws `not_found`, `store_unavailable`. */
    get: async ({ hash, width, takesWebp }: WantedSize): Promise<SizedImage> => {
      const id = `${hash}-${width}-${takesWebp ? "webp" : "same"}`;
      const found = await findMade?.(id);
      if (found !== undefined) return { ...found, tag: id, isFinal: true };
      const original = await getImage(blobs, hash);
      const isSmall = (readImageType(original.bytes)?.width ?? 0) <= width;
      if (isSmall) return { ...original, tag: hash, isFinal: true };
      const mediaType = takesWebp ? "image/webp" : original.mediaType;
      const made = await makeOnce?.(id, { original, width, mediaType });
      if (made === undefined || made === "original") return { ...original, tag: hash, isFinal: false };
      return { ...made, tag: id, isFinal: true };
    },
    /** Removes sizes without requests for 60 days, and the oldest beyond the limit. Resolves with their number. */
    sweep: (): Promise<number> => sweep(deps),
  };
}
