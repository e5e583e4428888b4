/**
 * Many orders at once: each is changed in a separate transaction with a separate result, so none is left half done.
 */
import { AppError } from "../../kit/errors.ts";
import { toIsoTime } from "../../kit/text/iso-time.ts";
import type { ReadTx, Store } from "../../store/store.ts";
import { toDecimal } from "../base/money.ts";
import type { Address } from "../base/postal-address.ts";
import type { OrderRecord, OrderStatus } from "../orders/schema.ts";
import { orders } from "../orders/records.ts";
import { type CsvStyle, BYTE_ORDER_MARK, csvStyles, toCsvLine } from "../../kit/files/csv-line.ts";
import type { Actor } from "../users/caller.ts";
import type { OrderAdmin } from "./order-admin.ts";

/** Orders that are moved in one request. */
export const MAX_MOVED = 100;
/** Orders that are exported by their ids in one request. */
export const MAX_EXPORTED = 500;

export const bulkActions = ["deliver", "cancel"] as const;
export type BulkAction = (typeof bulkActions)[number];

/** The result for one order. */
export type BulkResult =
  | { readonly id: string; readonly result: "done"; readonly status: OrderStatus }
  | { readonly id: string; readonly result: "refused"; readonly code: string; readonly detail: string };

/** Moves orders one after the other; what refuses one keeps no other. Throws what the store throws: what came before stays done. */
export async function moveMany(
  orderAdmin: Pick<OrderAdmin, BulkAction>,
  { action, ids, actor, note }: { action: BulkAction; ids: readonly string[]; actor: Actor; note: string },
): Promise<BulkResult[]> {
  const results: BulkResult[] = [];
  for (const id of ids) {
    try {
      const { status } = await orderAdmin[action]({ id, actor, note });
      results.push({ id, result: "done", status });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      results.push({ id, result: "refused", code: error.code, detail: error.message });
    }
  }
  return results;
}

/** Orders by their ids, in their order. Throws `not_found` with those that there are not. */
export function readMany(store: Store, ids: readonly string[]): Promise<OrderRecord[]> {
  return store.read(async (tx: ReadTx) => {
    const found: OrderRecord[] = [];
    const missing: string[] = [];
    for (const id of ids) {
      const order = await tx.get(orders, id);
      if (order === undefined) missing.push(id);
      else found.push(order);
    }
    if (missing.length === 0) return found;
    throw new AppError("not_found", "Some of these orders do not exist", { details: { missing } });
  });
}

/** Where the goods go, a column for each part, as programs for labels take it. */
const addressParts = [
  "name",
  "company",
  "line1",
  "line2",
  "postalCode",
  "city",
  "region",
  "country",
  "phone",
] as const satisfies (keyof Address)[];

const columns = [
  "number",
  "id",
  "createdAt",
  "status",
  "paymentStatus",
  "paidAt",
  "email",
  "userId",
  "country",
  "currency",
  "subtotal",
  "discount",
  "shipping",
  "tax",
  "total",
  "amountPaid",
  "amountRefunded",
  "couponCode",
  "paymentMethod",
  "attention",
  "items",
  ...addressParts.map((part) => `shipping${part.charAt(0).toUpperCase()}${part.slice(1)}`),
  "note",
] as const;

function toItems({ lines }: OrderRecord): string {
  return lines
    .map(({ quantity, title, options, sku }) => {
      const chosen = [...Object.values(options), sku].filter((text) => text !== "").join(", ");
      return `${quantity} × ${title}${chosen === "" ? "" : ` (${chosen})`}`;
    })
    .join("; ");
}

/** The line of an order; amounts in units of the currency, as "19.99". */
function toLine(order: OrderRecord, style: CsvStyle): string {
  const { currency, paidAt, userId = "", couponCode = "", shippingAddress, country = "" } = order;
  const amount = (minor: number): string => toDecimal(minor, currency).replace(".", style.decimalMark);
  const cells = [
    order.number,
    order.id,
    toIsoTime(order.createdAt),
    order.status,
    order.paymentStatus,
    paidAt === undefined ? "" : toIsoTime(paidAt),
    order.email,
    userId,
    shippingAddress?.country ?? country,
    currency,
    amount(order.subtotal),
    amount(order.discount),
    amount(order.shipping),
    amount(order.tax?.amount ?? 0),
    amount(order.total),
    amount(order.amountPaid),
    amount(order.amountRefunded),
    couponCode,
    order.paymentMethod,
    order.attention.join(" "),
    toItems(order),
    ...addressParts.map((part) => shippingAddress?.[part] ?? ""),
    order.note,
  ];
  return toCsvLine(cells, style);
}

/** Orders as CSV, page by page; with a byte order mark for spreadsheets. The head comes with the first page: nothing is said before the store has answered. */
export async function* toCsv(
  pages: AsyncIterable<readonly OrderRecord[]>,
  { hasMark, style = csvStyles.comma }: { readonly hasMark: boolean; readonly style?: CsvStyle },
): AsyncGenerator<string, void> {
  let head = `${hasMark ? BYTE_ORDER_MARK : ""}${toCsvLine(columns, style)}`;
  for await (const page of pages) {
    yield head + page.map((order) => toLine(order, style)).join("");
    head = "";
  }
  if (head !== "") yield head;
}
