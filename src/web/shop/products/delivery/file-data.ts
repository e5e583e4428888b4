/** Files of a product. */
import { toProductPath } from "../product-data.ts";

export type { ProductFileView as FileView } from "../../../../shop/files/answer-schema.ts";

/** Where a file of a product is. */
export function toFilePath(productId: string, fileId: string): string {
  return `${toProductPath(productId)}/files/${fileId}`;
}
