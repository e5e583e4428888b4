/**
 * Every blob that the shop's records need: pictures of products, categories, collections and the home page, pictures of the
 * chat, and the chunks of files. What a record names only for a while (a picture that no message has named yet) is not required.
 */
import type { Collection, StoreRecord } from "../../store/store.ts";
import { countChunks } from "../files/chunks.ts";
import type { StoredFileRecord } from "../files/schema.ts";
import { attachments, messages } from "../chat/records.ts";
import { categories, collections } from "../categories/records.ts";
import { settings } from "../site/records.ts";
import { type SiteSettings, siteSettingsSchema } from "../site/schema.ts";
import { isKnownSection } from "../site/storefront-schema.ts";
import { fileParts, storedFiles } from "../files/records.ts";
import { productFiles, products } from "../products/records.ts";

/** Reads all records of a collection, wherever they are. */
export type ReadRecords = <T extends StoreRecord>(collection: Collection<T>) => AsyncIterable<T>;

/** A blob that a record needs; `by` names the record for people. */
export interface BlobReference {
  readonly hash: string;
  readonly by: string;
}

/** A contradiction between records. */
export interface BrokenReference {
  readonly broken: string;
}

const CHUNKS_A_PART = 64;

async function* listPictures(read: ReadRecords): AsyncGenerator<BlobReference> {
  for await (const { id, title, images, variants } of read(products)) {
    const by = `product "${title}" (${id})`;
    for (const { hash } of images) yield { hash, by };
    for (const { imageHash } of variants) if (imageHash !== undefined) yield { hash: imageHash, by };
  }
  for await (const { id, image } of read(categories))
    if (image !== undefined) yield { hash: image.hash, by: `category "${id}"` };
  for await (const { id, image } of read(collections))
    if (image !== undefined) yield { hash: image.hash, by: `collection "${id}"` };
  for await (const { id, fields } of read(settings))
    if (id === "site") yield* listSectionPictures(siteSettingsSchema.parse(fields));
}

function* listSectionPictures({ storefront }: SiteSettings): Generator<BlobReference> {
  for (const section of storefront.sections)
    if (isKnownSection(section) && "image" in section && section.image !== undefined)
      yield { hash: section.image.hash, by: `section "${section.id}" of the home page` };
}

async function* listChatPictures(read: ReadRecords): AsyncGenerator<BlobReference> {
  for await (const { id, hash, unusedUntil, removedAt } of read(attachments))
    if (unusedUntil === undefined && removedAt === undefined) yield { hash, by: `chat picture ${id}` };
  // Those from before chat pictures had ids, until a start carries them over.
  for await (const message of read(messages))
    for (const { id, hash, removedAt } of message.attachments)
      if (id === undefined && removedAt === undefined) yield { hash, by: `chat message ${message.id}` };
}

/** A content of a file, and how many of its chunks have a name. */
interface Stored extends Pick<StoredFileRecord, "state" | "keptChunks" | "sizeBytes" | "fileName"> {
  named: number;
}

function describeStored(id: string, { fileName }: Pick<Stored, "fileName">): string {
  return `file "${fileName}" (${id})`;
}

async function* listFileChunks(read: ReadRecords): AsyncGenerator<BlobReference | BrokenReference> {
  const known = new Map<string, Stored>();
  for await (const { id, state, keptChunks, sizeBytes, fileName } of read(storedFiles))
    if (state !== "leaving") known.set(id, { state, keptChunks, sizeBytes, fileName, named: 0 });
  for await (const { id, storedId, chunks } of read(fileParts)) {
    const stored = known.get(storedId);
    const before = CHUNKS_A_PART * Number(id.slice(storedId.length + 1));
    if (stored === undefined) continue;
    // A chunk's name is written before its bytes, and counts when they are there.
    for (const hash of chunks.slice(0, Math.max(0, stored.keptChunks - before))) {
      stored.named += 1;
      yield { hash, by: describeStored(storedId, stored) };
    }
  }
  for (const [id, stored] of known) {
    const { state, keptChunks, named, sizeBytes } = stored;
    const isComplete = named === keptChunks && (state !== "named" || named === countChunks(sizeBytes));
    if (!isComplete) yield { broken: `${describeStored(id, stored)} lacks names of its chunks` };
  }
  for await (const { id, title, versions } of read(productFiles))
    for (const { number, storedId } of versions)
      if (known.get(storedId)?.state !== "named")
        yield { broken: `version ${number} of the download "${title}" (${id}) has no content "${storedId}"` };
}

/** All blobs that the records need, and what is wrong among the records themselves. */
export async function* listBlobReferences(
  read: ReadRecords,
): AsyncGenerator<BlobReference | BrokenReference> {
  yield* listPictures(read);
  yield* listChatPictures(read);
  yield* listFileChunks(read);
}
