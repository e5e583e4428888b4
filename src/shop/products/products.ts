/** Products as administrators keep them: list, make, change, archive, delete. */
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { changedFields } from "../../kit/text/changes.ts";
import { AppError } from "../../kit/errors.ts";
import { type ExpectedVersion, assertVersion } from "../../records/versions.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import type { ProductFields, WholeProduct } from "./change-schema.ts";
import { keepRelated, toCopyFields } from "./copy.ts";
import { type KnownProducts, type ListedIds, type ProductQuery, listProductIds } from "./list.ts";
import { stockIdsOf, type ProductRecord, type StockRecord } from "./schema.ts";
import { changeProduct, insertProduct, replaceProduct } from "./writes.ts";
import { dropRedirects } from "../redirects/redirects.ts";
import { forgetPrices } from "../prices/history.ts";
import { productFiles, products, secrets, stock, views } from "./records.ts";

/** A product with what else is known of it. */
export interface ProductDetails {
  readonly product: ProductRecord;
  /** By stock id: of each variant, or of the product without variants. */
  readonly stock: ReadonlyMap<string, StockRecord>;
  readonly views: number;
}

export interface ChangeOptions<F> extends ExpectedVersion {
  readonly fields: F;
  readonly actor: AuditActor;
}

/** The product, or AppError `not_found`. */
export async function getProduct(tx: ReadTx, id: string): Promise<ProductRecord> {
  const product = await tx.get(products, id);
  if (product === undefined) throw new AppError("not_found", "This product does not exist");
  return product;
}

/** Further facts about a product. */
export async function readDetails(tx: ReadTx, product: ProductRecord): Promise<ProductDetails> {
  const all = new Map<string, StockRecord>();
  for (const id of stockIdsOf(product)) {
    const record = await tx.get(stock, id);
    if (record !== undefined) all.set(id, record);
  }
  const seen = await tx.get(views, product.id);
  return { product, stock: all, views: seen?.views ?? 0 };
}

async function assertRemovable(tx: ReadTx, id: string, records: readonly StockRecord[]): Promise<void> {
  if ((await tx.count(productFiles, "byProduct", { prefix: [id] })) > 0)
    throw new AppError(
      "conflict",
      "This product has files attached. Remove them before you delete the product",
    );
  const sold = records.reduce((sum, record) => sum + record.sold, 0);
  const reserved = records.reduce((sum, record) => sum + record.reserved, 0);
  const keys = await tx.count(secrets, "byProduct", { prefix: [id] });
  if (sold === 0 && reserved === 0 && keys === 0) return;
  const reason =
    sold > 0
      ? `This product was sold ${sold} times`
      : reserved > 0
        ? `${reserved} units of this product are reserved by unpaid orders`
        : `This product has ${keys} license keys. Remove them first`;
  throw new AppError("conflict", `${reason}. To remove it from the shop, set its status to "archived"`, {
    details: { sold, reserved, keys },
  });
}

/** Removes a product with its stock. Throws `conflict` for one that was sold, is reserved, or has keys or files. */
export async function removeProduct(tx: Tx, id: string): Promise<void> {
  const records = await tx.list(stock, "byProduct", { prefix: [id], limit: 1_000 });
  await assertRemovable(tx, id, records.items);
  for (const record of records.items) await tx.remove(stock, record.id);
  await tx.remove(views, id);
  await forgetPrices(tx, id);
  await dropRedirects(tx, id);
  await tx.remove(products, id);
}

/** A draft that is like `id`, with its pictures. */
async function duplicateProduct(
  tx: Tx,
  id: string,
  { actor, clock }: { readonly actor: AuditActor; readonly clock: ShopDeps["clock"] },
): Promise<ProductDetails> {
  const original = await getProduct(tx, id);
  const fields = { ...toCopyFields(original), relatedIds: await keepRelated(tx, original.relatedIds) };
  const made = await insertProduct(tx, fields, { nowMs: clock.now() });
  const variants = made.variants.map((variant, index) => ({
    ...variant,
    imageHash: original.variants[index]?.imageHash,
  }));
  const { images } = original;
  const product = images.length === 0 ? made : await tx.put(products, { ...made, images, variants });
  const changes = [`from: ${id}`];
  await writeAudit(tx, { actor, action: "product.create", target: product.id, changes }, clock);
  return readDetails(tx, product);
}

export interface ProductPage extends Omit<ListedIds, "ids"> {
  readonly items: readonly ProductDetails[];
}

export type Products = ReturnType<typeof createProducts>;

/** Creates the administration of products; `known` is what the catalogue in memory knows of all of them. */
export function createProducts({ store, clock }: Pick<ShopDeps, "store" | "clock">, known: KnownProducts) {
  type Write<F> = (
    tx: Tx,
    before: ProductRecord,
    options: { fields: F; nowMs: number },
  ) => Promise<ProductRecord>;
  const changeWith =
    <F extends ProductFields>(write: Write<F>) =>
    (id: string, { fields, actor, ...expected }: ChangeOptions<F>): Promise<ProductDetails> =>
      store.transact(async (tx) => {
        const before = await getProduct(tx, id);
        assertVersion(before.version, expected);
        const after = await write(tx, before, { fields, nowMs: clock.now() });
        const names = new Set([...changedFields(before, after), ...changedFields(after, before)]);
        const changes = [...names].filter((name) => name !== "version" && name !== "updatedAt");
        await writeAudit(tx, { actor, action: "product.change", target: id, changes }, clock);
        return readDetails(tx, after);
      });
  return {
    /** The products of a query, in its order. Throws `bad_cursor` for a cursor of another list. */
    list: (query: ProductQuery): Promise<ProductPage> =>
      store.read(async (tx) => {
        const { ids, ...page } = listProductIds(known, query);
        const items: ProductDetails[] = [];
        for (const id of ids) {
          const product = await tx.get(products, id);
          if (product !== undefined) items.push(await readDetails(tx, product));
        }
        return { ...page, items };
      }),
    /** A draft that is like another product. Throws `not_found`. */
    duplicate: (id: string, actor: AuditActor): Promise<ProductDetails> =>
      store.transact((tx) => duplicateProduct(tx, id, { actor, clock })),
    /** Throws `not_found`. */
    get: (id: string): Promise<ProductDetails> =>
      store.read(async (tx) => readDetails(tx, await getProduct(tx, id))),
    /** Throws `invalid`, and `already_exists` for a taken address. */
    create: (fields: WholeProduct, actor: AuditActor): Promise<ProductDetails> =>
      store.transact(async (tx) => {
        const product = await insertProduct(tx, fields, { nowMs: clock.now() });
        await writeAudit(tx, { actor, action: "product.create", target: product.id }, clock);
        return readDetails(tx, product);
      }),
    /** Throws `not_found`, `version_conflict`, `stale_version`, `invalid`, `already_exists`, `conflict`. */
    change: changeWith<ProductFields>(changeProduct),
    /** The same for all fields. */
    replace: changeWith<WholeProduct>(replaceProduct),
    /** Throws `conflict` for a product that was sold, is reserved, or has keys: it can be archived. */
    remove: (id: string, { actor, ...expected }: ExpectedVersion & { actor: AuditActor }): Promise<void> =>
      store.transact(async (tx) => {
        const product = await getProduct(tx, id);
        assertVersion(product.version, expected);
        await removeProduct(tx, id);
        const changes = [`slug: ${product.slug}`];
        await writeAudit(tx, { actor, action: "product.delete", target: id, changes }, clock);
      }),
  };
}
