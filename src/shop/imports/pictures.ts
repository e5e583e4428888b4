/** Pictures of imported products: fetched through the guard of outgoing requests, or taken from the archive. */
import { AppError } from "../../kit/errors.ts";
import { type KeptImage, takeImage } from "../images/images.ts";
import { IMAGE_MAX_BYTES } from "../base/picture-schema.ts";
import { MAX_IMAGES, productImageSchema } from "../products/schema.ts";
import { importFiles, importItems, importPictures, imports } from "./records.ts";
import { products } from "../products/records.ts";
import { toFileKey } from "./archive.ts";
import { type Said, say, sayMessage, toQuote } from "./said.ts";
import type { ImportPictureRecord, ImportRecord } from "./schema.ts";
import { type ImportDeps, type Step, findOwn } from "./steps.ts";
import type { Tx } from "../../store/store.ts";

const LOOK = 60;
/** Products whose pictures are fetched at once; the pictures of one come one after the other. */
const AT_ONCE = 4;
/** Waits before the second and the third attempt. */
const WAITS_MS = [5_000, 60_000];

const keptSchema = productImageSchema.omit({ alt: true });

/** A picture that came, or why it did not. */
type Fetched = { readonly image: KeptImage } | { readonly reason: Said; readonly isFinal: boolean };

function explain(status: number): Said {
  if (status === 404 || status === 410) return say("import.picture.gone", { status });
  if (status === 401 || status === 403) return say("import.picture.denied", { status });
  return say("import.picture.status", { status });
}

async function keep(deps: ImportDeps, bytes: Uint8Array<ArrayBuffer>): Promise<Fetched> {
  try {
    return { image: await takeImage(deps.blobs, bytes) };
  } catch (error) {
    if (!(error instanceof AppError) || error.kind.http >= 500) throw error;
    return { reason: sayMessage(error.message), isFinal: true };
  }
}

async function fetchPicture(deps: ImportDeps, url: string): Promise<Fetched> {
  const headers = { accept: "image/webp, image/png, image/jpeg;q=0.9" };
  const outcome = await deps.pictureOutbound.send({ method: "GET", url, headers, maxBytes: IMAGE_MAX_BYTES });
  if (outcome.kind === "refused") return { reason: sayMessage(outcome.reason), isFinal: true };
  if (outcome.kind === "failed") return { reason: sayMessage(outcome.reason), isFinal: false };
  const { status, bytes } = outcome;
  if (status !== 200)
    return { reason: explain(status), isFinal: status !== 429 && status !== 408 && status < 500 };
  if (bytes === undefined) return { reason: say("import.picture.broken"), isFinal: true };
  return keep(deps, bytes);
}

async function findInArchive(deps: ImportDeps, { importId, source }: ImportPictureRecord): Promise<Fetched> {
  const found = await deps.store.read((tx) => tx.get(importFiles, toFileKey(importId, source)));
  if (found !== undefined) return { image: keptSchema.parse(JSON.parse(found.image)) };
  const name = source.split(/[/\\]/u).at(-1) ?? source;
  return { reason: say("import.picture.archive", { name: toQuote(name) }), isFinal: true };
}

/** The place of a picture among those that the product has: after those before it in the file. */
function findPlace(
  hashes: readonly string[],
  all: readonly Pick<ImportPictureRecord, "id" | "hash">[],
  id: string,
): number {
  const earlier = all.filter((each) => each.id < id).map(({ hash }) => hashes.indexOf(hash ?? ""));
  const later = all.filter((each) => each.id > id).map(({ hash }) => hashes.indexOf(hash ?? ""));
  const before = Math.max(-1, ...earlier);
  if (before >= 0) return before + 1;
  const first = later.filter((place) => place >= 0);
  return first.length > 0 ? Math.min(...first) : hashes.length;
}

