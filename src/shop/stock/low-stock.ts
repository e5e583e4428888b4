/** Few units left: the list of it for administrators, and the mail when units fall to where few begin. */
import { parseCursor, toCursor } from "../../store/cursor.ts";
import { StoreError, type Tx } from "../../store/store.ts";
import { type MailDeps, mailAdmin } from "../mails/mails.ts";
import type { ProductRecord, StockRecord } from "../products/schema.ts";
import { products } from "../products/records.ts";
import type { SiteSettings } from "../site/schema.ts";
import { readSite, readSmtp } from "../site/settings.ts";

/** Units on hand of one stock record before and after. */
export interface StockMove {
  readonly stockId: string;
  readonly productId: string;
  readonly before: number;
  readonly after: number;
}

/** How many units are few: as the product says, else as the site does. */
export function toThreshold(
  product: Pick<ProductRecord, "lowStockThreshold">,
  site: Pick<SiteSettings, "lowStockThreshold">,
): number {
  return product.lowStockThreshold ?? site.lowStockThreshold;
}

function describe(product: ProductRecord, { stockId, after }: StockMove): string {
  const variant = product.variants.find(({ id }) => id === stockId);
  const options = Object.values(variant?.options ?? {}).join(", ");
  const { sku } = variant ?? product;
  const name = `${product.title}${options === "" ? "" : ` (${options})`}${sku === "" ? "" : `, ${sku}`}`;
  return `${name}: ${after === 0 ? "none" : after} left`;
}

/**
 * Mails the administrators about units that fell to where few begin, or below. Whatever stays below falls no more, so
 * that the next mail comes after a restock.
 */
export async function mailLowStock(
  tx: Tx,
  deps: Pick<MailDeps, "outbox" | "clock">,
  moves: readonly StockMove[],
): Promise<void> {
  const { adminAddress, notify } = await readSmtp(tx);
  if (adminAddress === "" || !notify.low_stock) return;
  const site = await readSite(tx);
  const lines: string[] = [];
  for (const move of moves) {
    if (move.after >= move.before) continue;
    const product = await tx.get(products, move.productId);
    if (product === undefined) continue;
    const threshold = toThreshold(product, site);
    if (move.before > threshold && move.after <= threshold) lines.push(describe(product, move));
  }
  if (lines.length === 0) return;
  await mailAdmin(tx, deps, {
    kind: "low_stock",
    subject: lines.length === 1 ? `low stock: ${lines[0] ?? ""}` : `low stock of ${lines.length} products`,
    lines: [
      "These products are almost out of stock. You receive no further emails about them until they are restocked.",
      lines.join("\n"),
    ],
  });
}

/** One thing that is sold, with its units. */
export interface StockRow {
  readonly product: ProductRecord;
  readonly record: StockRecord;
  /** Units that can be ordered now; Infinity when unlimited. */
  readonly available: number;
  readonly threshold: number;
}

export interface StockQuery {
  /** Only what has few units, or none. */
  readonly low: boolean;
  /** Only this product. */
  readonly productId?: string | undefined;
  /** Part of a title or a SKU, in any case. */
  readonly q?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const CURSOR_INDEX = "stock";

function compareRows(a: readonly [number, string], b: readonly [number, string]): number {
  if (a[0] !== b[0]) return a[0] - b[0];
  return a[1] < b[1] ? -1 : Number(a[1] > b[1]);
}

/** Sort key of a row: the fewest units first, unlimited stock last. */
function toKey({ available, record }: StockRow): readonly [number, string] {
  return [Math.min(available, Number.MAX_SAFE_INTEGER), record.id];
}

function parseKey(cursor: string): readonly [number, string] {
  const [available, id] = parseCursor(cursor, { index: CURSOR_INDEX, length: 2 });
  if (typeof available === "number" && typeof id === "string") return [available, id];
  throw new StoreError("bad_cursor", "The cursor is malformed or belongs to another list");
}

function isMeant(
  { product, record }: Pick<StockRow, "product" | "record">,
  { productId, q = "" }: Pick<StockQuery, "productId" | "q">,
): boolean {
  if (productId !== undefined && product.id !== productId) return false;
  const wanted = q.trim().normalize("NFKC").toLowerCase();
  if (wanted === "") return true;
  const { sku } = product.variants.find(({ id }) => id === record.id) ?? product;
  return [product.title, sku].some((text) => text.normalize("NFKC").toLowerCase().includes(wanted));
}

/** A page of what is not archived, the fewest units first. Throws `bad_cursor`. */
export function listStock(
  all: Iterable<Pick<StockRow, "product" | "record">>,
  site: Pick<SiteSettings, "lowStockThreshold">,
  { low, limit, cursor, ...meant }: StockQuery,
): { items: StockRow[]; nextCursor?: string | undefined } {
  const after = cursor === undefined ? undefined : parseKey(cursor);
  const rows: StockRow[] = [];
  for (const { product, record } of all) {
    if (product.status === "archived" || !isMeant({ product, record }, meant)) continue;
    const isUnlimited = product.stockMode === "unlimited";
    const available = isUnlimited ? Number.POSITIVE_INFINITY : record.onHand - record.reserved;
    const row = { product, record, available, threshold: toThreshold(product, site) };
    if (low && available > row.threshold) continue;
    if (after === undefined || compareRows(toKey(row), after) > 0) rows.push(row);
  }
  rows.sort((a, b) => compareRows(toKey(a), toKey(b)));
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const isEnd = rows.length <= limit || last === undefined;
  return { items, nextCursor: isEnd ? undefined : toCursor(CURSOR_INDEX, [...toKey(last)]) };
}
