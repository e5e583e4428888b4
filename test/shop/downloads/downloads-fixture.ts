/** A file that was bought, for tests of downloads. */
import { fileGrants } from "../../../src/shop/files/records.ts";
import { type TestShop, createTestShop, read } from "../app-fixture.ts";
import { type Bought, CHUNK, addFile, addFileProduct, buy, makeBytes } from "../files/files-fixture.ts";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export interface Sold extends Bought {
  readonly app: TestShop;
  readonly productId: string;
  readonly fileId: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A file that was bought. */
export async function sell(
  terms: Record<string, unknown> = {},
  { size = 2 * CHUNK + 100, fileName = "guide.pdf" } = {},
): Promise<Sold> {
  const app = await createTestShop();
  const { id: productId } = await addFileProduct(app);
  await read(await app.admin("PUT", `/api/admin/products/${productId}/download-terms`, terms));
  const bytes = makeBytes(size);
  const { id: fileId } = await addFile(app, productId, { bytes, fileName });
  const bought = await buy(app, [{ productId }]);
  return { app, productId, fileId, bytes, ...bought };
}

/** Downloads that were counted. */
export async function countOf(app: TestShop): Promise<number> {
  const { items } = await app.store.read((tx) => tx.list(fileGrants, "id", { limit: 10 }));
  return items.flatMap(({ used }) => used).reduce((sum, { count }) => sum + count, 0);
}
