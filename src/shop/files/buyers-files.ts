/** The files of an order as its buyer sees them, with links to download them by. */
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { ReadTx } from "../../store/store.ts";
import {
  type GrantingOrder,
  type GrantState,
  findOpenLink,
  listGrantedFiles,
  listGrants,
  toGrantState,
} from "./grants.ts";
import { createDownloadLink, toDownloadUrl } from "./links.ts";

/** A file of an order line. */
export interface BuyersFile {
  readonly fileId: string;
  readonly title: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Of the newest version. */
  readonly number: number;
  readonly label: string;
  /** When that version came. */
  readonly updatedAt: number;
  readonly state: GrantState | "used_up";
  readonly downloads: number;
  readonly downloadsLeft: number | undefined;
  /** When the right ends. */
  readonly expiresAt: number | undefined;
  /** While it can be downloaded. */
  readonly url: string | undefined;
  readonly urlExpiresAt: number | undefined;
}

/** The files of an order's lines, by line; each has its own link. */
export async function readBuyersFiles(
  tx: ReadTx,
  { box, nowMs }: { readonly box: SecretBox; readonly nowMs: number },
  order: GrantingOrder & { readonly id: string },
): Promise<Map<string, BuyersFile[]>> {
  const all = new Map<string, BuyersFile[]>();
  for (const grant of await listGrants(tx, order.id)) {
    const right = toGrantState(grant, order, nowMs);
    const { orderId, lineId, expiresAt } = grant;
    const granted = await listGrantedFiles(tx, grant);
    const files = granted.map(({ file, newest, downloads, downloadsLeft }): BuyersFile => {
      const open = findOpenLink(grant, file.id, nowMs);
      const isUsedUp = right === "usable" && downloadsLeft === 0 && open === undefined;
      const state = isUsedUp ? "used_up" : right;
      const { number, label, fileName, sizeBytes, sha256, createdAt: updatedAt } = newest;
      const link =
        state === "usable"
          ? createDownloadLink({ orderId, lineId, fileId: file.id, number }, { nowMs, id: open })
          : undefined;
      return {
        fileId: file.id,
        title: file.title,
        fileName,
        sizeBytes,
        sha256,
        number,
        label,
        updatedAt,
        state,
        downloads,
        downloadsLeft,
        expiresAt,
        url: link && toDownloadUrl(box, link),
        urlExpiresAt: link?.untilMs,
      };
    });
    all.set(lineId, files);
  }
  return all;
}
