/** Licence keys of auto_secret products. */
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { Page, PageOptions, ReadTx, Tx } from "../../store/store.ts";
import { SECRET_PURPOSE } from "./product-secret.ts";
import type { ShopDeps } from "../base/deps.ts";
import { stockIdsOf, type ProductRecord, type SecretRecord, type StockRecord } from "../products/schema.ts";
import { getProduct } from "../products/products.ts";
import { secrets, stock } from "../products/records.ts";
import { toMasked } from "./masked.ts";
import { MAX_KEYS } from "./schema.ts";
import { getStock } from "../stock/stock-admin.ts";

const BATCH = 1_000;

/** A key as administrators see it: masked, or in full on request. */
export type ShownKey = SecretRecord & { readonly value: string };

export interface KeyQuery extends PageOptions {
  readonly variantId?: string | undefined;
  readonly state?: SecretRecord["state"] | undefined;
  /** Shows the keys themselves; that is noted in the audit. */
  readonly reveal: boolean;
  readonly actor: AuditActor;
}

type Deps = Pick<ShopDeps, "store" | "clock" | "box">;

/** A key that is ready to be stored. */
interface SealedKey {
  readonly place: number;
  readonly sealed: string;
  readonly mac: string;
}

async function insertBatch(
  tx: Tx,
  record: StockRecord,
  batch: { keys: readonly SealedKey[]; nowMs: number },
): Promise<number[]> {
  const duplicates: number[] = [];
  const { id: stockId, productId } = record;
  for (const { place, sealed, mac } of batch.keys) {
    if ((await tx.by(secrets, "byMac", [stockId, mac])) !== undefined) {
      duplicates.push(place);
      continue;
    }
    const addedAt = batch.nowMs;
    // Keys leave in the order of their ids: that in which they were added.
    const id = newId("key", addedAt);
    await tx.insert(secrets, { id, productId, stockId, sealed, mac, state: "free", addedAt });
  }
  const added = batch.keys.length - duplicates.length;
  if (added > 0) await tx.adjust(stock, stockId, { field: "onHand", by: added });
  return duplicates;
}

function assertKeyed(product: ProductRecord): void {
  if (product.deliveryType === "auto_secret") return;
  throw new AppError(
    "conflict",
    `Only products with the delivery type auto_secret can have license keys. The delivery type of this product is ${product.deliveryType}`,
  );
}

async function listRecords(
  tx: ReadTx,
  product: ProductRecord,
  { variantId, state, limit, cursor }: KeyQuery,
): Promise<Page<SecretRecord>> {
  const states = state === undefined ? [] : [state];
  // Without a variant's name, all keys of the product, also those of variants that are gone.
  if (variantId === undefined)
    return tx.list(secrets, "byProduct", { limit, cursor, prefix: [product.id, ...states] });
  const { id } = await getStock(tx, product, variantId);
  return tx.list(secrets, "byState", { limit, cursor, prefix: [id, ...states] });
}

async function removeKeys(tx: Tx, product: ProductRecord, ids: ReadonlySet<string>): Promise<void> {
  const counts = new Map<string, number>();
  for (const id of ids) {
    const key = await tx.get(secrets, id);
    if (key?.productId !== product.id)
      throw new AppError("not_found", `The license key "${id}" does not exist`);
    if (key.state === "given")
      throw new AppError("conflict", `The license key "${id}" was already delivered to a buyer`, {
        details: { keyId: id },
      });
    await tx.remove(secrets, id);
    counts.set(key.stockId, (counts.get(key.stockId) ?? 0) + 1);
  }
  const present = product.deliveryType === "auto_secret" ? stockIdsOf(product) : [];
  for (const [stockId, count] of counts) {
    const record = present.includes(stockId) ? await tx.get(stock, stockId) : undefined;
    if (record === undefined) continue;
    const { onHand, reserved } = record;
    if (onHand - count < reserved) {
      throw new AppError(
        "conflict",
        `The keys cannot be deleted, because ${reserved} of ${onHand} keys are reserved by unpaid orders`,
        { details: { stockId, reserved } },
      );
    }
    await tx.adjust(stock, stockId, { field: "onHand", by: -count });
  }
}

/** The administration of keys. */
export class Keys {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Adds keys, 1,000 in a transaction; the same ones again are skipped, so that a request that broke off can be
   * sent again. `duplicates` are the places in `values`, from 1, of keys that were there before or earlier in it. Throws `not_found`, `invalid`, `too_large`, and `conflict` for a product of another delivery type.
   */
  async add(
    productId: string,
    options: { values: readonly string[]; variantId?: string; actor: AuditActor },
  ): Promise<{ added: number; duplicates: number[] }> {
    const { values, variantId, actor } = options;
    const { store, clock, box } = this.#deps;
    if (values.length > MAX_KEYS)
      throw new AppError("too_large", `Too many keys. Send up to ${MAX_KEYS} keys per request`, {
        details: { limit: MAX_KEYS },
      });
    const duplicates: number[] = [];
    for (let start = 0; start < values.length; start += BATCH) {
      const keys = values.slice(start, start + BATCH).map((value, index): SealedKey => ({
        place: start + index + 1,
        sealed: box.seal(value, SECRET_PURPOSE),
        mac: box.lookup(value, SECRET_PURPOSE),
      }));
      const found = await store.transact(async (tx) => {
        const product = await getProduct(tx, productId);
        assertKeyed(product);
        const record = await getStock(tx, product, variantId);
        const twice = await insertBatch(tx, record, { keys, nowMs: clock.now() });
        const changes = [`stock: ${record.id}`, `added: ${keys.length - twice.length}`];
        await writeAudit(tx, { actor, action: "product.keys.add", target: productId, changes }, clock);
        return twice;
      });
      duplicates.push(...found);
    }
    return { added: values.length - duplicates.length, duplicates };
  }

  /** Throws `not_found`, `invalid`, `bad_cursor`. */
  async list(productId: string, query: KeyQuery): Promise<Page<ShownKey>> {
    const { store, clock, box } = this.#deps;
    const { reveal, actor } = query;
    const read = async (tx: ReadTx): Promise<Page<SecretRecord>> =>
      listRecords(tx, await getProduct(tx, productId), query);
    const page = await (reveal
      ? store.transact(async (tx) => {
          const found = await read(tx);
          const changes = found.items.map(({ id }) => id);
          await writeAudit(tx, { actor, action: "product.keys.reveal", target: productId, changes }, clock);
          return found;
        })
      : store.read(read));
    const items = page.items.map((record) => {
      const value = box.open(record.sealed, SECRET_PURPOSE);
      return { ...record, value: reveal ? value : toMasked(value) };
    });
    return { ...page, items };
  }

  /** Removes free keys, all or none, at most 1,000; resolves with how many. Throws `not_found`, and `conflict` for given or promised ones. */
  remove(productId: string, { ids, actor }: { ids: readonly string[]; actor: AuditActor }): Promise<number> {
    const { store, clock } = this.#deps;
    return store.transact(async (tx) => {
      const product = await getProduct(tx, productId);
      const unique = new Set(ids);
      await removeKeys(tx, product, unique);
      const changes = [`removed: ${unique.size}`];
      await writeAudit(tx, { actor, action: "product.keys.remove", target: productId, changes }, clock);
      return unique.size;
    });
  }
}
