/** Files that administrators send in: announced, sent in parts (`upload-parts.ts`), and then named by a version or removed. */
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { Tx } from "../../store/store.ts";
import { getProduct } from "../products/products.ts";
import type { ProductRecord } from "../products/schema.ts";
import { storedFiles } from "./records.ts";
import { readSite } from "../site/settings.ts";
import { removeChunks } from "./chunks.ts";
import { type UploadDeps, UNUSED_MS, createReceiver, getUpload, toReceivedBytes } from "./upload-parts.ts";
import type { StoredFileRecord } from "./schema.ts";

/** Clocks of several processes differ. */
const SWEEP_GRACE_MS = 60_000;
const SWEPT_AT_ONCE = 20;
/** Uploads of one product that wait at once. */
const MAX_OPEN = 50;

/** A file that is going to be sent. */
export interface NewUpload {
  readonly fileName: string;
  readonly sizeBytes: number;
  /** The expected SHA-256. */
  readonly sha256?: string | undefined;
}

/** Throws `conflict` for a product whose buyers get something else. */
export function assertSellsFiles({ deliveryType }: Pick<ProductRecord, "deliveryType">): void {
  if (deliveryType === "files") return;
  const message = `Only products with the delivery type files can have files. The delivery type of this product is ${deliveryType}`;
  throw new AppError("conflict", message);
}

/**
 * Assigns a complete upload to a version of a file. @throws AppError `not_found`, `conflict` while a part is missing
 */
export async function claimUpload(
  tx: Tx,
  { id, productId }: { readonly id: string; readonly productId: string },
): Promise<StoredFileRecord & { readonly sha256: string }> {
  const stored = await getUpload(tx, id);
  if (stored.productId !== productId) throw new AppError("not_found", "This product has no such upload");
  const { sha256 } = stored;
  if (sha256 === undefined) {
    const details = { receivedBytes: toReceivedBytes(stored), sizeBytes: stored.sizeBytes };
    throw new AppError("conflict", "The upload is incomplete. Send the remaining bytes", { details });
  }
  const { sweepAt: _sweepAt, writer: _writer, ...rest } = stored;
  return { ...(await tx.put(storedFiles, { ...rest, state: "named" })), sha256 };
}

/** Releases a content from `atMs` on, when its current readers are done. */
export async function releaseStored(tx: Tx, id: string, atMs: number): Promise<void> {
  const stored = await tx.get(storedFiles, id);
  if (stored !== undefined) await tx.put(storedFiles, { ...stored, state: "leaving", sweepAt: atMs });
}

/** Removes contents whose time is over, up to 20; resolves with how many. */
async function sweep(deps: UploadDeps): Promise<number> {
  const { store, clock } = deps;
  const range = { to: [clock.now() - SWEEP_GRACE_MS], limit: SWEPT_AT_ONCE };
  const { items } = await store.read((tx) => tx.list(storedFiles, "bySweep", range));
  for (const { id } of items) {
    const leaving = await store.transact(async (tx) => {
      const stored = await tx.get(storedFiles, id);
      const isDue = stored?.sweepAt !== undefined && stored.sweepAt < clock.now() - SWEEP_GRACE_MS;
      // From here on, it gets no more writes or references.
      return isDue ? tx.put(storedFiles, { ...stored, state: "leaving" }) : undefined;
    });
    if (leaving === undefined) continue;
    await removeChunks(deps, leaving);
    await store.transact((tx) => tx.remove(storedFiles, id));
  }
  return items.length;
}

export type Uploads = ReturnType<typeof createUploads>;

async function begin(
  { store, clock }: UploadDeps,
  productId: string,
  { actor, ...upload }: NewUpload & { readonly actor: AuditActor },
): Promise<StoredFileRecord> {
  return store.transact(async (tx) => {
    assertSellsFiles(await getProduct(tx, productId));
    const limitBytes = (await readSite(tx)).files.maxFileMegabytes * 1_048_576;
    if (upload.sizeBytes > limitBytes) {
      const message = `The file is too large. The maximum is ${limitBytes} bytes`;
      throw new AppError("too_large", message, { details: { limitBytes } });
    }
    const open = await tx.count(storedFiles, "byProduct", { prefix: [productId, "sending"] });
    if (open >= MAX_OPEN)
      throw new AppError(
        "conflict",
        `This product can have up to ${MAX_OPEN} open uploads. Complete or cancel some first`,
      );
    const nowMs = clock.now();
    const { fileName, sizeBytes, sha256: expectedSha256 } = upload;
    const changes = [`fileName: ${fileName}`];
    await writeAudit(tx, { actor, action: "product.file.upload", target: productId, changes }, clock);
    return tx.insert(storedFiles, {
      id: newId("upl", nowMs),
      productId,
      fileName,
      sizeBytes,
      expectedSha256,
      keptChunks: 0,
      state: "sending",
      createdAt: nowMs,
      sweepAt: nowMs + UNUSED_MS,
    });
  });
}

/** Creates the place where files come in. */
export function createUploads(deps: UploadDeps) {
  const { store, clock } = deps;
  return {
    /** Announces a file. @throws AppError `not_found`, `conflict`, `too_large` beyond what the settings allow */
    begin: (productId: string, upload: NewUpload & { actor: AuditActor }): Promise<StoredFileRecord> =>
      begin(deps, productId, upload),
    /** How far an upload is. @throws AppError `not_found` */
    get: (id: string): Promise<StoredFileRecord> => store.read((tx) => getUpload(tx, id)),
    /**
     * Keeps a part. A part that broke off counts as far as it came, in whole chunks; the answer says how far that is.
     * @throws AppError `not_found`, `conflict` with `receivedBytes` for another offset, `invalid` for a wrong size or
     * SHA-256; StoreError `store_unavailable` where the disk is full
     */
    receive: createReceiver(deps),
    /** Cancels an upload. @throws AppError `not_found` */
    cancel: (id: string): Promise<void> =>
      store.transact(async (tx) => {
        await getUpload(tx, id);
        await releaseStored(tx, id, clock.now());
      }),
    /** Removes up to 20 unreferenced contents; resolves with their number. */
    sweep: (): Promise<number> => sweep(deps),
  };
}
