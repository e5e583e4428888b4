/** Searches orders by words and facts; newest first. */
import { AppError } from "../../kit/errors.ts";
import type { Page, PageOptions, ReadTx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { notices } from "../payments/records.ts";
import { orders } from "../orders/records.ts";
import { readSite } from "../site/settings.ts";
import { type OrderRow, type OrderRows, toSearchText } from "./rows.ts";
import type { SearchQuery } from "./schema.ts";

const MAX_WORDS = 8;
const MIN_REFERENCE = 4;

/** Where a page ended. */
interface Place {
  readonly createdAt: number;
  readonly id: string;
}

function readCursor(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
  const [, time = "", id = ""] = /^(\d{1,16})\.([\w-]{1,100})$/u.exec(cursor) ?? [];
  if (id === "") throw new AppError("bad_request", "The cursor belongs to another list");
  return { createdAt: Number(time), id };
}

/** Whether a row comes after the end of the page before. */
function isBehind({ createdAt, id }: OrderRow, after: Place | undefined): boolean {
  if (after === undefined) return true;
  return createdAt < after.createdAt || (createdAt === after.createdAt && id < after.id);
}

/** The words of a search, each of which an order must have. */
function toWords(q: string): string[] {
  return toSearchText(q)
    .split(/\s+/u)
    .filter((word) => word !== "")
    .slice(0, MAX_WORDS);
}

/** Whether a row is in a state, or waits to be handed over. */
function isIn(row: Pick<OrderRow, "status">, status: NonNullable<SearchQuery["status"]>): boolean {
  return status === "to_deliver"
    ? row.status === "paid" || row.status === "fulfilling"
    : row.status === status;
}

/** Creates the test of a row. */
export function createMatch(query: SearchQuery): (row: OrderRow) => boolean {
  const { q = "", status, paymentStatus, attention, userId, productId, country, currency } = query;
  const { paymentMethod, minTotal = 0, maxTotal = Infinity, from = 0, to = Infinity } = query;
  const words = toWords(q);
  const email = query.email?.toLowerCase();
  const coupon = query.coupon?.toUpperCase();
  const product = productId === undefined ? undefined : toSearchText(productId);
  return (row) =>
    row.createdAt >= from &&
    row.createdAt < to &&
    (status === undefined || isIn(row, status)) &&
    (paymentStatus === undefined || row.paymentStatus === paymentStatus) &&
    (attention === undefined ||
      (attention === "any" ? row.attention.length > 0 : row.attention.includes(attention))) &&
    row.total >= minTotal &&
    row.total <= maxTotal &&
    (currency === undefined || row.currency === currency) &&
    (country === undefined || row.country === country) &&
    (coupon === undefined || row.coupon === coupon) &&
    (paymentMethod === undefined || row.paymentMethod === paymentMethod) &&
    (userId === undefined || row.userId === userId) &&
    (email === undefined || row.emailLower === email) &&
    (product === undefined || row.text.includes(product)) &&
    words.every((word) => row.text.includes(word));
}

/** The order of a notice with this reference, for references that no history quotes: those of notices that wait. */
async function findByReference(tx: ReadTx, q: string): Promise<OrderRecord | undefined> {
  const { paymentProviders } = await readSite(tx);
  const providers = [...paymentProviders.map(({ word }) => word), "manual"];
  for (const provider of providers) {
    const notice = await tx.by(notices, "byReference", [provider, q, "payment"]);
    if (notice !== undefined) return tx.get(orders, notice.orderId ?? notice.claimedOrderId);
  }
  return undefined;
}

export type OrderSearch = ReturnType<typeof createOrderSearch>;

/** Creates the search over rows. */
export function createOrderSearch({ store }: Pick<ShopDeps, "store">, rows: Pick<OrderRows, "read">) {
  /** Ids of a page, the newest first. */
  async function findIds(query: SearchQuery, { limit, cursor }: PageOptions): Promise<Page<string>> {
    const after = readCursor(cursor);
    const matches = createMatch(query);
    const all = await rows.read();
    const found: OrderRow[] = [];
    for (let at = all.length - 1; at >= 0; at -= 1) {
      const row = all[at];
      if (row === undefined || !isBehind(row, after) || !matches(row)) continue;
      const last = found.at(-1);
      if (found.length === limit && last !== undefined)
        return { items: found.map(({ id }) => id), nextCursor: `${last.createdAt}.${last.id}` };
      found.push(row);
    }
    return { items: found.map(({ id }) => id) };
  }

  async function search(query: SearchQuery, page: PageOptions): Promise<Page<OrderRecord>> {
    const { items: ids, nextCursor } = await findIds(query, page);
    return store.read(async (tx) => {
      const found = await Promise.all(ids.map((id) => tx.get(orders, id)));
      const items = found.filter((order) => order !== undefined);
      const q = query.q?.trim() ?? "";
      const isAlone = Object.entries(query).every(([name, value]) => name === "q" || value === undefined);
      if (items.length > 0 || !isAlone || q.length < MIN_REFERENCE) return { items, nextCursor };
      const paid = await findByReference(tx, q);
      return { items: paid === undefined ? [] : [paid] };
    });
  }

  return { search };
}
