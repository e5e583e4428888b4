/** Files of products as administrators keep them: names, order, versions, terms. */
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { getProduct } from "../products/products.ts";
import { type ExpectedVersion, assertVersion } from "../../records/versions.ts";
import type { ProductRecord } from "../products/schema.ts";
import { downloadTerms, fileGrants, fileNotices, storedFiles } from "./records.ts";
import { productFiles, products } from "../products/records.ts";
import { type DownloadTerms, type FileVersion, type StoredFileRecord, MAX_FILES } from "./schema.ts";
import { MAX_FILE_VERSIONS, type ProductFileRecord } from "../products/file-schema.ts";
import { assertSellsFiles, claimUpload, releaseStored } from "./uploads.ts";

/** How long a content that was taken off is there for those who download it just now. */
const LEAVE_MS = 3_600_000;

/** The default terms. */
export const defaultTerms: DownloadTerms = { endOnRefund: true };

/** A new version of a file. */
export interface VersionInput {
  readonly uploadId: string;
  readonly label: string;
}

/** A change of a file's words; null for every variant. */
export interface FileChange extends ExpectedVersion {
  readonly title?: string | undefined;
  readonly variantIds?: readonly string[] | null | undefined;
}

/** The result of a removal: deleted, or kept for earlier buyers. */
export interface RemovedFile {
  readonly isKept: boolean;
}

/** All files of a product in their order, with those that were taken off. */
export async function listProductFiles(tx: ReadTx, productId: string): Promise<ProductFileRecord[]> {
  const { items } = await tx.list(productFiles, "byProduct", { prefix: [productId], limit: 1_000 });
  return [...items];
}

export async function readTerms(tx: ReadTx, productId: string): Promise<DownloadTerms> {
  const record = await tx.get(downloadTerms, productId);
  if (record === undefined) return defaultTerms;
  const { id: _id, version: _version, ...terms } = record;
  return terms;
}

/** A file of a product. @throws AppError `not_found` */
export async function getProductFile(
  tx: ReadTx,
  productId: string,
  fileId: string,
): Promise<ProductFileRecord> {
  const file = await tx.get(productFiles, fileId);
  if (file?.productId === productId) return file;
  throw new AppError("not_found", "The product does not have this file");
}

/** The catalogue sells no product of which nothing could be handed over. */
async function countFiles(tx: Tx, product: ProductRecord, nowMs: number): Promise<void> {
  const files = await listProductFiles(tx, product.id);
  const fileCount = files.filter(({ retiredAt }) => retiredAt === undefined).length;
  if (fileCount !== (product.fileCount ?? 0))
    await tx.put(products, { ...product, fileCount, updatedAt: nowMs });
}

function checkVariants(product: ProductRecord, variantIds: readonly string[] | undefined): void {
  const errors = (variantIds ?? []).flatMap((id, index) =>
    product.variants.some((variant) => variant.id === id)
      ? []
      : [{ pointer: `/variantIds/${index}`, code: "invalid", message: "is not a variant of the product" }],
  );
  if (errors.length > 0) throw new AppError("invalid", "A variant does not exist", { errors });
}

function toVersion(
  stored: StoredFileRecord & { readonly sha256: string },
  { label, number, nowMs }: { readonly label: string; readonly number: number; readonly nowMs: number },
): FileVersion {
  const { id: storedId, fileName, sizeBytes, sha256 } = stored;
  return { number, storedId, fileName, label, sizeBytes, sha256, createdAt: nowMs };
}

/** None, or an empty list: for every variant. */
function toVariantIds(ids: readonly string[] | null | undefined): string[] | undefined {
  return ids === undefined || ids === null || ids.length === 0 ? undefined : [...new Set(ids)];
}

type Deps = Pick<ShopDeps, "store" | "clock">;
interface Write {
  readonly tx: Tx;
  readonly product: ProductRecord;
  readonly nowMs: number;
}

/** One change of a product's files with its entry in the audit. */
function createWrite({ store, clock }: Deps) {
  return <R>(
    productId: string,
    audit: { readonly actor: AuditActor; readonly action: string; readonly changes?: readonly string[] },
    work: (write: Write) => Promise<R>,
  ): Promise<R> =>
    store.transact(async (tx) => {
      const product = await getProduct(tx, productId);
      const nowMs = clock.now();
      const result = await work({ tx, product, nowMs });
      await writeAudit(tx, { ...audit, target: productId }, clock);
      return result;
    });
}

