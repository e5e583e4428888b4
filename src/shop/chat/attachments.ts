/**
 * Pictures of the chat, each with its own ID and for the two sides of one conversation. Their bytes are kept behind
 * the id, so that the same picture sent twice is two blobs, and one can go without another.
 */
import { AppError } from "../../kit/errors.ts";
import { hashBytes } from "../../kit/secrets/hash-bytes.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { Tx } from "../../store/store.ts";
import type { ShopUser } from "../users/caller.ts";
import type { ShopDeps } from "../base/deps.ts";
import { QUOTA_DAY_MS, assertQuota } from "./attachment-quota.ts";
import { createChatLimit } from "./limit.ts";
import { type ServedImage, checkImage } from "../images/images.ts";
import { attachments } from "./records.ts";
import type { AttachmentRecord, MessageAttachment } from "./schema.ts";

/** How long a picture waits for the message that names it. */
const UNUSED_MS = 3_600_000;
/** Clocks of several processes differ: what one still takes, no other removes. */
const SWEEP_GRACE_MS = 60_000;
const SWEPT_AT_ONCE = 200;
/** The uploader of administrators' pictures; IDs of users have a prefix. */
const ADMIN = "admin";

/** The reader of a picture: a user, any administrator, or the holder of its signed URL. */
export type AttachmentReader =
  | { readonly userId: string }
  | { readonly isAdmin: true }
  | { readonly isHolder: true };

/** Dependencies of the chat's pictures. */
export type AttachmentDeps = Pick<ShopDeps, "store" | "blobs" | "clock" | "limits">;

