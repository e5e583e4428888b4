/** Units on hand, set or moved by an administrator. */
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { AppError } from "../../kit/errors.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { type ProductRecord, type StockRecord, MAX_STOCK, stockIdsOf } from "../products/schema.ts";
import { fieldError } from "../products/rules.ts";
import { getProduct } from "../products/products.ts";
import { stock } from "../products/records.ts";
import { setOnHand } from "../products/variant-stock.ts";
import type { SiteSettings } from "../site/schema.ts";
import { listStock, mailLowStock, type StockQuery, type StockRow } from "./low-stock.ts";

export interface StockChange {
  /** Needed for a product with variants. */
  readonly variantId?: string | undefined;
  /** The units that there are now, or by how many they changed: one of the two. */
  readonly onHand?: number | undefined;
  readonly change?: number | undefined;
  /** For the audit. */
  readonly reason: string;
}

/**
 * The stock record that a product and perhaps one of its variants mean.
 * @throws AppError `invalid` for a variant that the product does not have, or when none is named and it has some
 */
export async function getStock(
  tx: ReadTx,
  product: ProductRecord,
  variantId: string | undefined,
): Promise<StockRecord> {
  const hasVariants = product.variants.length > 0;
  const only = product.variants.length === 1 ? product.variants[0]?.id : undefined;
  const meant = variantId ?? only;
  const isMeant = hasVariants ? product.variants.some(({ id }) => id === meant) : meant === undefined;
  if (!isMeant) {
    const message = hasVariants
      ? "must be a variant of the product"
      : "must be omitted, because the product has no variants";
    throw new AppError("invalid", `The variant ${message}`, { errors: [fieldError("/variantId", message)] });
  }
  const record = await tx.get(stock, meant ?? product.id);
  if (record === undefined) throw new Error(`The stock record of the product "${product.id}" is missing`);
  return record;
}

export type StockList = Awaited<ReturnType<typeof readStock>>;

/** Stock records of a product, in the order of its variants. */
async function readStock(tx: ReadTx, product: ProductRecord) {
  const items: StockRecord[] = [];
  for (const id of stockIdsOf(product)) {
    const record = await tx.get(stock, id);
    if (record !== undefined) items.push(record);
  }
  return { product, items };
}

function toOnHand(record: StockRecord, { onHand, change }: StockChange): number {
  const wanted = onHand ?? record.onHand + (change ?? 0);
  if (wanted >= 0 && wanted <= MAX_STOCK) return wanted;
  const message = `there are ${record.onHand} units on hand, and the result must be 0 to ${MAX_STOCK}`;
  throw new AppError("invalid", `The change is out of range: ${message}`, {
    errors: [fieldError("/change", message)],
  });
}

async function applyChange(
  tx: Tx,
  product: ProductRecord,
  change: StockChange,
): Promise<{ before: StockRecord; after: StockRecord }> {
  if (product.deliveryType === "auto_secret")
    throw new AppError(
      "conflict",
      "The stock of this product is its number of license keys. Add or remove keys instead",
    );
  const before = await getStock(tx, product, change.variantId);
  return { before, after: await setOnHand(tx, before, toOnHand(before, change)) };
}

/** Facts about all products in memory. */
export interface KnownStock {
  listStock(): Iterable<Pick<StockRow, "product" | "record">>;
  site(): SiteSettings;
}

/** The administration of stock. */
export class StockAdmin {
  readonly #store: ShopDeps["store"];
  readonly #clock: ShopDeps["clock"];
  readonly #outbox: ShopDeps["outbox"];
  readonly #known: KnownStock;

  /** `known` is what the catalogue in memory knows of all products. */
  constructor({ store, clock, outbox }: Pick<ShopDeps, "store" | "clock" | "outbox">, known: KnownStock) {
    this.#store = store;
    this.#clock = clock;
    this.#outbox = outbox;
    this.#known = known;
  }

  /** The fewest units first. Throws `bad_cursor`. */
  listAll(query: StockQuery): ReturnType<typeof listStock> {
    return listStock(this.#known.listStock(), this.#known.site(), query);
  }

  /** Throws `not_found`. */
  list(productId: string): Promise<StockList> {
    return this.#store.read(async (tx) => readStock(tx, await getProduct(tx, productId)));
  }

  /** Throws `not_found`, `invalid`, and `conflict` with `reserved` for fewer than are promised to orders. */
  change(
    productId: string,
    { change, actor }: { change: StockChange; actor: AuditActor },
  ): Promise<StockList> {
    return this.#store.transact(async (tx) => {
      const product = await getProduct(tx, productId);
      const { before, after } = await applyChange(tx, product, change);
      const changes = [
        ...(change.variantId === undefined ? [] : [`variant: ${change.variantId}`]),
        `onHand: ${before.onHand} → ${after.onHand}`,
        `reason: ${change.reason}`,
      ];
      const move = { stockId: after.id, productId, before: before.onHand, after: after.onHand };
      await mailLowStock(tx, { outbox: this.#outbox, clock: this.#clock }, [move]);
      await writeAudit(tx, { actor, action: "product.stock", target: productId, changes }, this.#clock);
      return readStock(tx, product);
    });
  }
}