async function add(
  { tx, product, nowMs }: Write,
  input: VersionInput & {
    readonly title?: string | undefined;
    readonly variantIds?: readonly string[] | undefined;
  },
): Promise<ProductFileRecord> {
  assertSellsFiles(product);
  const variantIds = toVariantIds(input.variantIds);
  checkVariants(product, variantIds);
  const files = await listProductFiles(tx, product.id);
  if (files.length >= MAX_FILES)
    throw new AppError("conflict", `A product can have up to ${MAX_FILES} files. Remove one first`);
  const stored = await claimUpload(tx, { id: input.uploadId, productId: product.id });
  const file = await tx.insert(productFiles, {
    id: newId("fil", nowMs),
    productId: product.id,
    title: input.title ?? stored.fileName.slice(0, 200),
    variantIds,
    position: Math.max(0, ...files.map(({ position }) => position)) + 1,
    versions: [toVersion(stored, { label: input.label, number: 1, nowMs })],
    createdAt: nowMs,
  });
  await countFiles(tx, product, nowMs);
  return file;
}

async function addVersion(
  { tx, product, nowMs }: Write,
  { fileId, uploadId, label, notify }: VersionInput & { readonly fileId: string; readonly notify: boolean },
): Promise<ProductFileRecord> {
  const file = await getProductFile(tx, product.id, fileId);
  if (file.versions.length >= MAX_FILE_VERSIONS)
    throw new AppError(
      "conflict",
      `A file can have up to ${MAX_FILE_VERSIONS} versions. Delete old ones first`,
    );
  const stored = await claimUpload(tx, { id: uploadId, productId: product.id });
  const number = (file.versions.at(-1)?.number ?? 0) + 1;
  const version = toVersion(stored, { label, number, nowMs });
  const changed = await tx.put(productFiles, { ...file, versions: [...file.versions, version] });
  if (notify) {
    const id = `${fileId}:${number}`;
    await tx.insert(fileNotices, { id, productId: product.id, fileId, number, createdAt: nowMs });
  }
  return changed;
}

async function change(
  { tx, product }: Write,
  fileId: string,
  change: FileChange,
): Promise<ProductFileRecord> {
  const file = await getProductFile(tx, product.id, fileId);
  assertVersion(file.version, change);
  const { title = file.title } = change;
  const variantIds = change.variantIds === undefined ? file.variantIds : toVariantIds(change.variantIds);
  checkVariants(product, change.variantIds ?? undefined);
  return tx.put(productFiles, { ...file, title, variantIds });
}

/** Puts the files in this order, which names each that is on sale once. @throws AppError `invalid` */
async function arrange({ tx, product }: Write, ids: readonly string[]): Promise<void> {
  const files = (await listProductFiles(tx, product.id)).filter(({ retiredAt }) => retiredAt === undefined);
  const isWhole = ids.length === files.length && new Set(ids).size === ids.length;
  if (!isWhole || files.some(({ id }) => !ids.includes(id))) {
    const errors = [
      { pointer: "/ids", code: "invalid", message: "must contain every file of the product once" },
    ];
    throw new AppError("invalid", "The order of the files is invalid", { errors });
  }
  for (const file of files) {
    const position = ids.indexOf(file.id) + 1;
    if (position !== file.position) await tx.put(productFiles, { ...file, position });
  }
}

async function remove({ tx, product, nowMs }: Write, fileId: string): Promise<RemovedFile> {
  const file = await getProductFile(tx, product.id, fileId);
  const isKept = (await tx.count(fileGrants, "byBuyer", { prefix: [product.id] })) > 0;
  if (isKept) await tx.put(productFiles, { ...file, retiredAt: file.retiredAt ?? nowMs });
  else {
    for (const { storedId } of file.versions) await releaseStored(tx, storedId, nowMs + LEAVE_MS);
    await tx.remove(productFiles, fileId);
  }
  await countFiles(tx, product, nowMs);
  return { isKept };
}

async function removeVersion({ tx, product, nowMs }: Write, fileId: string, number: number): Promise<void> {
  const file = await getProductFile(tx, product.id, fileId);
  const gone = file.versions.find((version) => version.number === number);
  if (gone === undefined) throw new AppError("not_found", "The file does not have this version");
  if (gone === file.versions.at(-1))
    throw new AppError("conflict", "This is the current version for buyers. Add a newer one first");
  await tx.put(productFiles, { ...file, versions: file.versions.filter((version) => version !== gone) });
  await releaseStored(tx, gone.storedId, nowMs + LEAVE_MS);
}