const prefixOf = (id: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(id);

/** The bytes that are kept for a picture, and their name. */
export async function toAttachmentBlob(
  id: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<{ hash: string; bytes: Uint8Array<ArrayBuffer> }> {
  const prefix = prefixOf(id);
  const kept = new Uint8Array(prefix.length + bytes.length);
  kept.set(prefix);
  kept.set(bytes, prefix.length);
  return { hash: await hashBytes(kept), bytes: kept };
}

/** Whether a message of this sender in this conversation may name the picture now. */
function mayName(
  record: AttachmentRecord,
  { userId, sender, nowMs }: { userId: string; sender: "user" | "admin"; nowMs: number },
): boolean {
  if (record.removedAt !== undefined) return false;
  if (record.unusedUntil !== undefined && record.unusedUntil <= nowMs) return false;
  if (record.conversationId !== undefined) return record.conversationId === userId;
  return sender === "admin";
}

/** Binds the pictures that a message names to its conversation. @throws AppError `invalid` */
export async function nameAttachments(
  tx: Tx,
  ids: readonly string[],
  by: { readonly userId: string; readonly sender: "user" | "admin"; readonly nowMs: number },
): Promise<MessageAttachment[]> {
  const named: MessageAttachment[] = [];
  for (const [index, id] of ids.entries()) {
    const record = await tx.get(attachments, id);
    if (record === undefined || !mayName(record, by)) {
      const message =
        "must be the ID of an image that was uploaded for this conversation within the last hour";
      throw new AppError("invalid", "An attachment does not exist", {
        errors: [{ pointer: `/attachments/${index}`, code: "unknown", message }],
      });
    }
    const { unusedUntil, ...rest } = record;
    if (unusedUntil !== undefined) await tx.put(attachments, { ...rest, conversationId: by.userId });
    const { hash, mediaType, width, height, bytes } = record;
    named.push({ id, hash, mediaType, width, height, bytes });
  }
  return named;
}

async function keep(
  { store, blobs, clock }: AttachmentDeps,
  upload: Uint8Array<ArrayBuffer>,
  userId: string | undefined,
): Promise<AttachmentRecord> {
  const { bytes, ...image } = checkImage(upload);
  const nowMs = clock.now();
  const id = newId("att", nowMs);
  const blob = await toAttachmentBlob(id, bytes);
  const record = await store.transact(async (tx) => {
    if (userId !== undefined) await assertQuota(tx, { userId, bytes: bytes.length, nowMs });
    return tx.insert(attachments, {
      id,
      uploader: userId ?? ADMIN,
      conversationId: userId,
      hash: blob.hash,
      ...image,
      bytes: bytes.length,
      createdAt: nowMs,
      unusedUntil: nowMs + UNUSED_MS,
    });
  });
  // After the record: bytes without one would stay for ever, a record without bytes goes within the hour.
  await blobs.put(blob.hash, blob.bytes);
  return record;
}

async function get(
  { store, blobs }: AttachmentDeps,
  id: string,
  reader: AttachmentReader,
): Promise<ServedImage> {
  const record = await store.read((tx) => tx.get(attachments, id));
  const isTheirs = record !== undefined && (!("userId" in reader) || record.conversationId === reader.userId);
  const isThere = isTheirs && record.removedAt === undefined;
  const kept = isThere ? await blobs.get(record.hash) : undefined;
  if (record === undefined || kept === undefined)
    throw new AppError("not_found", `Your conversation has no image "${id}"`);
  return { mediaType: record.mediaType, bytes: kept.slice(prefixOf(id).length) };
}

/** Removes a picture without its bytes: its record stays as long as it counts. */
async function forget(tx: Tx, id: string, nowMs: number): Promise<void> {
  const record = await tx.get(attachments, id);
  if (record === undefined) return;
  const countsUntil = record.createdAt + QUOTA_DAY_MS;
  if (countsUntil <= nowMs) await tx.remove(attachments, id);
  else
    await tx.put(attachments, {
      ...record,
      unusedUntil: countsUntil,
      removedAt: record.removedAt ?? nowMs,
    });
}

async function sweep({ store, blobs, clock }: AttachmentDeps): Promise<number> {
  const range = { to: [clock.now() - SWEEP_GRACE_MS], limit: SWEPT_AT_ONCE };
  const { items } = await store.read((tx) => tx.list(attachments, "byUnused", range));
  for (const { id, hash } of items) {
    await blobs.remove(hash);
    // No message refers to it: it expired.
    await store.transact((tx) => forget(tx, id, clock.now()));
  }
  return items.length;
}

/** Marks a picture as removed in a running transaction; its bytes go with {@link removeMarked}, or the next sweep. */
export async function markRemoved(tx: Tx, record: AttachmentRecord, nowMs: number): Promise<void> {
  const removedAt = record.removedAt ?? nowMs;
  // Due at once: should the process stop here, the sweep does the rest.
  await tx.put(attachments, { ...record, removedAt, unusedUntil: nowMs - SWEEP_GRACE_MS - 1 });
}

/** Removes the bytes of pictures that were marked. */
export async function removeMarked(
  { store, blobs, clock }: AttachmentDeps,
  marked: readonly Pick<AttachmentRecord, "id" | "hash">[],
): Promise<void> {
  for (const { id, hash } of marked) {
    await blobs.remove(hash);
    await store.transact((tx) => forget(tx, id, clock.now()));
  }
}

/** A user takes back what no message named yet. */
async function removeOwn(deps: AttachmentDeps, id: string, userId: string): Promise<void> {
  const marked = await deps.store.transact(async (tx) => {
    const record = await tx.get(attachments, id);
    if (record?.uploader !== userId || record.removedAt !== undefined)
      throw new AppError("not_found", `You have no image "${id}"`);
    if (record.unusedUntil === undefined)
      throw new AppError("conflict", "The image was already sent. Ask the shop to remove it");
    await markRemoved(tx, record, deps.clock.now());
    return record;
  });
  await removeMarked(deps, [marked]);
}

/** Creates the place of the chat's pictures. */
export function createChatAttachments(deps: AttachmentDeps) {
  const countPicture = createChatLimit(deps.limits, "chat-pictures");
  return {
    /** Keeps a picture of a user's. @throws AppError `rate_limited`, `conflict` beyond the user's share, `too_large`, `invalid` */
    addByUser: async ({ id }: ShopUser, bytes: Uint8Array<ArrayBuffer>): Promise<AttachmentRecord> => {
      countPicture(id);
      return keep(deps, bytes, id);
    },
    /** Keeps a picture of an administrator's, for the conversation whose message names it first. @throws AppError `too_large`, `invalid` */
    addByAdmin: (bytes: Uint8Array<ArrayBuffer>): Promise<AttachmentRecord> => keep(deps, bytes, undefined),
    /** A picture for one of the two sides of its conversation. @throws AppError `not_found` */
    get: (id: string, reader: AttachmentReader): Promise<ServedImage> => get(deps, id, reader),
    /** Removes a user's picture that was not sent yet. @throws AppError `not_found`, `conflict` once it was sent */
    removeOwn: (id: string, { id: userId }: Pick<ShopUser, "id">): Promise<void> =>
      removeOwn(deps, id, userId),
    /** Removes pictures that no message named in time, up to 200; resolves with how many. */
    sweep: (): Promise<number> => sweep(deps),
  };
}
