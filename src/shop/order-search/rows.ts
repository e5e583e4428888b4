/**
 * Orders as rows in memory that searches, the list of customers and sales walk over: no index of a store knows words
 * within texts, and a row is a tenth of an order. They are read on the first search, and follow every commit after
 * that; a row only finds orders, which are then read from the store.
 */
import { findFirst } from "../../kit/find-first.ts";
import type { RecordChange } from "../../store/observed-store.ts";
import { coalesce } from "../../kit/limits/coalesce.ts";
import { pagesOf } from "../../store/every-page.ts";
import type { ShopDeps } from "../base/deps.ts";
import { toReceived } from "../orders/card-shares.ts";
import type { OrderLine, OrderRecord } from "../orders/schema.ts";
import { orders } from "../orders/records.ts";

/** The newest orders that are kept: some 60 MiB at the most. */
const MAX_ROWS = 200_000;
const PAGE = 500;
/** Longer than a transaction of another process may take to commit what it has dated. */
const OVERLAP_MS = 30_000;

/** The searchable part of an order. */
export interface OrderRow extends Pick<
  OrderRecord,
  | ("id" | "version" | "createdAt" | "updatedAt" | "status" | "paymentStatus" | "attention" | "currency")
  | ("total" | "emailLower" | "userId" | "paymentMethod")
> {
  /** Payments minus refunds, without those of gift cards. */
  readonly received: number;
  readonly country: string;
  readonly coupon: string;
  readonly isPaid: boolean;
  /** The items without their texts. */
  readonly sold: readonly Pick<OrderLine, "productId" | "quantity" | "total">[];
  /** All words, in small letters. */
  readonly text: string;
}

/** The form that words are compared in. */
export function toSearchText(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/** Entries of a history that quote a provider's reference. */
const MONEY = new Set(["payment", "refund", "chargeback", "payment_pending", "payment_failed"]);

function toText(order: OrderRecord): string {
  const { number, id, email, userId = "", couponCode = "", note, paymentMethod, shipment } = order;
  const addresses = [order.shippingAddress, order.billingAddress].flatMap((address) =>
    address === undefined
      ? []
      : [address.name, address.company ?? "", address.city, address.postalCode ?? "", address.country],
  );
  const words = [
    number,
    id,
    email,
    userId,
    couponCode,
    paymentMethod,
    note,
    shipment?.trackingNumber ?? "",
    ...addresses,
    ...order.lines.flatMap(({ title, sku, productId, options }) => [
      title,
      sku,
      productId,
      ...Object.values(options),
    ]),
    ...order.history.flatMap(({ event, note: said }) =>
      said !== undefined && MONEY.has(event) ? [said] : [],
    ),
  ];
  return toSearchText(words.filter((word) => word !== "").join("\n"));
}

export function toRow(order: OrderRecord): OrderRow {
  const { id, version, createdAt, updatedAt, status, paymentStatus, attention, currency } = order;
  const { total, emailLower, userId, paymentMethod, shippingAddress, couponCode = "" } = order;
  return {
    id,
    version,
    createdAt,
    updatedAt,
    status,
    paymentStatus,
    attention,
    currency,
    total,
    received: toReceived(order),
    emailLower,
    userId,
    paymentMethod,
    country: shippingAddress?.country ?? order.country ?? "",
    coupon: couponCode.toUpperCase(),
    isPaid: order.paidAt !== undefined,
    sold: order.lines.map(({ productId, quantity, total: sum }) => ({ productId, quantity, total: sum })),
    text: toText(order),
  };
}

function compare(a: OrderRow, b: OrderRow): number {
  return a.createdAt - b.createdAt || (a.id === b.id ? 0 : a.id < b.id ? -1 : 1);
}

/** Puts a row where it belongs, when it is the last one or one that is there; says whether that could be done. */
function place(sorted: OrderRow[], row: OrderRow): boolean {
  const last = sorted.at(-1);
  if (last === undefined || compare(last, row) < 0) {
    sorted.push(row);
    return true;
  }
  const at = findFirst(sorted.length - 1, (one) => compare(sorted[one] ?? row, row) < 0);
  const isThere = sorted[at]?.id === row.id;
  if (isThere) sorted[at] = row;
  return isThere;
}

export type OrderRows = ReturnType<typeof createOrderRows>;

/** Creates the rows, with none read yet. */
export function createOrderRows({
  store,
  clock,
  isShared = false,
}: Pick<ShopDeps, "store" | "clock" | "isShared">) {
  const byId = new Map<string, OrderRow>();
  /** The oldest first, while it is in order. */
  let sorted: OrderRow[] = [];
  let isSorted = true;
  let isWanted = false;
  let isLoaded = false;
  let newestMs = 0;
  /** When the store was read last. */
  let followedMs = 0;
  let revision = 0;

  function apply(order: OrderRecord): void {
    const before = byId.get(order.id);
    newestMs = Math.max(newestMs, order.updatedAt);
    if (before !== undefined && before.version >= order.version) return;
    const row = toRow(order);
    byId.set(order.id, row);
    revision += 1;
    if (isSorted) isSorted = place(sorted, row);
  }

  async function load(): Promise<void> {
    isWanted = true;
    // The newest come first: put in order at the end.
    isSorted = false;
    await store.read(async (tx) => {
      const walk = { index: "byCreated", reverse: true, pageSize: PAGE } as const;
      for await (const page of pagesOf(tx, orders, walk)) {
        for (const order of page) apply(order);
        if (byId.size >= MAX_ROWS) break;
        // Requests get their turn.
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
    });
    isLoaded = true;
  }

  /** Changes of other processes. */
  async function follow(): Promise<void> {
    const nowMs = clock.now();
    const range = { from: [Math.max(newestMs, followedMs) - OVERLAP_MS] };
    await store.read(async (tx) => {
      const walk = { index: "byUpdated", range, pageSize: PAGE } as const;
      for await (const page of pagesOf(tx, orders, walk)) for (const order of page) apply(order);
    });
    followedMs = nowMs;
  }

  const refresh = coalesce(async () => {
    if (!isLoaded) await load();
    else if (isShared) await follow();
  });

  function sort(): void {
    if (!isSorted) sorted = [...byId.values()].toSorted(compare);
    isSorted = true;
    // A tenth at once: the others move up.
    if (sorted.length <= MAX_ROWS * 1.1) return;
    for (const { id } of sorted.splice(0, sorted.length - MAX_ROWS)) byId.delete(id);
  }

  return {
    /** Applies commits of this process; nothing is loaded before the first search. */
    onCommit: (changes: readonly RecordChange[]): void => {
      if (!isWanted) return;
      for (const { collection, record } of changes) {
        // The collection's own records.
        if (collection === orders.name && record !== undefined) apply(record as OrderRecord);
      }
    },
    /** All rows as they are now, the oldest first. */
    read: async (): Promise<readonly OrderRow[]> => {
      await refresh();
      sort();
      return sorted;
    },
    /** Whether older orders are left out. */
    isCut: (): boolean => sorted.length >= MAX_ROWS,
    /** Grows with each change of a row. */
    revision: (): number => revision,
  };
}