async function setTerms({ tx, product }: Write, terms: DownloadTerms): Promise<DownloadTerms> {
  const before = await tx.get(downloadTerms, product.id);
  if (before === undefined) await tx.insert(downloadTerms, { ...terms, id: product.id });
  else await tx.put(downloadTerms, { ...terms, id: product.id, version: before.version });
  return terms;
}

export type ProductFiles = ReturnType<typeof createProductFiles>;

/** Creates the administration of files; each call throws `not_found` for what is not there. */
export function createProductFiles(deps: Deps) {
  const { store } = deps;
  const write = createWrite(deps);
  return {
    /** The files of a product in their order, those that were taken off last, and its terms. */
    list: (productId: string): Promise<{ files: ProductFileRecord[]; terms: DownloadTerms }> =>
      store.read(async (tx) => {
        await getProduct(tx, productId);
        return { files: await listProductFiles(tx, productId), terms: await readTerms(tx, productId) };
      }),
    /** Puts a file on sale. @throws AppError `conflict`, `invalid` */
    add: (
      productId: string,
      input: Parameters<typeof add>[1] & { actor: AuditActor },
    ): Promise<ProductFileRecord> =>
      write(productId, { actor: input.actor, action: "product.file.add" }, (to) => add(to, input)),
    /** Adds the version that buyers get from now on; with `notify` each of them is mailed. @throws AppError `conflict` */
    addVersion: (
      productId: string,
      input: Parameters<typeof addVersion>[1] & { actor: AuditActor },
    ): Promise<ProductFileRecord> => {
      const changes = [`file: ${input.fileId}`, `notify: ${input.notify}`];
      const audit = { actor: input.actor, action: "product.file.version", changes };
      return write(productId, audit, (to) => addVersion(to, input));
    },
    /** @throws AppError `invalid`, `version_conflict`, `stale_version` */
    change: (
      productId: string,
      { fileId, actor, ...fields }: FileChange & { fileId: string; actor: AuditActor },
    ): Promise<ProductFileRecord> => {
      const audit = { actor, action: "product.file.change", changes: [`file: ${fileId}`] };
      return write(productId, audit, (to) => change(to, fileId, fields));
    },
    /** @throws AppError `invalid` */
    arrange: (
      productId: string,
      { ids, actor }: { ids: readonly string[]; actor: AuditActor },
    ): Promise<void> => write(productId, { actor, action: "product.file.arrange" }, (to) => arrange(to, ids)),
    /** Removes a file from the product; if it was sold, its buyers keep it. */
    remove: (
      productId: string,
      { fileId, actor }: { fileId: string; actor: AuditActor },
    ): Promise<RemovedFile> => {
      const audit = { actor, action: "product.file.remove", changes: [`file: ${fileId}`] };
      return write(productId, audit, (to) => remove(to, fileId));
    },
    /** Removes a version that is not the newest. @throws AppError `conflict` */
    removeVersion: (
      productId: string,
      { fileId, number, actor }: { fileId: string; number: number; actor: AuditActor },
    ): Promise<void> => {
      const changes = [`file: ${fileId}`, `number: ${number}`];
      const audit = { actor, action: "product.file.version.remove", changes };
      return write(productId, audit, (to) => removeVersion(to, fileId, number));
    },
    /** Sets the terms of purchases from now on. */
    setTerms: (
      productId: string,
      { terms, actor }: { terms: DownloadTerms; actor: AuditActor },
    ): Promise<DownloadTerms> => {
      const audit = { actor, action: "product.file.terms", changes: Object.keys(terms) };
      return write(productId, audit, (to) => setTerms(to, terms));
    },
    /** A version with its content. */
    find: (
      productId: string,
      { fileId, number }: { fileId: string; number: number },
    ): Promise<{ version: FileVersion; stored: StoredFileRecord }> =>
      store.read(async (tx) => {
        const file = await getProductFile(tx, productId, fileId);
        const version = file.versions.find((each) => each.number === number);
        const stored = version && (await tx.get(storedFiles, version.storedId));
        if (version === undefined || stored === undefined)
          throw new AppError("not_found", "The file does not have this version");
        return { version, stored };
      }),
  };
}
