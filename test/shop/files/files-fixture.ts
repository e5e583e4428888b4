/** Files on sale, for tests: uploaded over HTTP, and bought as a guest. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readChunks } from "../../../src/shop/files/chunks.ts";
import { type Blobs, createMemoryBlobs } from "../../../src/shop/base/blobs.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import type { ProductRecord } from "../../../src/shop/products/schema.ts";
import { storedFiles } from "../../../src/shop/files/records.ts";
import { ADMIN_TOKEN, type TestShop, createTestShop, read } from "../app-fixture.ts";
import { type GoodsOptions, addProduct, order, sendNotice, setProvider, toNotice } from "../goods.ts";

export const CHUNK = 1_048_576;

/** What a buyer sees of a file. */
export interface SeenFile {
  readonly fileId: string;
  readonly title: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly number: number;
  readonly label: string;
  readonly state: string;
  readonly downloads: number;
  readonly downloadsLeft?: number;
  readonly expiresAt?: string;
  readonly url?: string;
  readonly urlExpiresAt?: string;
}

/** Bytes that look like no others: each position says which it is. */
export function makeBytes(sizeBytes: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(sizeBytes);
  let state = seed;
  for (let at = 0; at < sizeBytes; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export interface Upload {
  readonly id: string;
  readonly receivedBytes: number;
  readonly sizeBytes: number;
  readonly sha256?: string;
}

/** A product whose buyers get files. */
export function addFileProduct(app: TestShop, options: GoodsOptions = {}): Promise<ProductRecord> {
  return addProduct(app, { title: "Guide", deliveryType: "files", stockMode: "unlimited", ...options });
}

export async function beginUpload(
  app: TestShop,
  productId: string,
  { fileName = "guide.pdf", ...body }: { fileName?: string | undefined; sizeBytes: number; sha256?: string },
): Promise<Upload> {
  const upload = { fileName, ...body };
  return read(await app.admin("POST", `/api/admin/products/${productId}/uploads`, upload), 201);
}

/** Sends a part past the check of answers. */
export function sendPart(
  app: TestShop,
  id: string,
  { offset, body }: { offset: number; body: BodyInit },
): Promise<Response> {
  // `duplex` is required for streams (Fetch standard) and missing in the DOM types.
  const init: RequestInit & { duplex: "half" } = {
    method: "PUT",
    headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "application/octet-stream" },
    body,
    duplex: "half",
  };
  return app.fetch(`/api/admin/uploads/${id}?offset=${offset}`, init);
}

/** Sends a whole file. */
export async function uploadBytes(
  app: TestShop,
  productId: string,
  { bytes, fileName }: { bytes: Uint8Array<ArrayBuffer>; fileName?: string },
): Promise<Upload> {
  const { id } = await beginUpload(app, productId, { fileName, sizeBytes: bytes.length });
  return read(await sendPart(app, id, { offset: 0, body: bytes }));
}

export interface AdminFile {
  readonly id: string;
  readonly title: string;
  readonly version: number;
  readonly retiredAt?: string;
  readonly versions: readonly { number: number; fileName: string; sha256: string }[];
}

/** Puts bytes on sale. */
export async function addFile(
  app: TestShop,
  productId: string,
  file: { bytes: Uint8Array<ArrayBuffer>; fileName?: string; title?: string; variantIds?: string[] },
): Promise<AdminFile> {
  const { id: uploadId } = await uploadBytes(app, productId, file);
  const { title, variantIds } = file;
  const body = { uploadId, title, variantIds };
  return read(await app.admin("POST", `/api/admin/products/${productId}/files`, body), 201);
}

/** Adds a version. */
export async function addVersion(
  app: TestShop,
  { productId, fileId }: { productId: string; fileId: string },
  version: { bytes: Uint8Array<ArrayBuffer>; label?: string; notify?: boolean; fileName?: string },
): Promise<AdminFile> {
  const { id: uploadId } = await uploadBytes(app, productId, version);
  const { label, notify } = version;
  const path = `/api/admin/products/${productId}/files/${fileId}/versions`;
  return read(await app.admin("POST", path, { uploadId, label, notify }), 201);
}

export interface Bought {
  readonly order: OrderRecord;
  readonly token: string;
}

/** Orders and pays as a guest. */
export async function buy(
  app: TestShop,
  items: Parameters<typeof order>[1],
  more: Parameters<typeof order>[2] = {},
): Promise<Bought> {
  await setProvider(app);
  const placed = await order(app, items, more);
  const notice = await sendNotice(app, toNotice(placed.order));
  assert.equal(notice.status, 200, await notice.clone().text());
  return { order: placed.order, token: placed.orderToken };
}

/** The files of an order as its buyer sees them. */
export async function seeFiles(app: TestShop, { order: { id }, token }: Bought): Promise<SeenFile[]> {
  const headers = { "x-order-token": token };
  const seen = await read<{ lines: { files?: SeenFile[] }[] }>(
    await app.send("GET", `/api/orders/${id}`, { headers }),
  );
  return seen.lines.flatMap(({ files }) => files ?? []);
}

/** The link of the only file of an order. */
export async function seeLink(app: TestShop, bought: Bought): Promise<string> {
  const [file] = await seeFiles(app, bought);
  assert.ok(file?.url, `no link: ${file?.state}`);
  return file.url;
}

/** Downloads all that comes. */
export async function download(
  app: TestShop,
  url: string,
  headers: Record<string, string> = {},
): Promise<Uint8Array> {
  const response = await app.fetch(url, { headers });
  assert.ok(response.status === 200 || response.status === 206, `${response.status} ${url}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** All bytes that are kept of an upload. */
export async function readAll(app: TestShop, id: string): Promise<Uint8Array> {
  const { store, deps } = app.shop;
  const stored = await store.read((tx) => tx.get(storedFiles, id));
  assert.ok(stored !== undefined);
  const parts: Uint8Array[] = [];
  for await (const part of readChunks(deps, stored, { first: 0, last: stored.sizeBytes - 1 }))
    parts.push(part);
  return Buffer.concat(parts);
}

/** Blobs that can be counted. */
export function countedBlobs(): { blobs: Blobs; names: Set<string> } {
  const inner = createMemoryBlobs();
  const names = new Set<string>();
  const blobs: Blobs = {
    ...inner,
    put: async (hash, bytes) => {
      await inner.put(hash, bytes);
      names.add(hash);
    },
    remove: async (hash) => {
      await inner.remove(hash);
      names.delete(hash);
    },
  };
  return { blobs, names };
}

/** A shop, with a product whose goods are files. */
export async function createFileShop(): Promise<{ app: TestShop; productId: string }> {
  const app = await createTestShop();
  return { app, productId: (await addFileProduct(app)).id };
}
