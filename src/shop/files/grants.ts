/** Rights of order lines to the files of their products: given with the payment, on the terms of that day. */
import type { ReadTx, Tx } from "../../store/store.ts";
import { fileGrants } from "./records.ts";
import { productFiles } from "../products/records.ts";
import { listProductFiles, readTerms } from "./product-files.ts";
import type { FileGrantRecord, FileVersion } from "./schema.ts";
import type { ProductFileRecord } from "../products/file-schema.ts";

const DAY_MS = 86_400_000;
/** States of an order whose goods may be had. */
const HANDED_OUT: ReadonlySet<string> = new Set(["paid", "fulfilling", "delivered", "completed"]);

/** The part of an order's line that a right is given for. */
interface GrantedLine {
  readonly id: string;
  readonly productId: string;
  readonly variantId?: string | undefined;
  readonly quantity: number;
}

/** The part of an order that decides whether its grants are valid. */
export interface GrantingOrder {
  readonly status: string;
  readonly paymentStatus: string;
}

/** Whether a right can be used, and if not, why. */
export type GrantState = "usable" | "expired" | "ended";

/** A file that a right opens, with its newest version. */
export interface GrantedFile {
  readonly file: ProductFileRecord;
  readonly newest: FileVersion;
  readonly downloads: number;
  /** Absent: as many as they like. */
  readonly downloadsLeft: number | undefined;
}

/** The id of a line's right. */
export function toGrantId(orderId: string, lineId: string): string {
  return `${orderId}:${lineId}`;
}

/** Whether a grant is valid: not after its expiry, after it was ended by hand, or after a full refund. */
export function toGrantState(grant: FileGrantRecord, order: GrantingOrder, nowMs: number): GrantState {
  const isRefunded = grant.endOnRefund && order.paymentStatus === "refunded";
  if (grant.endedAt !== undefined || isRefunded || !HANDED_OUT.has(order.status)) return "ended";
  return grant.expiresAt !== undefined && grant.expiresAt <= nowMs ? "expired" : "usable";
}

/** Whether a right opens a file: of its variant, and not taken off before it was bought. */
export function opensFile(
  grant: Pick<FileGrantRecord, "productId" | "variantId" | "grantedAt">,
  { productId, variantIds, retiredAt }: ProductFileRecord,
): boolean {
  if (productId !== grant.productId) return false;
  if (retiredAt !== undefined && retiredAt <= grant.grantedAt) return false;
  return variantIds === undefined || (grant.variantId !== undefined && variantIds.includes(grant.variantId));
}

/** Downloads of a file that are left of a right; undefined without a limit. */
export function toDownloadsLeft(grant: FileGrantRecord, fileId: string): number | undefined {
  if (grant.maxDownloads === undefined) return undefined;
  const count = grant.used.find((used) => used.fileId === fileId)?.count ?? 0;
  return Math.max(0, grant.maxDownloads - count);
}

/** The link of a download that was counted lately: the same file again, by the same right, is the same download. */
export function findOpenLink(grant: FileGrantRecord, fileId: string, nowMs: number): string | undefined {
  const used = grant.used.find((each) => each.fileId === fileId);
  return used?.links.findLast(({ until }) => until > nowMs)?.id;
}

/** Grants a paid line its files; false when its product has no file for it. */
export async function grantFiles(
  tx: Tx,
  order: { readonly id: string; readonly emailLower: string },
  { line, atMs }: { readonly line: GrantedLine; readonly atMs: number },
): Promise<boolean> {
  const { productId, variantId } = line;
  const files = await listProductFiles(tx, productId);
  if (!files.some((file) => opensFile({ productId, variantId, grantedAt: atMs }, file))) return false;
  const id = toGrantId(order.id, line.id);
  if ((await tx.get(fileGrants, id)) !== undefined) return true;
  const { maxDownloads, expiryDays, endOnRefund } = await readTerms(tx, productId);
  await tx.insert(fileGrants, {
    id,
    orderId: order.id,
    lineId: line.id,
    productId,
    variantId,
    emailLower: order.emailLower,
    grantedAt: atMs,
    maxDownloads: maxDownloads === undefined ? undefined : maxDownloads * line.quantity,
    expiresAt: expiryDays === undefined ? undefined : atMs + expiryDays * DAY_MS,
    endOnRefund,
    used: [],
  });
  return true;
}

/** The rights of an order. */
export async function listGrants(tx: ReadTx, orderId: string): Promise<FileGrantRecord[]> {
  const { items } = await tx.list(fileGrants, "byOrder", { prefix: [orderId], limit: 1_000 });
  return [...items];
}

/** The files that a right opens, in their order, with what is left of each. */
export async function listGrantedFiles(tx: ReadTx, grant: FileGrantRecord): Promise<GrantedFile[]> {
  const files = await listProductFiles(tx, grant.productId);
  return files.flatMap((file): GrantedFile[] => {
    const newest = file.versions.at(-1);
    if (newest === undefined || !opensFile(grant, file)) return [];
    const downloads = grant.used.find(({ fileId }) => fileId === file.id)?.count ?? 0;
    return [{ file, newest, downloads, downloadsLeft: toDownloadsLeft(grant, file.id) }];
  });
}

/** A right with the file and the version that it opens; undefined for what is not there, or not for this right. */
export async function findGranted(
  tx: ReadTx,
  asked: {
    readonly orderId: string;
    readonly lineId: string;
    readonly fileId: string;
    readonly number: number;
  },
): Promise<{ grant: FileGrantRecord; file: ProductFileRecord; version: FileVersion } | undefined> {
  const grant = await tx.get(fileGrants, toGrantId(asked.orderId, asked.lineId));
  const file = await tx.get(productFiles, asked.fileId);
  if (grant === undefined || file === undefined || !opensFile(grant, file)) return undefined;
  const version = file.versions.find(({ number }) => number === asked.number);
  return version && { grant, file, version };
}
