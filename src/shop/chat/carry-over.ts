/**
 * Pictures of messages from before pictures of the chat had ids: they were public under the hash of their bytes. Each
 * gets an ID and a separate blob, and its public name is removed unless a product shows it.
 */
import type { Store } from "../../store/store.ts";
import { toAttachmentBlob } from "./attachments.ts";
import { readCarried, writeCarried } from "./numbers.ts";
import type { ShopDeps } from "../base/deps.ts";
import { attachments, messages } from "./records.ts";
import { products } from "../products/records.ts";
import { DamagedPicture } from "../images/verified-blobs.ts";
import type { MessageAttachment, MessageRecord } from "./schema.ts";

const PAGE = 100;

type CarryDeps = Pick<ShopDeps, "store" | "blobs" | "log">;

/** The id that a picture without one gets: the same at every start, until it is stored. */
export function toCarriedId(messageId: string, index: number): string {
  return `att_${messageId}_${index}`;
}

async function carryOne(
  { store, blobs }: CarryDeps,
  { id: messageId, conversationId, sender, createdAt }: MessageRecord,
  { picture, index }: { picture: MessageAttachment; index: number },
): Promise<void> {
  const id = toCarriedId(messageId, index);
  // A damaged picture gets a record too, so that it is not searched at each start. While pictures cannot be read at
  // all, nothing is carried over: public ones would be lost.
  const bytes = await blobs.get(picture.hash).catch((error: unknown) => {
    if (error instanceof DamagedPicture) return undefined;
    throw error;
  });
  const blob = await toAttachmentBlob(id, bytes ?? new Uint8Array());
  if (bytes !== undefined) await blobs.put(blob.hash, blob.bytes);
  await store.transact(async (tx) => {
    const message = await tx.get(messages, messageId);
    if (message === undefined || (await tx.get(attachments, id)) !== undefined) return;
    const uploader = sender === "user" ? conversationId : "admin";
    await tx.insert(attachments, { ...picture, id, uploader, conversationId, hash: blob.hash, createdAt });
    // The message keeps the old hash, by which the public blob is found below, also after a stop half-way.
    const carried = message.attachments.map((other, at) => (at === index ? { ...other, id } : other));
    await tx.put(messages, { ...message, attachments: carried });
  });
}

async function listProductPictures(store: Store): Promise<Set<string>> {
  const hashes = new Set<string>();
  let cursor: string | undefined;
  do {
    const options = { limit: PAGE, cursor };
    const page = await store.read((tx) => tx.list(products, "id", options));
    for (const { images } of page.items) for (const { hash } of images) hashes.add(hash);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return hashes;
}

/** Carries over what is left, from where the last start came to; resolves with how many pictures. */
export async function carryOverAttachments(deps: CarryDeps): Promise<number> {
  const { store, blobs, log } = deps;
  const open = new Set<string>();
  let carried = 0;
  let seq = await store.read(readCarried);
  for (;;) {
    const from = [seq + 1];
    const { items } = await store.read((tx) => tx.list(messages, "inOrder", { from, limit: PAGE }));
    for (const message of items)
      for (const [index, picture] of message.attachments.entries()) {
        if (picture.id !== undefined && picture.id !== toCarriedId(message.id, index)) continue;
        open.add(picture.hash);
        if (picture.id !== undefined) continue;
        await carryOne(deps, message, { picture, index });
        carried += 1;
      }
    seq = items.at(-1)?.seq ?? seq;
    if (items.length < PAGE) break;
  }
  const shown = open.size === 0 ? open : await listProductPictures(store);
  for (const hash of open) if (!shown.has(hash)) await blobs.remove(hash);
  await store.transact((tx) => writeCarried(tx, seq));
  if (carried > 0) log.info("Chat images were made private", { pictures: carried });
  return carried;
}
