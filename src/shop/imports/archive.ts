/** Pictures of an archive (ZIP), read once from its start. Sizes and counts that it claims are not believed. */
import { Unzip, UnzipInflate } from "fflate";
import { AppError } from "../../kit/errors.ts";
import { takeImage } from "../images/images.ts";
import { IMAGE_MAX_BYTES } from "../base/picture-schema.ts";
import { importFiles, imports } from "./records.ts";
import { type Said, say } from "./said.ts";
import type { ImportRecord } from "./schema.ts";
import { type Step, findOwn, readStored } from "./steps.ts";

const MAX_FILES = 50_000;
/** Bytes of all files together, unpacked. */
const MAX_UNPACKED = 17_179_869_184;
/** From here on, more than this many times the bytes of the archive are no pictures. */
const SUSPECT_BYTES = 536_870_912;
const SUSPECT_RATIO = 100;
/** A slice of this many bytes unpacks to 17 MB at most: DEFLATE's ratio ends at 1,032. */
const SLICE_BYTES = 16_384;
const PICTURE = /\.(?:jpe?g|png|webp)$/iu;

/** The key of a picture: the name of its file in lower case, without folders. */
export function toFileKey(importId: string, name: string): string {
  const file = name.replaceAll("\\", "/").split("/").at(-1) ?? "";
  return `${importId}:${file.normalize("NFC").toLowerCase().slice(0, 200)}`;
}

interface Unpacked {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

function refuse(code: "too_large" | "bad_request", { message, text }: Said, cause?: unknown): AppError {
  return new AppError(code, message, { details: { text }, cause });
}

/** Unpacks pictures of up to 5 MiB; larger files, folders and other files are passed over. @throws AppError `too_large` for a bomb, `bad_request` for what is no ZIP */
export async function* unpackPictures(
  source: AsyncIterable<Uint8Array>,
  { suspectBytes = SUSPECT_BYTES }: { readonly suspectBytes?: number } = {},
): AsyncGenerator<Unpacked, void> {
  const ready: Unpacked[] = [];
  let files = 0;
  let total = 0;
  let packed = 0;
  let failure: AppError | undefined;
  const unzip = new Unzip((file) => {
    files += 1;
    if (files > MAX_FILES) failure ??= refuse("too_large", say("import.archive.files", { most: MAX_FILES }));
    const isOwn = PICTURE.test(file.name) && !/(?:^|\/)(?:__MACOSX\/|\._)/u.test(file.name);
    if (!isOwn || failure !== undefined) return;
    const parts: Uint8Array[] = [];
    let size = 0;
    file.ondata = (error, part, isLast) => {
      if (error !== null) return;
      total += part.length;
      if (total > MAX_UNPACKED)
        failure ??= refuse("too_large", say("import.archive.size", { size: "16 GiB" }));
      size += part.length;
      if (size <= IMAGE_MAX_BYTES) parts.push(part);
      else parts.length = 0;
      if (!isLast || size > IMAGE_MAX_BYTES) return;
      const bytes = new Uint8Array(size);
      let at = 0;
      for (const each of parts) {
        bytes.set(each, at);
        at += each.length;
      }
      ready.push({ name: file.name, bytes });
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      try {
        unzip.push(chunk.subarray(at, at + SLICE_BYTES));
      } catch (error) {
        throw refuse("bad_request", say("import.archive.damaged"), error);
      }
      packed += Math.min(SLICE_BYTES, chunk.length - at);
      if (total > suspectBytes && total > SUSPECT_RATIO * packed)
        failure ??= refuse("too_large", say("import.archive.bomb", { times: SUSPECT_RATIO }));
      if (failure !== undefined) throw failure;
      yield* ready.splice(0);
      // Lets other requests in.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }
  if (files === 0) throw refuse("bad_request", say("import.archive.empty"));
}

/** Keeps the pictures of the archive by their names; true when all of it was read. */
export async function readArchive(step: Step, record: ImportRecord): Promise<boolean> {
  const { deps } = step;
  const { archiveId, id: importId } = record;
  if (archiveId === undefined || record.archiveRead === true) return true;
  for await (const { name, bytes } of unpackPictures(readStored(deps, archiveId))) {
    if (step.isOver()) return false;
    try {
      const image = await takeImage(deps.blobs, bytes);
      const id = toFileKey(importId, name);
      await deps.store.transact(async (tx) => {
        const fields = { id, importId, image: JSON.stringify(image) };
        const before = await tx.get(importFiles, id);
        if (before === undefined) await tx.insert(importFiles, fields);
        else if (before.image !== fields.image) await tx.put(importFiles, { ...before, ...fields });
      });
    } catch (error) {
      // Said for each product that names it.
      if (!(error instanceof AppError) || error.kind.http >= 500) throw error;
    }
  }
  return deps.store.transact(async (tx) => {
    const own = await findOwn(tx, step, { id: importId, state: "running" });
    if (own !== undefined) await tx.put(imports, { ...own, archiveRead: true });
    return own !== undefined;
  });
}
