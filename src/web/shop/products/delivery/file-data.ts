/** Files of a product as /api/admin/products/{id}/files has them. */
import { toProductPath } from "../product-data.ts";

export interface VersionView {
  readonly number: number;
  readonly fileName: string;
  readonly label: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly createdAt: string;
}

export interface FileView {
  readonly id: string;
  readonly title: string;
  /** Only for buyers of these; absent: of any. */
  readonly variantIds?: readonly string[];
  readonly version: number;
  readonly retiredAt?: string;
  /** The newest last: that is what buyers get. */
  readonly versions: readonly VersionView[];
}

/** Where a file of a product is. */
export function toFilePath(productId: string, fileId: string): string {
  return `${toProductPath(productId)}/files/${fileId}`;
}
