/** A shop's administrators who send in pictures and files, and take some of them back, again and again. */
import { randomBytes } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import { z } from "zod";
import { pause } from "./case.ts";
import { admin, expect, send } from "../../shop/kill-load.ts";

const PICTURE_SIDE = 24;
const PICTURES_OF_ONE = 12;
const FILE_BYTES = 2_600_000;
const MOST_FILES = 90;
/** After each picture; after a file as many times this as files came before, as what is taken back stays on disk for hours. */
const PAUSE_MS = 100;

const idSchema = z.object({ id: z.string() });

function toChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.byteLength);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A PNG of random pixels, so that none is like another. */
function makePicture(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(PICTURE_SIDE, 0);
  header.writeUInt32BE(PICTURE_SIDE, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Array.from({ length: PICTURE_SIDE }, () =>
    Buffer.concat([Buffer.from([0]), randomBytes(3 * PICTURE_SIDE)]),
  );
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    toChunk("IHDR", header),
    toChunk("IDAT", deflateSync(Buffer.concat(rows))),
    toChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Sends bytes. @throws Error for anything but a success */
async function sendBytes(
  url: string,
  path: string,
  { method, type, bytes }: { readonly method: string; readonly type: string; readonly bytes: Buffer },
): Promise<void> {
  const headers = { ...admin, "content-type": type };
  const response = await fetch(url + path, { method, headers, body: new Uint8Array(bytes) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
}

async function addProduct(url: string, deliveryType: "manual" | "files"): Promise<string> {
  const body = { title: "Thing", price: 500, status: "published", deliveryType, stockMode: "unlimited" };
  return idSchema.parse(await expect(send(url, "/api/admin/products", { headers: admin, body }), 201)).id;
}

/** What was sent in by now. */
export interface UploadCounts {
  readonly pictures: number;
  readonly files: number;
  /** Uploads and files that were taken back. */
  readonly removed: number;
}

/** See the module's header; `stop` resolves when the last request has its answer. */
export function startUploads(url: string): { counts(): UploadCounts; stop(): Promise<void> } {
  const counts = { pictures: 0, files: 0, removed: 0 };
  let isOver = false;

  async function sendPictures(): Promise<void> {
    while (!isOver) {
      const id = await addProduct(url, "manual");
      for (let n = 0; n < PICTURES_OF_ONE && !isOver; n += 1) {
        const picture = { method: "POST", type: "image/png", bytes: makePicture() };
        await sendBytes(url, `/api/admin/products/${id}/images`, picture);
        counts.pictures += 1;
        await pause(PAUSE_MS);
      }
    }
  }

  async function sendFiles(): Promise<void> {
    const product = await addProduct(url, "files");
    for (let n = 0; !isOver; n += 1) {
      const body = { fileName: `file-${n}.bin`, sizeBytes: FILE_BYTES };
      const begun = send(url, `/api/admin/products/${product}/uploads`, { headers: admin, body });
      const { id } = idSchema.parse(await expect(begun, 201));
      const part = { method: "PUT", type: "application/octet-stream", bytes: randomBytes(FILE_BYTES) };
      await sendBytes(url, `/api/admin/uploads/${id}?offset=0`, part);
      // One in three is taken back before it is on sale.
      const isKept = n % 3 !== 0 && counts.files < MOST_FILES;
      const path = isKept ? `/api/admin/products/${product}/files` : `/api/admin/uploads/${id}`;
      const request = isKept ? { body: { uploadId: id, label: "1" } } : { method: "DELETE" };
      const response = await fetch(url + path, {
        method: isKept ? "POST" : "DELETE",
        headers: { ...admin, "content-type": "application/json" },
        ...("body" in request ? { body: JSON.stringify(request.body) } : {}),
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      if (isKept) counts.files += 1;
      else counts.removed += 1;
      await pause(PAUSE_MS * n);
    }
  }

  const workers = [sendPictures(), sendPictures(), sendFiles()];
  // Seen by `stop`.
  for (const worker of workers) worker.catch(() => undefined);
  return {
    counts: () => ({ ...counts }),
    stop: async () => {
      isOver = true;
      await Promise.all(workers);
    },
  };
}