/** Adds the picture to its product; resolves with why it cannot be added. */
async function attach(
  tx: Tx,
  picture: ImportPictureRecord,
  image: KeptImage,
  nowMs: number,
): Promise<Said | undefined> {
  const product = await tx.get(products, picture.productId);
  if (product === undefined) return say("import.undo.deleted");
  const { items: all } = await tx.list(importPictures, "byItem", { prefix: [picture.itemId], limit: 1_000 });
  const hashes = product.images.map(({ hash }) => hash);
  const isNew = !hashes.includes(image.hash);
  if (isNew && hashes.length >= MAX_IMAGES) return say("import.picture.most", { most: MAX_IMAGES });
  const images = [...product.images];
  if (isNew) images.splice(findPlace(hashes, all, picture.id), 0, { ...image, alt: picture.alt });
  const variants = product.variants.map((variant) =>
    picture.variantIds.includes(variant.id) ? { ...variant, imageHash: image.hash } : variant,
  );
  const after = await tx.put(products, { ...product, images, variants, updatedAt: nowMs });
  const item = await tx.get(importItems, picture.itemId);
  // What others changed since stays a change by others.
  if (item !== undefined && item.afterVersion === product.version)
    await tx.put(importItems, { ...item, afterVersion: after.version });
  return undefined;
}

function settle(step: Step, { id, importId }: ImportPictureRecord, fetched: Fetched): Promise<boolean> {
  const { deps } = step;
  return deps.store.transact(async (tx) => {
    const own = await findOwn(tx, step, { id: importId, state: "running" });
    const picture = await tx.get(importPictures, id);
    if (own === undefined || picture?.state !== "waiting") return own !== undefined;
    const nowMs = deps.clock.now();
    const tries = picture.tries + 1;
    const wait = WAITS_MS[picture.tries];
    const reason = "image" in fetched ? await attach(tx, picture, fetched.image, nowMs) : fetched.reason;
    const isFinal = "image" in fetched || fetched.isFinal || wait === undefined;
    const state = reason === undefined ? "done" : isFinal ? "failed" : "waiting";
    const hash = "image" in fetched && reason === undefined ? fetched.image.hash : undefined;
    await tx.put(importPictures, {
      ...picture,
      state,
      tries,
      hash,
      reason: reason?.message,
      reasonText: reason?.text,
      nextTryAt: nowMs + (wait ?? 0),
    });
    const { counts } = own;
    const count = state === "done" ? "picturesDone" : "picturesFailed";
    await tx.put(
      imports,
      state === "waiting" ? own : { ...own, counts: { ...counts, [count]: counts[count] + 1 } },
    );
    return true;
  });
}

/** The pictures of each product in their order. */
function byItem(pictures: readonly ImportPictureRecord[]): ImportPictureRecord[][] {
  const groups = new Map<string, ImportPictureRecord[]>();
  for (const picture of pictures)
    groups.set(picture.itemId, [...(groups.get(picture.itemId) ?? []), picture]);
  return [...groups.values()];
}

/**
 * Fetches waiting pictures; true when none is left. False with some left: their next attempt is later, the import was
 * stopped, or the process stops.
 */
export async function runPictures(step: Step, record: Pick<ImportRecord, "id">): Promise<boolean> {
  const { deps } = step;
  let cursor: string | undefined;
  let isLate = false;
  for (;;) {
    const range = { prefix: [record.id, "waiting"], limit: LOOK, cursor };
    const page = await deps.store.read((tx) => tx.list(importPictures, "byState", range));
    const due = page.items.filter(({ nextTryAt }) => nextTryAt <= deps.clock.now());
    isLate ||= due.length < page.items.length;
    const groups = byItem(due);
    const work = async (): Promise<boolean> => {
      for (let group = groups.shift(); group !== undefined; group = groups.shift())
        for (const picture of group) {
          if (step.isOver()) return false;
          const isAddress = /^https?:\/\//iu.test(picture.source);
          const fetched = isAddress
            ? await fetchPicture(deps, picture.source)
            : await findInArchive(deps, picture);
          if (!(await settle(step, picture, fetched))) return false;
        }
      return true;
    };
    const done = await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (done.includes(false)) return false;
    if (page.nextCursor === undefined) break;
    cursor = page.nextCursor;
  }
  if (isLate) return false;
  const left = await deps.store.read((tx) =>
    tx.count(importPictures, "byState", { prefix: [record.id, "waiting"] }),
  );
  return left === 0;
}

/** How a waiting picture is tried again by hand. */
export async function retryFailed(tx: Tx, record: ImportRecord, nowMs: number): Promise<number> {
  const { items } = await tx.list(importPictures, "byState", { prefix: [record.id, "failed"], limit: 1_000 });
  for (const picture of items)
    await tx.put(importPictures, {
      ...picture,
      state: "waiting",
      tries: 0,
      nextTryAt: nowMs,
      reason: undefined,
      reasonText: undefined,
    });
  return items.length;
}
