/** A shop with imports: files go the way of the console, pictures come from a table. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Outbound, OutboundOutcome } from "../../../src/kit/outbound/outbound.ts";
import type { ImportFaultView, ImportView } from "../../../src/shop/imports/answer-schema.ts";
import { projectFolder } from "../../support/process.ts";
import { ADMIN_TOKEN, type TestShop, type TestShopOptions, createTestShop, read } from "../app-fixture.ts";
import { png } from "../../auth/pictures.ts";

export const PATH = "/api/admin/imports";

/** The bytes of one of the files beside this module. */
export function readSample(name: string): Promise<Uint8Array<ArrayBuffer>> {
  return readFile(join(projectFolder, "test/shop/imports/files", name)).then(
    (bytes) => new Uint8Array(bytes),
  );
}

/** Answers each address with a picture of its own size, unless `answers` says otherwise. */
export function createPictureServer(answers: Readonly<Record<string, OutboundOutcome>> = {}) {
  const sent: string[] = [];
  let width = 10;
  const known = new Map<string, Uint8Array<ArrayBuffer>>();
  const outbound: Pick<Outbound, "send"> = {
    send: async ({ url }) => {
      sent.push(url);
      const own = answers[url];
      if (own !== undefined) return own;
      const bytes = known.get(url) ?? png((width += 1), 8);
      known.set(url, bytes);
      return { kind: "answered", status: 200, text: "", bytes };
    },
  };
  return { outbound, sent };
}

/** Options of the trial, and what the file has. */
export interface CheckOptions extends Partial<ImportView["options"]> {
  readonly kind?: ImportView["kind"];
}

export interface ImportRoom {
  readonly shop: TestShop;
  /** Uploads and checks a file; resolves with the trial. */
  check(bytes: Uint8Array | string, options?: CheckOptions, archive?: Uint8Array): Promise<ImportView>;
  get(id: string): Promise<ImportView>;
  move(id: string, move: string): Promise<ImportView>;
  /** Runs the job until nothing is due. */
  run(): Promise<void>;
  /** Checks and imports. */
  take(bytes: Uint8Array | string, options?: CheckOptions, archive?: Uint8Array): Promise<ImportView>;
}

export function toRoom(shop: TestShop): ImportRoom {
  async function send(uploadId: string, bytes: Uint8Array): Promise<void> {
    const headers = { "x-admin-token": ADMIN_TOKEN, "content-type": "application/octet-stream" };
    const init = { method: "PUT", headers, body: new Uint8Array(bytes) };
    await read(await shop.fetch(`/api/admin/uploads/${uploadId}`, init));
  }
  const run = async (): Promise<void> => {
    await shop.shop.imports.run();
  };
  const get = async (id: string): Promise<ImportView> => read(await shop.admin("GET", `${PATH}/${id}`));
  const move = async (id: string, name: string): Promise<ImportView> =>
    read(await shop.admin("POST", `${PATH}/${id}/${name}`), 202);
  const check: ImportRoom["check"] = async (file, { kind = "products", ...options } = {}, archive) => {
    const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
    const body = {
      kind,
      fileName: `${kind}.csv`,
      sizeBytes: bytes.length,
      ...(archive === undefined ? {} : { archive: { fileName: "pictures.zip", sizeBytes: archive.length } }),
    };
    const created = await read<ImportView>(await shop.admin("POST", PATH, body), 201);
    await send(created.uploadId, bytes);
    if (archive !== undefined) await send(created.archiveUploadId ?? "", archive);
    await read(await shop.admin("POST", `${PATH}/${created.id}/check`, options), 202);
    await run();
    return get(created.id);
  };
  return {
    shop,
    check,
    get,
    move,
    run,
    take: async (file, options, archive) => {
      const { id } = await check(file, options, archive);
      await move(id, "start");
      await run();
      return get(id);
    },
  };
}

/** What is wrong with the rows of an import, and what cannot be carried over. */
export async function listFaults(
  { shop }: ImportRoom,
  id: string,
  phase: "trial" | "run" = "trial",
): Promise<ImportFaultView[]> {
  const path = `${PATH}/${id}/faults?phase=${phase}&limit=200`;
  return (await read<{ items: ImportFaultView[] }>(await shop.admin("GET", path))).items;
}

export async function createRoom(options: TestShopOptions = {}): Promise<ImportRoom> {
  return toRoom(await createTestShop({ pictureOutbound: createPictureServer().outbound, ...options }));
}
